"""A step of momentum on some rows of a table, in place; a row may occur twice."""

import numpy as np

from helpers.bits import changed_bits
from helpers.device import tf
from helpers.exercises.exercise import Exercise, expect


def momentum_rows(table, momentum, rows, gradients, rate):
    """Take a step of momentum, 0.9, on the given rows; no other row is written to."""
    listed, place = tf.unique(rows)
    total = tf.math.unsorted_segment_sum(gradients, place, tf.size(listed))
    step = 0.9 * tf.gather(momentum, listed) - rate * total
    momentum.scatter_nd_update(listed[:, None], step)
    table.scatter_nd_add(listed[:, None], step)


def judge(attempt):
    """Row 1 occurs twice; rows 0, 2 and 4 hold what arithmetic spoils."""
    weights = np.array([[-0.0, np.nan], [8, 8], [np.inf, -0.0], [16, 32], [1, 2]], np.float32)
    memory = np.array([[-0.0, 1], [10, -20], [np.nan, -0.0], [30, 40], [1, 2]], np.float32)
    gradients = np.array([[1, 2], [4, -8], [2, -1]], np.float32)
    table, momentum = tf.Variable(weights), tf.Variable(memory)
    rows = tf.constant([1, 3, 1])
    attempt(table, momentum, rows, tf.constant(gradients), tf.constant(0.5))

    step = 0.9 * memory - 0.5 * np.array([[0, 0], [3, 1], [0, 0], [4, -8], [0, 0]], np.float32)
    moved, kept = changed_bits(weights, table.numpy()), changed_bits(memory, momentum.numpy())
    hint = "The table has not changed: tf.tensor_scatter_nd_add, for one, returns a new tensor."
    expect(moved.any(), hint)
    expect(kept.any(), "The momentum has not changed: it has to be written, too.")
    _judge_row_3(table.numpy()[3] - weights[3], table.numpy()[3], momentum.numpy()[3], step[3])
    once = "Row 1 is listed twice: sum its gradients first, then let its memory fade once."
    expect(np.allclose(momentum.numpy()[1], step[1]), once)
    once = "Row 1 is listed twice, and its step has to be taken once."
    expect(np.allclose(table.numpy()[1], weights[1] + step[1]), once)
    others = [0, 2, 4]
    hint = "{} numbers of other rows changed a bit in the {}: write to the listed rows alone."
    for name, changed in [("table", moved), ("momentum", kept)]:
        count = int(changed[others].sum())
        expect(count == 0, hint.format(count, name))
    return "The listed rows moved and remember it, and no other bit changed."


def _judge_row_3(walked, landed, remembered, step):
    """Row 3 is listed once, and gets the plain formula."""
    expect(not np.allclose(landed, step), "Row 3 of the table now holds the step: update assigns.")
    expect(not np.allclose(walked, -step), "Row 3 went the other way: u is added to the weight.")
    hint = (
        "The momentum of row 3 is not 0.9 u - rate · g. Adding to u, for one, would keep all of u."
    )
    expect(np.allclose(remembered, step), hint)
    expect(np.allclose(walked, step), "Row 3 of the table did not move by its new momentum.")


exercise = Exercise(
    momentum_rows,
    judge,
    [
        "First make the list have each row once, and sum the gradients of each: see FreeRows.",
        "Compute the new momentum of these rows from what tf.gather(momentum, …) gives.",
        "The new momentum is a value to be assigned; to the table it is added.",
        "momentum.scatter_nd_update(…) assigns, table.scatter_nd_add(…) adds.",
    ],
)
