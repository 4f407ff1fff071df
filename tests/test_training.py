"""The loop: compiled once, repeatable to the bit, honest about leaks. The thread: obedient."""

import math
import threading
import time

import numpy as np
import pytest

from helpers import tasks, training
from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.freezing import freezable
from helpers.techniques import TECHNIQUES

LISTED = list(training.OPTIMIZERS)


def build(task, names=LISTED):
    """A loop over a task with the listed optimizers, on the processor."""
    made = {name: training.make_optimizer(name, task.rates.get(name)) for name in names}
    return training.Loop(task, made, "cpu")


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


# The loop


def test_nothing_that_can_be_changed_traces_the_step_again(half):
    loop = build(tasks.snowflake(0, 12, 12))
    for technique in TECHNIQUES:
        for optimizer in LISTED:
            put(loop, technique, optimizer, half)
            loop.run(3)
            loop.freeze(~half)
            loop.run(5)
    assert loop.traces == 1


@pytest.mark.parametrize("name", sorted(tasks.TASKS))
@pytest.mark.parametrize("optimizer", LISTED)
def test_none_is_a_plain_training_loop_bit_for_bit(name, optimizer):
    loop, task = build(tasks.make(name, 5)), tasks.make(name, 5)
    made = training.make_optimizer(optimizer, task.rates[optimizer])
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


@pytest.mark.parametrize("technique, kept", [("where_gradient", True), ("restore", True)])
def test_a_nan_gradient_of_a_frozen_cell_is_no_reason_to_stop(technique, kept):
    loop = build(roots(0, 1, 2, 3), ["sgd"])
    put(loop, technique, "sgd", [[True, False, False, False]])
    assert len(loop.run(3)) == 3
    assert loop.values[0, 0] == 0 and (loop.values[0, 1:] < [1, 2, 3]).all()


@pytest.mark.parametrize("technique, kept", [("restore", False), ("exact", True)])
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
    loop.reset() if change == "reset" else loop.use_optimizer("adamw")
    before = loop.values
    loop.run(3)
    np.testing.assert_array_equal(changed_bits(before, loop.values), ~half)


def test_times_mask_turns_the_nan_gradient_of_a_frozen_cell_into_a_leak():
    loop = build(roots(0, 1, 2, 3), ["sgd"])
    put(loop, "gradient_times_mask", "sgd", [[True, False, False, False]])
    assert len(loop.run(5)) == 1
    assert np.isnan(loop.values[0, 0]) and np.isfinite(loop.values[0, 1:]).all()


# Optimizers by name


@pytest.mark.parametrize(
    "name, kind", [("sgd", "SGD"), ("AdamW", "AdamW"), ("RMSprop", "RMSprop"), ("lion", "Lion")]
)
def test_an_optimizer_can_be_named_as_keras_names_it(name, kind):
    made = training.make_optimizer(name)
    assert (
        isinstance(made, getattr(keras.optimizers, kind))
        and training.known_optimizer(name) == name.lower()
    )


def test_momentum_is_descent_with_momentum():
    assert training.make_optimizer("momentum", 0.25).momentum == 0.9
    assert training.make_optimizer("sgd").momentum == 0


@pytest.mark.parametrize("name", LISTED)
def test_the_rate_that_suits_a_task_is_used(name):
    assert training.make_optimizer(name, 0.25).learning_rate.numpy() == 0.25


def test_an_optimizer_object_is_copied_with_its_settings():
    mine = keras.optimizers.Adam(0.5, name="mine", weight_decay=0.25)
    mine.build([keras.Variable([1.0])])
    exact = freezable(keras.optimizers.Adam).from_config(mine.get_config())
    for copy in (training.make_optimizer(mine, 0.1), training.make_optimizer(exact)):
        assert isinstance(copy, keras.optimizers.Adam) and hasattr(copy, "freeze_cells")
        assert copy is not mine and not copy.built and copy.get_config() == mine.get_config()
    assert training.known_optimizer(mine) == "mine"


