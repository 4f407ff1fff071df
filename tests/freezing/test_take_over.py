"""An optimizer goes on where another stopped, whatever the two are."""

import warnings

import numpy as np
import pytest

from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.freezing import freezable
from tests.freezing.cases import MULTI

K = keras.optimizers
SHAPES = {"first": (4, 3), "second": (3,)}
DECAY = K.schedules.ExponentialDecay(0.1, 3, 0.5)


def compact(cls):
    return freezable(cls, compact=True)


def adam(cls, **options):
    return cls(0.1, **options)


def variables():
    draw = np.random.default_rng(0)
    return [keras.Variable(draw.normal(size=s), dtype="float32", name=n) for n, s in SHAPES.items()]


def gradients(number):
    draw = np.random.default_rng(number)
    return [tf.constant(draw.normal(size=shape), tf.float32) for shape in SHAPES.values()]


def trained(optimizer, steps, on):
    for number in range(steps):
        optimizer.apply(gradients(number), on)


PAIRS = {
    "Adam": (lambda: K.Adam(0.1), lambda: freezable(K.Adam)(0.1)),
    "Adam, compact": (lambda: K.Adam(0.1), lambda: compact(K.Adam)(0.1)),
    "from freezable": (lambda: freezable(K.Adam)(0.1), lambda: compact(K.Adam)(0.1)),
    "from compact": (lambda: compact(K.Adam)(0.1), lambda: freezable(K.Adam)(0.1)),
    "AdamW from Adam": (
        lambda: K.Adam(0.1, weight_decay=0.1),
        lambda: freezable(K.AdamW)(0.1, weight_decay=0.1),
    ),
    "Nadam": (lambda: K.Nadam(0.1), lambda: freezable(K.Nadam)(0.1)),
    "Adafactor": (lambda: K.Adafactor(0.1), lambda: freezable(K.Adafactor)(0.1)),
    "a schedule": (
        lambda: K.SGD(DECAY, momentum=0.9),
        lambda: freezable(K.SGD)(DECAY, momentum=0.9),
    ),
    "gathering": (
        lambda: K.Adam(0.1, gradient_accumulation_steps=4),
        lambda: freezable(K.Adam)(0.1, gradient_accumulation_steps=4),
    ),
    "gathering, compact": (
        lambda: K.Adam(0.1, gradient_accumulation_steps=4),
        lambda: compact(K.Adam)(0.1, gradient_accumulation_steps=4),
    ),
    "averages": (
        lambda: K.Adam(0.1, use_ema=True, ema_overwrite_frequency=3),
        lambda: freezable(K.Adam)(0.1, use_ema=True, ema_overwrite_frequency=3),
    ),
    "averages, compact": (
        lambda: K.Adam(0.1, use_ema=True, ema_overwrite_frequency=3),
        lambda: compact(K.Adam)(0.1, use_ema=True, ema_overwrite_frequency=3),
    ),
    "loss scale": (
        lambda: K.LossScaleOptimizer(K.Adam(0.1), dynamic_growth_steps=2),
        lambda: freezable(K.LossScaleOptimizer)(K.Adam(0.1), dynamic_growth_steps=2),
    ),
    "loss scale, freezable inside": (
        lambda: K.LossScaleOptimizer(K.Adam(0.1), dynamic_growth_steps=2),
        lambda: freezable(K.LossScaleOptimizer)(compact(K.Adam)(0.1), dynamic_growth_steps=2),
    ),
}
if MULTI:

    def several(cls):
        return cls(K.OptimizerMap(K.SGD(0.1, momentum=0.9), {"first": K.Adam(0.1)}))

    PAIRS["several"] = lambda: several(MULTI), lambda: several(freezable(MULTI))


