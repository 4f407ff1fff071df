"""Keep a shadow copy: thaw some cells, so that what the model sees stays as it is."""

import numpy as np

from helpers.bits import changed_bits
from helpers.device import tf
from helpers.exercises.exercise import Exercise, expect


def thaw(variable, shadow, frozen, cells):
    """Write the copy of the cells that are thawed into the variable; return the new mask."""
    variable.assign(tf.where(frozen & cells, shadow, variable))
    return frozen & ~cells


def judge(attempt):
    """Thaw two frozen cells, one of which has drifted out of all bounds, and a free one."""
    held = np.array([[-0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], "float32")
    trained = np.array([[0.1, np.inf, 2.5], [7.0, np.nan, 9.0]], "float32")
    frozen = np.array([[True, True, False], [False, True, False]])
    cells = np.array([[True, True, True], [False, False, False]])
    seen = np.where(frozen, held, trained)
    variable, shadow = tf.Variable(trained), tf.Variable(held)
    returned = attempt(variable, shadow, tf.constant(frozen), tf.constant(cells))
    expect(returned is not None, "It returned nothing: return the new mask.")
    mask, kernel, copy = (np.asarray(each) for each in (returned, variable, shadow))
    right = mask.dtype == bool and np.array_equal(mask, frozen & ~cells)
    expect(right, "The mask is another one: a cell stays frozen if it was, and is not thawed.")
    free = changed_bits(trained, kernel)[~frozen].sum()
    expect(not free, f"{free} of 3 free cells changed in the variable: their copy is an old one.")
    snapped = changed_bits(seen, np.where(mask, copy, kernel)).sum()
    expect(not snapped, f"{snapped} of 6 cells are seen with another value than before.")
    return "Two cells are thawed, and the model sees the same as before."


exercise = Exercise(
    thaw,
    judge,
    [
        "Which cells does the model see from the copy before, and from the variable afterwards?",
        "Those that were frozen and are thawed; for them the copy must be in the variable.",
        "variable.assign(tf.where(frozen & cells, ...)), and return those that stay frozen.",
    ],
)
