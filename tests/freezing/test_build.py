"""Masks that `build` is given: what comes of them is what `freeze_cells` makes of them later."""

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from helpers.device import keras, tf
from helpers.freezing import freezable
from tests.freezing.cases import OPTIONS
from tests.freezing.compact import FIT, KINDS, take_for

K = keras.optimizers
compact = functools.partial(freezable, compact=True)
MAKERS = {"mask": freezable, "compact": compact}
SHAPE = 5, 4
MASKS = arrays.arrays(bool, SHAPE)


def weights():
    draw = np.random.default_rng(0)
    return [keras.Variable(draw.normal(size=s), dtype="float32") for s in (SHAPE, (3,))]


def steps(optimizer, variables):
    """Three steps; the variables, and all that the optimizer keeps, as they are afterwards."""
    draw = np.random.default_rng(1)
    for _ in range(3):
        gradients = [tf.constant(draw.normal(size=v.shape), tf.float32) for v in variables]
        optimizer.apply(gradients, variables)
    return [each.numpy() for each in (*variables, *optimizer.variables)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("make", MAKERS)
@given(mask=MASKS, cls=st.sampled_from(FIT), data=st.data())
@settings(max_examples=20, deadline=None)
def test_it_is_as_if_they_were_given_later(make, kind, mask, cls, data):
    options, found = data.draw(st.sampled_from(OPTIONS.get(cls, [{}]))), []
    more = data.draw(st.sampled_from([{}, {"use_ema": True}, {"gradient_accumulation_steps": 2}]))
    with pytest.MonkeyPatch.context() as patch:
        take_for(patch, kind)
        for early in (True, False):
            optimizer, variables = MAKERS[make](cls)(0.1, **(options | more)), weights()
            if early:
                optimizer.build(variables, frozen=[(variables[0], mask)])
            else:
                optimizer.build(variables)
                optimizer.freeze_cells(variables[0], mask)
            assert (optimizer.frozen_cells(variables[0]).numpy() == mask).all()
            assert not optimizer.frozen_cells(variables[1]).numpy().any()
            found.append(steps(optimizer, variables))
    for early, late in zip(*found, strict=True):
        assert early.shape == late.shape and early.tobytes() == late.tobytes()


def test_compact_slots_are_then_never_there_for_all_cells(monkeypatch):
    longest, table = [], keras.Variable(np.ones((1_000, 600), "float32"))
    make = compact(K.Adam).add_variable_from_reference

    def add_slot(self, *arguments, **more):
        slot = make(self, *arguments, **more)
        longest.append(slot.numpy().size)
        return slot

    monkeypatch.setattr(compact(K.Adam), "add_variable_from_reference", add_slot)
    free = np.arange(600_000).reshape(1_000, 600) % 100 == 0
    compact(K.Adam)().build([table], frozen=[(table, ~free)])
    assert longest == 2 * [6_000]


@pytest.mark.parametrize("make", MAKERS)
def test_what_does_not_fit_is_refused_by_name_and_building_can_be_tried_again(make):
    optimizer, (table, bias) = MAKERS[make](K.Adam)(), weights()
    with pytest.raises(TypeError, match="int64"):
        optimizer.build([table, bias], frozen=[(table, np.zeros(SHAPE, int))])
    with pytest.raises(ValueError, match="shape"):
        optimizer.build([table, bias], frozen=[(table, [True])])
    assert not optimizer.built
    with pytest.raises(ValueError, match="was not built"):
        optimizer.build([bias], frozen=[(table, np.ones(SHAPE, bool))])
    if optimizer.built:  # nothing is frozen then, and nothing lost
        assert not optimizer.frozen_cells(bias).numpy().any()
    else:
        optimizer.build([table, bias], frozen=[(table, np.ones(SHAPE, bool))])
        assert optimizer.frozen_cells(table).numpy().all()


@pytest.mark.parametrize("make", MAKERS)
def test_one_that_is_built_takes_them_as_new_masks(make):
    optimizer, (table, bias) = MAKERS[make](K.Adam)(), weights()
    optimizer.build([table, bias])
    optimizer.build([table, bias], frozen=[(bias, [True, False, True])])
    assert optimizer.frozen_cells(bias).numpy().tolist() == [True, False, True]


@pytest.mark.parametrize("make", MAKERS)
def test_they_win_over_masks_that_were_loaded_before(make):
    old, (table, bias) = MAKERS[make](K.Adam)(), weights()
    old.build([table, bias], frozen=[(table, np.eye(*SHAPE) > 0)])
    old.apply([tf.ones(SHAPE), tf.ones(3)], [table, bias])
    new, mask = MAKERS[make](K.Adam)(), np.arange(20).reshape(SHAPE) % 3 > 0
    new.set_weights([each.numpy() for each in old.variables])
    new.build([table, bias], frozen=[(table, mask)])
    assert (new.frozen_cells(table).numpy() == mask).all()
    assert int(new.iterations) == 1


def test_an_optimizer_inside_another_gets_them():
    inside = compact(K.Adam)()
    optimizer, (table, bias) = freezable(K.LossScaleOptimizer)(inside), weights()
    optimizer.build([table, bias], frozen=[(table, np.eye(*SHAPE) > 0)])
    assert (inside.frozen_cells(table).numpy() == (np.eye(*SHAPE) > 0)).all()


@pytest.mark.parametrize("make", MAKERS)
def test_under_a_strategy(make):
    with tf.distribute.MirroredStrategy(["CPU:0"]).scope():
        optimizer, (table, bias) = MAKERS[make](K.Adam)(), weights()
        optimizer.build([table, bias], frozen=[(table, np.eye(*SHAPE) > 0)])
    assert (optimizer.frozen_cells(table).numpy() == (np.eye(*SHAPE) > 0)).all()
