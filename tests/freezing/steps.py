"""An optimizer after one step, with a frozen row; and whether a step left all as it was."""

import numpy as np
import pytest

from helpers.device import keras, tf
from helpers.freezing import freezable
from tests.freezing.networks import odd_rows

K = keras.optimizers


def interrupt(monkeypatch, cls, raised):
    """Have a class of Adam raise in its second update of a variable, and in no other."""
    update, calls = K.Adam.update_step, []

    def interrupted(self, *args):
        update(self, *args)
        calls.append(args)
        if len(calls) == 2:
            raise raised("midway")

    monkeypatch.setattr(cls, "update_step", interrupted, raising=False)


def snapshot(optimizer, variables):
    return [v.numpy() for v in [*variables, *optimizer.variables]]


def prepared(options=None, cls=K.Adam):
    variables = [keras.Variable(np.ones((2, 3), "float32"), name=name) for name in ("a", "b")]
    optimizer = freezable(cls)(**options or {})
    optimizer.build(variables)
    optimizer.apply([tf.ones((2, 3))] * 2, variables)
    optimizer.freeze_cells(variables[0], odd_rows(variables[0]))
    return optimizer, variables


def assert_unchanged_by(step, raised, optimizer, variables):
    before = snapshot(optimizer, variables)
    with pytest.raises(raised):
        step()
    for old, new in zip(before, snapshot(optimizer, variables), strict=True):
        np.testing.assert_array_equal(old, new)
