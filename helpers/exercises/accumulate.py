"""Accumulate: a mean over batches in which a cell counts only where it was free."""

import numpy as np

from helpers.device import tf
from helpers.exercises.exercise import Exercise, expect


def accumulated_mean(gradients, frozen):
    """Average each cell over the batches in which it was free; 0 where the last mask freezes."""
    zero = tf.zeros_like(gradients[0])
    total = tf.add_n([tf.where(f, zero, g) for g, f in zip(gradients, frozen)])
    batches = tf.add_n([tf.cast(~f, zero.dtype) for f in frozen])
    return tf.where(frozen[-1], zero, total / batches)


def judge(attempt):
    """Four cells: free, frozen early, frozen late, frozen throughout with NaN for a gradient."""
    gradients = [[1.0, np.nan, 4.0, np.nan], [2.0, 5.0, 8.0, np.nan], [6.0, 7.0, np.nan, np.nan]]
    frozen = [[False, True, False, True], [False, False, False, True], [False, False, True, True]]
    found = np.asarray(
        attempt([tf.constant(g) for g in gradients], [tf.constant(f) for f in frozen])
    )
    expect(found.shape == (4,), "Return one gradient, of the shape of those that arrived.")
    expect(found[0] != 0, "The cell that was always free has no gradient: True means frozen.")
    hint = "The free cell gets the sum of three batches: a step three times too long."
    expect(not np.isclose(found[0], 9), hint)
    expect(np.isclose(found[0], 3), "The free cell does not get the mean of 1, 2 and 6.")
    hint = "A cell frozen at the last batch, when the step is due, must get 0: it moves otherwise."
    expect(found[2] == 0, hint)
    expect(found[3] == 0, "A cell frozen throughout does not get 0: it was free in no batch.")
    hint = "NaN from a batch in which the cell was frozen: that batch must not be accumulated."
    expect(np.isfinite(found[1]), hint)
    hint = "Free in two batches of three, with 5 and 7, a cell gets {:.0f}: divide by two."
    expect(np.isclose(found[1], 6), hint.format(found[1]))
    return "No cell moves while it is frozen, and none is slowed down by batches it did not see."


exercise = Exercise(
    accumulated_mean,
    judge,
    [
        "Two things are summed: gradients, and the number of batches in which a cell is free.",
        "A gradient is chosen before it is summed. The last mask is applied once more at the end.",
        "tf.cast(~f, zero.dtype) is 1 where free; tf.add_n sums a list of tensors.",
        "0 divided by 0 is NaN where a cell was never free, and tf.where leaves it out.",
    ],
)
