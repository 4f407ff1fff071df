"""Stop the gradient: a penalty on what the model sees, whose slope at 0 is infinite."""

import numpy as np

from helpers.device import tf
from helpers.exercises.exercise import Exercise, expect


def root_penalty(value, frozen):
    """Take the roots of what the model sees; a cell at 0 sends no gradient either."""
    stopped = frozen | (value == 0)
    seen = tf.where(stopped, tf.stop_gradient(value), value)
    return tf.reduce_sum(tf.abs(seen) ** 0.5)


def judge(attempt):
    """Try frozen cells that are harmless, at 0 and infinite, and a free cell at 0."""
    loss, harmless = _run(attempt, [9.0, 4.0, -4.0])
    expect(np.isclose(loss, 7), "The penalty is the sum over all cells, the frozen ones included.")
    hint = "The free cells get no gradient: it is stopped for frozen ones, and True means frozen."
    expect(harmless is not None and harmless[1:].any(), hint)
    expect(harmless[0] == 0, "The frozen cell gets a gradient.")
    expect(np.allclose(harmless[1:], [0.25, -0.25]), "The free cells' gradient is another one.")
    loss, infinite = _run(attempt, [np.inf, 4.0, -4.0])
    expect(loss == np.inf, "A frozen infinity comes out as NaN: choose, and do not compute.")
    expect(np.array_equal(infinite, harmless), "A frozen infinity spoils the gradient.")
    loss, at_zero = _run(attempt, [0.0, 4.0, -4.0])
    hint = "A frozen 0 makes NaN of its gradient: take the root of what is stopped already."
    expect(np.array_equal(at_zero, harmless), hint)
    loss, free_zero = _run(attempt, [9.0, 0.0, -4.0])
    hint = "A free cell at 0 makes NaN of its gradient. Which cells must be stopped, too?"
    expect(np.array_equal(free_zero, [0, 0, -0.25]), hint)
    expect(np.isclose(loss, 5), "A free cell at 0 adds 0 to the penalty, and nothing else.")
    return "The frozen cells count and get no gradient, and no cell at 0 makes NaN."


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
        "There are two ways: first stop the gradient and then take roots, or first the roots.",
        "The gradient travels back from the loss. What does it meet before it is stopped?",
        "Stop the cells that are frozen, and those with value == 0, in front; take roots of that.",
    ],
)
