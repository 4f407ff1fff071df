"""The loop: compiled once an optimizer, repeatable to the bit, honest about leaks."""

import numpy as np
import pytest

from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.optimizers import LISTED, freezable_optimizer
from helpers.playground import tasks
from helpers.playground.loop import Loop
from helpers.techniques import TECHNIQUES, Technique

LISTED = list(LISTED)


def build(task, names=LISTED):
    """A loop over a task with the listed optimizers, on the processor."""
    made = {name: freezable_optimizer(name, task.rates.get(name)) for name in names}
    return Loop(task, made, "cpu")


def put(loop, technique="none", optimizer="sgd", frozen=False):
    """Take a loop back to the start and put these choices in force."""
    loop.reset()
    loop.use_technique(technique)
    loop.use_optimizer(optimizer)
    loop.freeze(np.broadcast_to(frozen, loop.values.shape))


def run_in_bits(loop, *steps):
    """The bits of all variables and losses after taking these numbers of steps."""
    losses = np.concatenate([loop.run(n) for n in steps])
    state = [v.numpy().tobytes() for v in loop.task.model.variables]
    return [losses.tobytes(), *state]


@pytest.fixture(scope="module")
def loop():
    """One loop over a small picture for many tests; each of them puts its own choices in force."""
    return build(tasks.snowflake(0, 12, 12))


@pytest.fixture
def half():
    """A mask over the small picture, every other cell frozen."""
    return np.indices((12, 12)).sum(0) % 2 == 0


def test_an_optimizer_s_step_is_traced_once_whatever_is_changed(half):
    loop = build(tasks.snowflake(0, 12, 12))
    for technique in TECHNIQUES:
        for optimizer in LISTED:
            put(loop, technique, optimizer, half)
            loop.run(3)
            loop.freeze(~half)
            loop.run(5)
    assert loop.traces == 2 * len(LISTED)  # the free values alone have their own


def test_it_says_whether_the_next_step_is_compiled():
    loop = build(tasks.snowflake(0, 12, 12))
    for optimizer in LISTED:
        loop.use_optimizer(optimizer)
        assert not loop.is_compiled
        loop.run(0)
        assert loop.is_compiled


def test_tensorflow_meets_no_new_name_in_the_slots_of_another_model(own_task):
    """It keeps a kernel for each name; Keras calls slots after their variable."""
    loops = [build(own_task()) for _ in range(2)]
    names = [
        {variable.value.name for optimizer in loop.optimizers for variable in optimizer.variables}
        for loop in loops
    ]
    assert names[0] == names[1]


@pytest.mark.parametrize("name", sorted(tasks.TASKS))
@pytest.mark.parametrize("optimizer", LISTED)
def test_none_is_a_plain_training_loop_bit_for_bit(name, optimizer):
    loop, task = build(tasks.make(name, 5), [optimizer]), tasks.make(name, 5)
    made = freezable_optimizer(optimizer, task.rates[optimizer])
    plain = type(made).__bases__[1].from_config(made.get_config())
    assert type(plain).__module__.startswith("keras.")
    plain.build(task.model.trainable_variables)

    @tf.function
    def step(number):
        inputs, targets = task.batch(number)
        with tf.GradientTape() as tape:
            loss = task.loss(targets, task.model(inputs, training=True))
        gradients = tape.gradient(loss, task.model.trainable_variables)
        plain.apply(gradients, task.model.trainable_variables)
        return loss

    put(loop, "none", optimizer, True)
    with tf.device("/CPU:0"):
        losses = [step(tf.constant(i, tf.int64)).numpy() for i in range(60)]
    wanted = [np.array(losses).tobytes(), *(v.numpy().tobytes() for v in task.model.variables)]
    assert run_in_bits(loop, 60) == wanted


@pytest.mark.parametrize("technique", list(TECHNIQUES))
@pytest.mark.parametrize("optimizer", LISTED)
def test_steps_taken_in_parts_are_the_same_steps(loop, half, technique, optimizer):
    put(loop, technique, optimizer, half)
    at_once = run_in_bits(loop, 100)
    put(loop, technique, optimizer, half)
    assert run_in_bits(loop, 40, 1, 0, 59) == at_once
    assert loop.step == 100