@pytest.mark.parametrize("name", ["adamm", "", None, "optimizer", "get", "schedules"])
def test_an_unknown_optimizer_hears_what_is_wanted(name):
    for call in (training.known_optimizer, training.make_optimizer):
        with pytest.raises(ValueError) as refused:
            call(name)
        said = str(refused.value)
        assert repr(name) in said and "Keras" in said and "'adamw'" in said


# The thread


class Diary:
    """Callbacks of a trainer that write down what they were told."""

    def __init__(self, loop, between=None):
        self.loop, self.losses, self.failures = loop, [], []
        self.failed, self.inner = threading.Event(), between
        self.trainer = training.Trainer(loop, self.between, self.fail)
        self.trainer.open()

    def between(self, losses):
        """Do what the test wants done, then note the losses of a chunk."""
        again = self.inner(self) if self.inner else None
        self.losses.extend(losses)
        return again

    def fail(self, error):
        """Note what ended training."""
        self.failures.append(error)
        self.failed.set()


@pytest.fixture
def keep(loop):
    """A function that opens a trainer over the loop, closed when the test is over."""
    put(loop)
    made = []

    def diary(between=None, over=loop):
        made.append(Diary(over, between))
        return made[-1]

    yield diary
    for one in made:
        one.trainer.close()


def test_the_thread_takes_exactly_the_steps_asked_for(keep, loop):
    diary = keep()
    for steps in (1, 2, 777):
        diary.trainer.start(steps)
        diary.trainer.wait()
    assert diary.trainer.do(lambda: loop.step) == 780
    assert not diary.trainer.running and not diary.failures


def test_waiting_ends_only_when_the_last_losses_have_been_told(keep):
    """Else what is read right after training lacks the last chunk, and a failure in it."""
    diary = keep(lambda diary: time.sleep(0.02))
    for steps in (1, 5):
        diary.losses.clear()
        diary.trainer.start(steps)
        diary.trainer.wait()
        assert len(diary.losses) == steps


def test_a_failure_in_the_last_chunk_is_told_before_waiting_ends(keep, spoilt):
    over = build(spoilt(tasks.snowflake(0, 6, 6), 0), ["sgd"])
    diary = keep(lambda diary: time.sleep(0.02), over)
    diary.trainer.start(1)
    diary.trainer.wait()
    assert len(diary.failures) == 1


def test_the_thread_runs_on_until_it_is_stopped(keep, loop, until):
    diary = keep()
    diary.trainer.start()
    until(lambda: len(diary.losses) > 500)
    assert diary.trainer.running
    diary.trainer.stop()
    at = diary.trainer.do(lambda: loop.step)
    time.sleep(0.05)
    assert diary.trainer.do(lambda: loop.step) == at and not diary.trainer.running


def test_live_steps_are_the_steps_of_the_loop(keep, loop, until):
    diary = keep()
    diary.trainer.start()
    until(lambda: len(diary.losses) > 100)
    diary.trainer.stop()
    live = np.array(diary.trainer.do(lambda: list(diary.losses)), np.float32)
    diary.trainer.close()
    put(loop)
    np.testing.assert_array_equal(loop.run(len(live)), live)


def test_do_returns_and_raises_what_the_function_does_and_training_goes_on(keep):
    diary = keep()
    diary.trainer.start()
    assert diary.trainer.do(lambda: threading.current_thread().name) == "freezing-trainer"
    with pytest.raises(ZeroDivisionError):
        diary.trainer.do(lambda: 1 / 0)
    assert diary.trainer.running and not diary.failures


def test_the_thread_may_ask_itself(keep):
    asked = []
    diary = keep(lambda diary: asked.append(diary.trainer.do(lambda: 42)))
    diary.trainer.start(3)
    diary.trainer.wait()
    assert set(asked) == {42} and not diary.failures


def test_the_thread_may_stop_itself(keep, until):
    diary = keep(lambda diary: diary.trainer.stop())
    diary.trainer.start()
    until(lambda: not diary.trainer.running)
    assert not diary.failures


