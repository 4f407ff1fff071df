"""Restore after the step: a constraint that holds frozen cells beside one that was there."""

import numpy as np

from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.exercises.exercise import Exercise, expect


def keep_beside(constraint, held, frozen):
    """Let the old constraint act, then put the frozen cells back."""

    def both(now):
        return tf.where(frozen, held, constraint(now))

    return both


def judge(attempt):
    """One call under `NonNeg`, then `fit` with it on a kernel."""
    held = tf.constant([-1.0, 2.0, 3.0, 4.0])
    frozen = tf.constant([True, True, False, False])
    both = attempt(keras.constraints.NonNeg(), held, frozen)
    expect(callable(both), f"A function was wanted, and {type(both).__name__} came back.")
    now = both(tf.constant([7.0, np.nan, -5.0, 6.0])).numpy()
    expect(now[3] == 6, "A free cell above zero did not keep its new value: True means frozen.")
    expect(now[2] != -5, "A free cell stayed below zero: the old constraint is gone.")
    expect(now[0] != 0, "A frozen cell below zero became 0: the old constraint acted last.")
    expect(not changed_bits(now, held.numpy())[0], "A frozen cell changed.")
    expect(now[1] == 2, "A frozen cell met a NaN, and changed: choose, and do not compute.")
    _fit(attempt)
    return "In fit, too: frozen cells below zero stay there, and no free one does."


def _fit(attempt):
    layer = keras.layers.Dense(3, kernel_constraint="non_neg", kernel_initializer="zeros")
    model = keras.Sequential([keras.layers.Input((4,)), layer])
    held = tf.reshape(tf.linspace(-1.0, 1.0, 12), (4, 3))
    frozen = np.arange(12).reshape(4, 3) < 3
    layer.kernel.assign(held)
    layer.kernel.constraint = attempt(layer.kernel.constraint, held, tf.constant(frozen))
    model.compile(keras.optimizers.Adam(0.1), "mse")
    model.fit(np.eye(4), -np.ones((4, 3)), epochs=3, verbose=0)
    changed = changed_bits(held.numpy(), layer.kernel.numpy())
    expect(not changed[frozen].any(), "In fit a frozen cell changed.")
    free = layer.kernel.numpy()[~frozen]
    expect((free >= 0).all(), "In fit a free cell went below zero: the old constraint is gone.")


exercise = Exercise(
    keep_beside,
    judge,
    [
        "Inside, define a function of `now`, the weights after the step, and return that function.",
        "constraint(now) gives the weights that the old constraint allows.",
        "tf.where(frozen, held, …) chooses. What stands in place of the dots?",
    ],
)