def test_reset_returns_to_the_first_bits_and_keeps_the_mask(half):
    loop = build(tasks.make("hidden", 0))
    first = [v.numpy().tobytes() for v in loop.task.model.variables]
    put(loop, "restore", "adam", np.arange(32) % 2 == 0)
    once = run_in_bits(loop, 50)
    mask = loop.frozen
    loop.reset()
    assert [v.numpy().tobytes() for v in loop.task.model.variables] == first
    assert loop.step == 0 and (loop.frozen == mask).all()
    assert run_in_bits(loop, 50) == once


def test_reset_takes_back_what_layers_remember():
    layers = [keras.layers.Dense(4), keras.layers.BatchNormalization(), keras.layers.Dropout(0.5)]
    model = keras.Sequential([keras.layers.Input((3,)), *layers])
    x = np.random.default_rng(0).normal(5, 1, size=(50, 3)).astype("float32")
    loss = keras.losses.MeanSquaredError()
    loop = build(tasks.own(model, model.layers[0].kernel, x, x[:, :1], loss), ["adam"])
    once = run_in_bits(loop, 20)
    loop.reset()
    assert run_in_bits(loop, 20) == once


@pytest.mark.parametrize("optimizer", LISTED)
@pytest.mark.parametrize("technique", ["restore", "exact"])
def test_frozen_cells_keep_every_bit_while_the_others_move(loop, half, technique, optimizer):
    put(loop, technique, optimizer)
    loop.run(5)
    loop.freeze(half)
    before = loop.values
    loop.run(500)
    np.testing.assert_array_equal(changed_bits(before, loop.values), ~half)


def test_restore_keeps_the_sign_of_zero(loop, half):
    put(loop, "restore", "sgd", half)
    loop.task.variable.assign(np.full((12, 12), -0.0, np.float32))
    loop.run(3)
    assert np.signbit(loop.values[half]).all() and loop.values[~half].all()


def leaks(loop, technique, optimizer, frozen, warm):
    """Which cells have changed in 20 steps after `warm` steps in which nothing was frozen."""
    put(loop, technique, optimizer)
    loop.run(warm)
    loop.freeze(frozen)
    before = loop.values
    loop.run(20)
    return changed_bits(before, loop.values)


GRADIENT = ["gradient_times_mask", "where_gradient", "stop_gradient"]


@pytest.mark.parametrize("technique", GRADIENT)
@pytest.mark.parametrize("optimizer", ["momentum", "adam", "adamw"])
def test_without_a_gradient_warm_momentum_moves_frozen_cells(loop, half, technique, optimizer):
    assert leaks(loop, technique, optimizer, half, warm=20)[half].all()


@pytest.mark.parametrize("technique", GRADIENT)
@pytest.mark.parametrize("warm", [0, 20])
def test_without_a_gradient_plain_descent_keeps_frozen_cells(loop, half, technique, warm):
    assert not leaks(loop, technique, "sgd", half, warm)[half].any()


@pytest.mark.parametrize("technique", GRADIENT)
@pytest.mark.parametrize("optimizer", ["momentum", "adam"])
def test_without_a_gradient_cold_momentum_keeps_frozen_cells(loop, half, technique, optimizer):
    assert not leaks(loop, technique, optimizer, half, warm=0)[half].any()


@pytest.mark.parametrize("technique", GRADIENT)
def test_without_a_gradient_weight_decay_moves_even_cold_cells(loop, half, technique):
    assert leaks(loop, technique, "adamw", half, warm=0)[half].all()


def test_none_freezes_nothing(loop, half):
    assert leaks(loop, "none", "sgd", half, warm=0).all()


def test_the_three_gradient_recipes_are_one_as_long_as_gradients_are_finite(loop, half):
    results = []
    for technique in GRADIENT:
        put(loop, technique, "adam", half)
        results.append(run_in_bits(loop, 60))
    assert results[0] == results[1] == results[2]


def test_a_newly_chosen_optimizer_starts_with_empty_state(loop):
    put(loop, "none", "adam")
    loop.run(30)
    loop.use_optimizer("sgd")
    loop.run(1)
    loop.use_optimizer("adam")
    state = loop.optimizers[loop.names.index("adam")].variables
    rate = [v for v in state if "learning_rate" in v.path]
    assert len(rate) == 1 and all(not v.numpy().any() for v in state if v is not rate[0])
    assert rate[0].numpy() == np.float32(loop.task.rates["adam"])


def test_an_optimizer_that_was_not_asked_for_is_untouched(loop):
    put(loop, "none", "adam")
    loop.run(30)
    for name in set(LISTED) - {"adam"}:
        assert not loop.optimizers[loop.names.index(name)].iterations.numpy()