@pytest.mark.parametrize("frozen", [False, True], ids=["nothing frozen", "frozen"])
@pytest.mark.parametrize(("make_old", "make_new"), PAIRS.values(), ids=PAIRS)
def test_the_next_steps_are_those_of_the_old_one(make_old, make_new, frozen):
    """In the middle of a round, of a schedule, and of everything else that goes on."""
    old, new, mine = make_old(), make_new(), variables()
    trained(old, 6, mine)
    new.build(mine)
    with warnings.catch_warnings(action="error"):
        new.take_over(old)
    mask = np.zeros((4, 3), bool)
    mask[1:3] = frozen
    new.freeze_cells(mine[0], mask)
    start = [variable.numpy() for variable in mine]
    for number in range(10, 15):
        new.apply(gradients(number), mine)
    ours = [variable.numpy() for variable in mine]
    for variable, value in zip(mine, start):
        variable.assign(value)
    for number in range(10, 15):
        old.apply(gradients(number), mine)
    theirs = [variable.numpy() for variable in mine]
    free = [~mask, np.ones(3, bool)]
    assert not changed_bits(ours[0], start[0])[mask].any()
    if frozen and "Adafactor" in type(new).__name__:
        return  # steps a cell by what all cells of its row and column hold
    for one, other, where in zip(ours, theirs, free):
        np.testing.assert_array_equal(one[where], other[where])


@pytest.mark.parametrize(
    ("make_old", "make_new", "told"),
    [
        (lambda: K.LossScaleOptimizer(K.Adam(0.1), 1.0), lambda: freezable(K.Adam)(0.1), None),
        (
            lambda: K.Adam(0.1),
            lambda: freezable(K.LossScaleOptimizer)(K.Adam(0.1), initial_scale=1.0),
            None,
        ),
        (
            lambda: K.Adam(0.1, use_ema=True),
            lambda: freezable(K.Adam)(0.1),
            "model variables moving average of 'first', 'second'",
        ),
        (
            lambda: K.Adam(0.1, gradient_accumulation_steps=2),
            lambda: freezable(K.Adam)(0.1),
            "accumulated gradients of 'first', 'second'",
        ),
        (
            lambda: K.SGD(0.1),
            lambda: freezable(K.Adam)(0.1),
            "the slots of SGD (those of FreezableAdam begin empty) of 'first'",
        ),
    ],
    ids=["out of a loss scale", "into one", "no average", "no gathering", "another class"],
)
def test_out_of_wrappers_and_options_and_into_them(make_old, make_new, told):
    old, new, mine = make_old(), make_new(), variables()
    trained(old, 4, mine)
    new.build(mine)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        new.take_over(old)
    messages = [str(each.message) for each in caught]
    assert all("Not taken over from" in text for text in messages)
    assert bool(messages) == bool(told) and (not told or told in messages[0])
    assert int(new.iterations) == int(old.iterations)
    if not told or "SGD" not in told:
        twin = getattr(old, "inner_optimizer", old)
        momentum = next(v for v in twin.variables if "first_momentum" in v.path)
        np.testing.assert_array_equal(new.slots_of(mine[0])["momentum"], momentum)


def test_masks_go_along_and_averages_of_frozen_cells_are_the_cells():
    mask = np.eye(4, 3, dtype=bool)
    for make in (freezable, compact):
        mine, old, new = variables(), freezable(K.Adam)(0.1, use_ema=True), None
        trained(old, 3, mine)
        old.freeze_cells(mine[0], mask)
        new = make(K.Adam)(0.1, use_ema=True)
        new.build(mine)
        new.take_over(old)
        assert (new.frozen_cells(mine[0]).numpy() == mask).all()
        mine[0].assign(mine[0] + 0.0)
        before = mine[0].numpy()
        new.apply(gradients(9), mine)
        new.finalize_variable_values(mine)
        assert not changed_bits(before, mine[0].numpy())[mask].any()


