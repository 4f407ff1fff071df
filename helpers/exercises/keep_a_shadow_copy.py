"""Notebook 07: bring a variable up to its shadow before it is thawed or saved."""

import numpy as np

from helpers.bits import changed_bits
from helpers.device import tf
from helpers.exercises.exercise import Exercise, expect


def settle(variable, shadow, frozen):
    """Write the shadow into the variable's frozen cells, and leave its free ones."""
    variable.assign(tf.where(frozen, shadow, variable))


def judge(attempt):
    """Return a variable whose frozen cells have drifted, one of them out of all bounds."""
    held = np.array([[-0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], "float32")
    trained = np.array([[0.1, np.inf, 2.5], [7.0, np.nan, 9.0]], "float32")
    frozen = np.array([[True, True, False], [False, True, False]])
    variable, shadow = tf.Variable(trained), tf.Variable(held)
    attempt(variable, shadow, tf.constant(frozen))
    found = variable.numpy()
    copied = np.array_equal(shadow.numpy(), held)
    expect(copied, "The shadow has changed: it is the one that holds what was frozen.")
    lost = np.array_equal(found, held)
    expect(not lost, "The free cells have lost what they learned.")
    stays = np.array_equal(found[~frozen], trained[~frozen])
    expect(stays, "The free cells changed: True means frozen, and inf times 0 is NaN.")
    escaped = changed_bits(held, found)[frozen].sum()
    expect(escaped == 0, f"{escaped} of {frozen.sum()} frozen cells changed.")
    return "The variable now holds what the model sees, so nothing jumps."


exercise = Exercise(
    settle,
    judge,
    [
        "Which of the two holds the right value of a frozen cell, and which of a free one?",
        "It is the choice that the model makes, but written into the variable.",
        "variable.assign(tf.where(frozen, ...))",
    ],
)