def test_the_mask_in_force_is_the_one_that_was_put_there(loop, half):
    put(loop, frozen=half)
    assert loop.frozen.dtype == bool and (loop.frozen == half).all()


# Numbers that are not finite


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("optimizer", LISTED)
def test_training_stops_before_a_step_whose_loss_is_not_finite(optimizer, bad, spoilt):
    good = build(tasks.snowflake(0, 6, 6), [optimizer])
    loop = build(spoilt(tasks.snowflake(0, 6, 6), 7, bad), [optimizer])
    wanted = run_in_bits(good, 7)
    assert run_in_bits(loop, 100) == wanted and loop.step == 7
    assert len(loop.run(100)) == 0 and loop.step == 7
    assert not changed_bits(loop.values, good.values).any()


def roots(*weights):
    """A task of a few weights and the loss sum(sqrt(|w|)), whose gradient at 0 is NaN."""
    model = keras.Sequential([keras.layers.Input((1,)), keras.layers.Dense(4, use_bias=False)])
    model.layers[0].kernel.assign([weights])

    def loss(targets, outputs):
        return tf.reduce_sum(tf.sqrt(tf.square(outputs)))

    one = np.ones((1, 1), np.float32)
    return tasks.own(model, model.layers[0].kernel, one, one, loss, batch_size=1)


def test_a_nan_gradient_of_a_free_cell_stops_training_before_the_step():
    loop = build(roots(0, 1, 2, 3), ["sgd"])
    assert len(loop.run(5)) == 0
    assert loop.values.tolist() == [[0, 1, 2, 3]]


def test_a_nan_gradient_in_another_variable_stops_training_too():
    layers = [keras.layers.Dense(4, use_bias=False), keras.layers.Dense(1, use_bias=False)]
    model = keras.Sequential([keras.layers.Input((1,)), *layers])
    layers[1].kernel.assign(np.zeros((4, 1)))
    one = np.ones((1, 1), np.float32)
    task = tasks.own(
        model, layers[0].kernel, one, one, lambda _, outputs: tf.sqrt(outputs**2), batch_size=1
    )
    loop = build(task, ["sgd"])
    put(loop, "exact", "sgd", True)
    assert len(loop.run(5)) == 0 and not layers[1].kernel.numpy().any()


@pytest.mark.parametrize(
    ("technique", "leaks"),
    [("none", True), ("stop_gradient", True)]
    + [(name, False) for name in ("where_gradient", "restore", "exact")],
)
def test_a_regularizer_of_ones_own_model_counts_and_looks_past_a_wall(technique, leaks):
    dense = keras.layers.Dense(4, use_bias=False, kernel_regularizer=keras.regularizers.L2(0.1))
    model, one = keras.Sequential([keras.layers.Input((3,)), dense]), np.ones((1, 3), np.float32)
    task = tasks.own(model, dense.kernel, one, one[:, :1], lambda _, outputs: 0 * outputs)
    loop = build(task, ["sgd"])
    put(loop, technique, "sgd", True)
    before = loop.values
    loop.run(3)
    rate = float(loop.optimizers[0].learning_rate)
    wanted = before * (1 - 0.2 * rate) ** 3 if leaks else before
    np.testing.assert_allclose(loop.values, wanted, rtol=1e-5)
    assert changed_bits(before, loop.values).all() == leaks


@pytest.mark.parametrize(("technique", "kept"), [("where_gradient", True), ("restore", True)])
def test_a_nan_gradient_of_a_frozen_cell_is_no_reason_to_stop(technique, kept):
    loop = build(roots(0, 1, 2, 3), ["sgd"])
    put(loop, technique, "sgd", [[True, False, False, False]])
    assert len(loop.run(3)) == 3
    assert loop.values[0, 0] == 0 and (loop.values[0, 1:] < [1, 2, 3]).all()


@pytest.mark.parametrize(("technique", "kept"), [("restore", False), ("exact", True)])
def test_only_the_exact_freeze_keeps_the_optimizer_state_of_frozen_cells(
    loop, half, technique, kept
):
    put(loop, technique, "adam")
    loop.run(5)
    loop.freeze(half)
    adam = loop.optimizers[loop.names.index("adam")]
    slots = [v for v in adam.variables if v.shape == half.shape and v.dtype != "bool"]
    before = [slot.numpy() for slot in slots]
    loop.run(20)
    for old, slot in zip(before, slots, strict=True):
        changed = changed_bits(old, slot.numpy())
        assert changed[~half].all() and changed[half].any() == (not kept)