@pytest.mark.parametrize("make", [freezable, compact])
@pytest.mark.parametrize(
    "make_old",
    [lambda: K.Adam(0.1), lambda: K.SGD(0.1), lambda: K.Adam(0.1, use_ema=True)],
    ids=["Adam", "another class", "Adam with averages, of one variable"],
)
def test_an_average_that_is_new_begins_at_the_weight(make, make_old):
    """Keras starts it there in the first step alone; begun at 0, it would shrink what is free."""
    mine, old = variables(), make_old()
    known = mine[:1] if old.use_ema else mine
    for number in range(4):
        old.apply(gradients(number)[: len(known)], known)
    before = [variable.numpy() for variable in mine]
    new = make(K.Adam)(0.0, use_ema=True)
    new.build(mine)
    new.freeze_cells(mine[0], np.eye(4, 3, dtype=bool))
    with pytest.warns(UserWarning, match=r"Not taken over") as told:
        new.take_over(old)
    if isinstance(old, K.Adam) and not old.use_ema:
        assert "the average (it begins at the weight) of 'first', 'second'" in str(told[0].message)
    new.apply(gradients(9), mine)
    new.finalize_variable_values(mine)
    begun = slice(1, None) if old.use_ema else slice(None)  # what was averaged before goes on
    for variable, start in zip(mine[begun], before[begun]):
        np.testing.assert_allclose(variable, start, atol=1e-6)


def test_a_variable_that_joined_late_is_named_and_nobody_gets_its_slots():
    """Handed over by place, the first layer would get the averages of the second."""
    layers = [keras.layers.Dense(5) for _ in range(3)]
    model = keras.Sequential([keras.Input((5,)), *layers])
    layers[0].trainable = False
    model.compile(K.Adam(), "mse")
    model.fit(np.ones((8, 5)), np.ones((8, 5)), verbose=0)
    old, layers[0].trainable = model.optimizer, True
    new = freezable(K.Adam).from_config(old.get_config())
    new.build(model.trainable_variables)
    with pytest.warns(UserWarning, match="has not trained this.*kernel"):
        new.take_over(old)
    assert not new.slots_of(layers[0].kernel)["momentum"].numpy().any()
    for layer, number in ((layers[1], 0), (layers[2], 2)):
        np.testing.assert_array_equal(
            new.slots_of(layer.kernel)["momentum"], old._momentums[number]
        )


def test_what_is_excluded_from_decay_stays_excluded():
    mine = variables()
    old, new = (cls(0.1, weight_decay=0.5) for cls in (K.AdamW, freezable(K.AdamW)))
    old.exclude_from_weight_decay(var_names=["second"])
    trained(old, 1, mine)
    new.build(mine)
    new.take_over(old)
    before = [variable.numpy() for variable in mine]
    new.learning_rate = 1e-3
    for slot in new.slots_of(mine[1]).values():
        slot.assign(tf.zeros_like(slot))
    new.apply([tf.zeros((4, 3)), tf.zeros(3)], mine)
    assert (mine[1].numpy() == before[1]).all() and (mine[0].numpy() != before[0]).all()


def test_what_cannot_be_taken_over_is_refused_in_words():
    mine, new = variables(), freezable(K.Adam)(0.1)
    with pytest.raises(ValueError, match="not built yet: call build"):
        new.take_over(K.Adam())
    new.build(mine)
    for stranger in (K.Adam(), K.Adam()):
        with pytest.raises(ValueError, match="has trained none of the variables"):
            new.take_over(stranger)
        stranger.build(variables())
    with pytest.raises(TypeError, match="Keras 3 was wanted. .*: go on without"):
        new.take_over(tf.compat.v1.train.AdamOptimizer())


def test_in_a_run_under_way_in_mixed_precision():
    keras.utils.set_random_seed(0)
    policy = keras.dtype_policies.DTypePolicy("mixed_float16")
    layer = keras.layers.Dense(3, dtype=policy)
    model = keras.Sequential([keras.Input((4,)), layer, keras.layers.Dense(1, dtype="float32")])
    inputs = np.random.default_rng(0).normal(size=(32, 4)).astype("float32")
    model.compile(K.LossScaleOptimizer(K.Adam(0.1)), "mse")
    model.fit(inputs, inputs[:, :1], verbose=0)
    new = freezable(K.LossScaleOptimizer).from_config(model.optimizer.get_config())
    new.build(model.trainable_variables)
    new.take_over(model.optimizer)
    frozen, before = np.eye(4, 3, dtype=bool), layer.kernel.numpy()
    new.freeze_cells(layer.kernel, frozen)
    model.compile(new, "mse")
    model.fit(inputs, inputs[:, :1], epochs=3, verbose=0)
    assert (changed_bits(before, layer.kernel.numpy()) == ~frozen).all()