def test_an_exception_ends_training_and_is_told_once(keep, trainers):
    def between(diary):
        if len(diary.losses) > 20 and not diary.failures:
            raise OverflowError("too much")

    diary = keep(between)
    diary.trainer.start()
    diary.trainer.wait()
    assert diary.failed.wait(30)
    assert [str(error) for error in diary.failures] == ["too much"]
    assert not diary.trainer.running and len(trainers()) == 1


def test_after_a_failure_the_thread_can_train_on(keep, loop):
    def between(diary):
        if diary.losses and not diary.failures:
            raise OverflowError

    diary = keep(between)
    diary.trainer.start()
    assert diary.failed.wait(30)
    diary.trainer.start(10)
    diary.trainer.wait()
    assert diary.trainer.do(lambda: loop.step) >= 10 and len(diary.failures) == 1


def test_a_loss_that_is_not_finite_says_which_step_and_what_now(keep, spoilt):
    over = build(spoilt(tasks.snowflake(0, 6, 6), 7), ["sgd"])
    diary = keep(over=over)
    diary.trainer.start()
    assert diary.failed.wait(30)
    (error,) = diary.failures
    assert isinstance(error, training.NotFinite) and isinstance(error, ArithmeticError)
    assert "step 8" in str(error) and "kept" in str(error) and "Reset" in str(error)
    assert diary.trainer.do(lambda: over.step) == 7 and len(diary.losses) == 7


@pytest.mark.parametrize("limit", [40, 400])
def test_a_limit_is_never_exceeded(keep, loop, limit, until):
    diary = keep()
    begun = time.monotonic()
    diary.trainer.start(limit=limit)
    until(lambda: loop.step >= 15)
    diary.trainer.stop()
    steps, took = loop.step, time.monotonic() - begun
    # A twentieth of a second's worth may be saved up.
    assert steps <= took * limit + max(1, limit / 20) + 1


def test_a_limit_saves_up_no_more_than_a_twentieth_of_a_second(keep, until):
    """So that after a moment in which nothing could be done, training does not leap."""
    noted = [0]

    def between(diary):
        noted.append(len(diary.losses))
        time.sleep(0.1)

    diary = keep(between)
    diary.trainer.start(limit=100)
    until(lambda: len(diary.losses) > 30)
    diary.trainer.stop()
    assert np.diff(noted).max() <= 5


def test_without_steps_nothing_is_waited_for(keep):
    diary = keep()
    diary.trainer.start(0)
    diary.trainer.wait()
    assert not diary.trainer.running


def test_wake_has_the_callback_called_while_nothing_trains(keep, until):
    calls = []
    diary = keep(lambda diary: calls.append(len(diary.losses)))
    until(lambda: calls)
    before = len(calls)
    diary.trainer.wake()
    until(lambda: len(calls) > before)
    assert set(calls) == {0}


def test_the_callback_is_called_again_after_the_seconds_it_asks_for(keep, until):
    calls = []
    keep(lambda diary: 0.001 if calls.append(1) or len(calls) < 5 else None)
    until(lambda: len(calls) == 5)


@pytest.mark.parametrize("steps", [0, math.inf])
def test_closing_ends_the_thread_and_what_comes_later_is_refused(keep, trainers, steps):
    diary = keep()
    diary.trainer.start(steps)
    assert len(trainers()) == 1
    diary.trainer.close()
    assert not trainers()
    with pytest.raises(RuntimeError, match="closed"):
        diary.trainer.do(lambda: 1)
    with pytest.raises(RuntimeError, match="closed"):
        diary.trainer.start(1)
    diary.trainer.close()


def test_closing_lets_those_go_who_wait(keep):
    diary = keep()
    diary.trainer.start()
    waiting = threading.Thread(target=diary.trainer.wait, daemon=True)
    waiting.start()
    diary.trainer.close()
    waiting.join(30)
    assert not waiting.is_alive()


def test_the_thread_may_close_itself(keep, trainers, until):
    diary = keep(lambda diary: diary.trainer.close() if diary.losses else None)
    diary.trainer.start()
    until(lambda: not trainers())
    assert not diary.failures


def test_this_file_traced_its_loop_once(loop):
    assert loop.traces == 1