def test_only_the_technique_in_force_freezes(loop, half):
    """A mask that the exact freeze has left in an optimizer would freeze under other recipes."""
    for leave in (
        lambda: loop.use_technique("none"),
        lambda: (loop.use_optimizer("sgd"), loop.use_technique("none")),
        lambda: (loop.reset(), loop.use_technique("none")),
        lambda: (loop.use_technique("none"), loop.freeze(half), loop.use_optimizer("adam")),
    ):
        put(loop, "exact", "adam", half)
        loop.run(3)
        leave()
        before = loop.values
        loop.run(3)
        assert changed_bits(before, loop.values).all()


@pytest.mark.parametrize("change", ["optimizer", "reset"])
def test_the_exact_freeze_outlives_a_new_optimizer_and_a_reset(loop, half, change):
    put(loop, "exact", "adam", half)
    loop.run(3)
    if change == "reset":
        loop.reset()
    else:
        loop.use_optimizer("adamw")
    before = loop.values
    loop.run(3)
    np.testing.assert_array_equal(changed_bits(before, loop.values), ~half)


def test_times_mask_turns_the_nan_gradient_of_a_frozen_cell_into_a_leak():
    loop = build(roots(0, 1, 2, 3), ["sgd"])
    put(loop, "gradient_times_mask", "sgd", [[True, False, False, False]])
    assert len(loop.run(5)) == 1
    assert np.isnan(loop.values[0, 0]) and np.isfinite(loop.values[0, 1:]).all()


def test_a_cell_that_is_run_again_and_again_draws_no_warning(caplog):
    """Each run makes a loop of its own, which is traced once; TensorFlow counts them together."""
    tf.get_logger().propagate, before = True, tf.get_logger().propagate
    for _ in range(8):
        build(roots(0, 1, 2, 3), ["sgd"]).run(0)
    tf.get_logger().propagate = before
    assert not caplog.records


# The free values alone


def test_no_optimizer_that_takes_a_step_has_a_frozen_cell(loop, half):
    """The model's own variable and the whole optimizer stay as they were but for free cells."""
    put(loop, "free_values", "adamw", half)
    whole = [v.numpy() for v in loop.optimizer.variables]
    loop.run(5)
    packed = loop._packed
    assert loop.task.variable is not packed.free
    assert [v is packed.free for v in packed.variables].count(True) == len(packed.variables) == 1
    assert np.count_nonzero(packed.free.numpy()) == (~half).sum()
    for before, variable in zip(whole, loop.optimizer.variables):
        assert before.tobytes() == variable.numpy().tobytes()  # it has taken no step


def test_the_model_s_variable_shows_what_the_vector_has(loop, half):
    put(loop, "free_values", "adam", half)
    loop.run(7)
    shown = loop.task.variable.numpy()
    assert (shown[~half] == loop._packed.free.numpy()[: (~half).sum()]).all()
    assert not changed_bits(loop.values, shown).any()


def test_with_nothing_frozen_it_is_plain_training(loop):
    put(loop, "none", "adamw")
    plain = run_in_bits(loop, 20)
    put(loop, "free_values", "adamw")
    assert run_in_bits(loop, 20) == plain


@pytest.mark.parametrize("optimizer", LISTED)
def test_free_cells_step_as_under_the_exact_freeze(loop, half, optimizer):
    found = {}
    for technique in ("exact", "free_values"):
        put(loop, "none", optimizer)
        loop.run(5)
        loop.use_technique(technique)
        loop.freeze(half)
        held = loop.values
        loop.run(5)
        found[technique] = loop.values
    moved = changed_bits(held, found["free_values"])
    assert (moved == ~half).all()
    assert not changed_bits(*found.values())[~half].any()


def momentum(loop):
    loop.unpack()
    return loop.optimizer.slots_of(loop.task.variable)["momentum"].numpy()


def test_a_cell_that_stays_free_keeps_its_memory_and_a_frozen_one_loses_it(loop, half):
    put(loop, "none", "adam")
    loop.run(5)
    before = momentum(loop)
    loop.use_technique("free_values")
    loop.freeze(half)
    loop.run(1)
    after = momentum(loop)
    assert before.all() and not after[half].any() and after[~half].all()
    loop.use_technique("none")
    assert not changed_bits(after, momentum(loop)).any()


