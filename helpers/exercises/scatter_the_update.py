"""Notebook 08: a step on some rows of a table, in place; a row may occur twice."""

import numpy as np

from helpers.bits import changed_bits
from helpers.device import tf
from helpers.exercises.exercise import Exercise, expect


def step_rows(table, rows, gradients, rate):
    """Subtract rate × gradient from the given rows, in place, as often as a row occurs."""
    table.scatter_sub(tf.IndexedSlices(rate * gradients, rows))


def judge(attempt):
    """Row 1 occurs twice; rows 0 and 2 hold what arithmetic spoils. All steps are exact."""
    before = np.array([[-0.0, np.nan], [8, 8], [np.inf, -0.0], [16, 32], [1, 2]], np.float32)
    rows, gradients = [1, 3, 1], np.array([[1, 2], [4, -8], [2, -1]], np.float32)
    table, steps = tf.Variable(before), 0.5 * gradients
    attempt(table, tf.constant(rows), tf.constant(gradients), 0.5)
    after = table.numpy()
    changed = changed_bits(before, after)
    hint = "The table has not changed: tf.tensor_scatter_nd_sub, for one, returns a new tensor."
    expect(changed.any(), hint)
    once, landed = before[3], after[3]
    expect((landed != -steps[1]).any(), "Row 3 now holds the step alone: update is to assign.")
    expect((landed != once + steps[1]).any(), "Row 3 went uphill: descent subtracts.")
    expect((landed == once - steps[1]).all(), "Row 3 did not move by rate × gradient.")
    lost = "Row 1 occurs twice and its gradients count once: subtract in place, by the list."
    expect((after[1] == before[1] - steps[0] - steps[2]).all(), lost)
    others = int(changed[[0, 2, 4]].sum())
    hint = f"{others} cells of other rows changed a bit: name only the rows, -0.0 + 0.0 is 0.0."
    expect(others == 0, hint)
    return "The named rows moved, one of them twice, and no other bit."


exercise = Exercise(
    step_rows,
    judge,
    [
        "What is to be written is a difference, and it is to be written to the table itself.",
        "A tf.Variable has methods that scatter: one assigns, one adds, one subtracts.",
        "table.scatter_sub takes a tf.IndexedSlices(values, rows).",
    ],
)
