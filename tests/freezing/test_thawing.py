"""A thawed cell goes on with its slots as they were, or with empty ones."""

import numpy as np
import pytest

from helpers.device import keras, tf
from helpers.freezing import freezable, slots
from tests.freezing.cases import AVERAGES, CLASSES
from tests.freezing.networks import odd_rows
from tests.freezing.steps import snapshot

K = keras.optimizers


@pytest.mark.parametrize("base", CLASSES, ids=lambda base: base.__name__)
@pytest.mark.parametrize("options", [{}, AVERAGES[1]], ids=["plain", "average"])
def test_thaw_keeps_or_resets_slots(base, options):
    variables = [keras.Variable(np.ones((2, 3), "float32"), name="first")]
    optimizer, fresh = freezable(base)(**options), base(**options)
    optimizer.build(variables)
    fresh.build(variables)
    empty = [v.numpy() for v in fresh.variables]
    optimizer.freeze_cells(variables[0], np.zeros((2, 3), bool))
    for _ in range(2):
        optimizer.apply([tf.ones((2, 3))], variables)
    mask, nothing = odd_rows(variables[0]), np.zeros((2, 3), bool)
    optimizer.freeze_cells(variables[0], mask)
    before = [v.numpy() for v in optimizer.variables if v.dtype != "bool"]
    if isinstance(optimizer, tuple(slots.NO_RESET)):
        everything = snapshot(optimizer, variables)
        with pytest.raises(ValueError, match=f'{base.__name__} .* thaw with on_thaw="keep"'):
            optimizer.freeze_cells(variables[0], nothing, on_thaw="reset")
        for old, new in zip(everything, snapshot(optimizer, variables), strict=True):
            np.testing.assert_array_equal(old, new)
        return
    optimizer.freeze_cells(variables[0], nothing, on_thaw="reset")
    after = [v for v in optimizer.variables if v.dtype != "bool"]
    for old, start, now in zip(before, empty, after, strict=True):
        if old.shape == mask.shape:
            start = variables[0].numpy() if "average" in now.path else start
            np.testing.assert_array_equal(now.numpy(), np.where(mask, start, old))
        else:
            np.testing.assert_array_equal(now.numpy(), old)
    optimizer.freeze_cells(variables[0], mask)
    before = snapshot(optimizer, [])
    optimizer.freeze_cells(variables[0], nothing, on_thaw="keep")
    for old, now in zip(before, optimizer.variables, strict=True):
        if now.dtype != "bool":
            np.testing.assert_array_equal(old, now.numpy())


def test_reset_weight_of_ftrl_would_be_lost():
    """The reason for refusing it: with empty slots, Ftrl forgets what the weight was."""
    weight = keras.Variable([5.0])
    optimizer = K.Ftrl(0.001)
    optimizer.build([weight])
    optimizer.apply([tf.constant([1e-3])], [weight])
    assert abs(weight.numpy()[0]) < 0.1