def test_a_mask_with_which_no_step_is_taken_costs_no_memory(loop, half):
    put(loop, "free_values", "adam")
    loop.run(5)
    loop.freeze(half)
    loop.use_technique("restore")
    loop.use_technique("free_values")
    loop.freeze(np.zeros_like(half))
    assert momentum(loop).all()


def test_another_optimizer_and_a_reset_begin_with_an_empty_memory(loop, half):
    for begin in (lambda: loop.use_optimizer("adam"), loop.reset):
        put(loop, "free_values", "adam", half)
        loop.run(5)
        begin()
        assert not momentum(loop).any()


def slots_of_bias(loop):
    (bias,) = (v for v in loop.task.model.trainable_variables if v is not loop.task.variable)
    return list(loop.optimizer.slots_of(bias).values())


def test_other_variables_and_their_slots_go_along(half):
    loop = build(tasks.digits(0), ["adam"])
    slots = slots_of_bias(loop)
    frozen = np.zeros((64, 10), bool)
    frozen[:30] = True
    put(loop, "free_values", "adam", frozen)
    loop.run(5)
    loop.use_technique("none")
    loop.run(5)
    alike = build(tasks.digits(0), ["adam"])
    put(alike, "where_gradient", "adam", frozen)
    alike.run(5)
    alike.use_technique("none")
    alike.run(5)
    assert len(slots) == 2 and int(loop.optimizer.iterations) == 10
    for one, other in zip(slots, slots_of_bias(alike), strict=True):
        assert one.numpy().tobytes() == other.numpy().tobytes()


def test_everything_frozen_stays_and_is_no_error(loop):
    put(loop, "free_values", "adam", True)
    before = loop.values
    assert len(loop.run(3)) == 3 and not changed_bits(before, loop.values).any()


def test_a_nan_gradient_of_a_free_value_stops_training_and_one_of_a_frozen_cell_does_not():
    loop = build(roots(0, 1, 2, 3), ["sgd"])
    put(loop, "free_values", "sgd", [[True, False, False, False]])
    assert len(loop.run(3)) == 3 and loop.values[0, 0] == 0
    put(loop, "free_values", "sgd", [[False, True, False, False]])
    assert len(loop.run(5)) == 0 and loop.values.tolist() == [[0, 1, 2, 3]]


@pytest.mark.parametrize("regularizer", ["l2", "orthogonal_regularizer"])
def test_a_regularizer_may_ask_for_a_matrix_and_moves_free_cells_alone(regularizer):
    dense = keras.layers.Dense(4, use_bias=False, kernel_regularizer=regularizer)
    model, one = keras.Sequential([keras.layers.Input((3,)), dense]), np.ones((1, 3), np.float32)
    task = tasks.own(model, dense.kernel, one, one[:, :1], lambda _, outputs: 0 * outputs)
    loop, frozen = build(task, ["sgd"]), np.arange(12).reshape(3, 4) % 2 == 0
    put(loop, "free_values", "sgd", frozen)
    before = loop.values
    loop.run(3)
    assert (changed_bits(before, loop.values) == ~frozen).all()


def test_a_constraint_is_refused_and_the_technique_in_use_stays():
    dense = keras.layers.Dense(4, use_bias=False, kernel_constraint="max_norm")
    model, one = keras.Sequential([keras.layers.Input((3,)), dense]), np.ones((1, 3), np.float32)
    loop = build(tasks.own(model, dense.kernel, one, one[:, :1], "mse"), ["sgd"])
    loop.use_technique("restore")
    with pytest.raises(ValueError, match="has a constraint.*take the constraint away"):
        loop.use_technique("free_values")
    assert loop.technique == "restore" == loop.history.now["technique"]


def test_a_recipe_of_ones_own_may_be_of_this_kind(half):
    def halved(held, places, free):
        return tf.tensor_scatter_nd_update(held, places, free / 2)

    loop = build(tasks.snowflake(0, 12, 12), ["adam"])
    loop.add_technique("mine", Technique("mine", values=halved))
    put(loop, "mine", "adam", half)
    before = loop.values
    loop.run(3)
    assert (changed_bits(before, loop.values) == ~half).all()


def test_this_file_traced_its_loop_once_an_optimizer_and_once_more_for_free_values(loop):
    # Fewer where the whole suite tries some of this file's cases.
    assert len(LISTED) <= loop.traces <= 2 * len(LISTED)
