"""Notebook 06: a penalty behind the wall, with nothing steep between the wall and the loss."""

import numpy as np

from helpers.device import tf
from helpers.exercises.exercise import Exercise, expect


def root_penalty(value, frozen):
    """Take the roots of what comes through the wall."""
    seen = tf.where(frozen, tf.stop_gradient(value), value)
    return tf.reduce_sum(tf.abs(seen) ** 0.5)


def judge(attempt):
    """Frozen cells that are harmless, at 0, and infinite."""
    loss, harmless = _run(attempt, [9.0, 4.0, -4.0])
    expect(np.isclose(loss, 7), "The penalty is the sum over all cells, the frozen ones included.")
    hint = "The free cells get no gradient: the wall is for frozen ones, and True means frozen."
    expect(harmless is not None and harmless[1:].any(), hint)
    expect(harmless[0] == 0, "The frozen cell gets a gradient.")
    expect(np.allclose(harmless[1:], [0.25, -0.25]), "The free cells' gradient is another one.")
    loss, at_zero = _run(attempt, [0.0, 4.0, -4.0])
    hint = "A frozen 0 makes NaN of its gradient: the root stands between it and the wall."
    expect(np.array_equal(at_zero, harmless), hint)
    loss, infinite = _run(attempt, [np.inf, 4.0, -4.0])
    expect(loss == np.inf, "A frozen infinity comes out as NaN: choose, and do not compute.")
    expect(np.array_equal(infinite, harmless), "A frozen infinity spoils the gradient.")
    return "The frozen cells count, and get no gradient, not even at 0."


def _run(attempt, cells):
    """Return the penalty and its gradient, None where there is none; the first cell is frozen."""
    value = tf.constant(cells)
    with tf.GradientTape() as tape:
        tape.watch(value)
        loss = attempt(value, tf.constant([True, False, False]))
    gradient = tape.gradient(loss, value)
    return float(loss), gradient if gradient is None else tf.convert_to_tensor(gradient).numpy()


exercise = Exercise(
    root_penalty,
    judge,
    [
        "There are two ways: first the wall and then the roots, or first the roots.",
        "The gradient travels back from the loss. What does it meet before it reaches the wall?",
        "Put tf.where(frozen, tf.stop_gradient(value), value) in front, and take roots of that.",
    ],
)
