"""Notebook 01: a mask before the clipping, so that frozen cells do not slow down the free ones."""

import numpy as np

from helpers.device import tf
from helpers.exercises.exercise import Exercise, expect


def clip_masked(gradient, frozen):
    """Clip to length 1, in which only free cells count."""
    free = tf.where(frozen, tf.zeros_like(gradient), gradient)
    return tf.clip_by_norm(free, 1.0)


def judge(attempt):
    """Gradients with a harmless, a huge and a broken frozen cell."""
    frozen = tf.constant([True, False, False])
    results = [attempt(tf.constant([first, 3.0, -4.0]), frozen) for first in (0, 1e6, np.nan)]
    harmless, huge, broken = (np.asarray(result) for result in results)
    expect(harmless.shape == (3,), "Return a gradient of the shape that arrived.")
    expect(harmless[1:].any(), "The free cells' gradient is gone: True means frozen.")
    expect(harmless[0] == 0 and huge[0] == 0, "The frozen cell's gradient is not 0.")
    hint = "A large frozen gradient shrinks the free cells' step: mask before clipping."
    expect(np.allclose(huge, harmless), hint)
    expect(np.allclose(broken, harmless), "NaN in the frozen cell spoils the others: choose.")
    expect(np.allclose(harmless[1:], [0.6, -0.8]), "The free cells are not clipped to length 1.")
    return "Free cells take the same step whatever stands in the frozen one."


exercise = Exercise(
    clip_masked,
    judge,
    [
        "The length is a sum over all cells. Which of them should count?",
        "So there are two lines, and their order matters.",
        "tf.where(frozen, ...) first, then tf.clip_by_norm(..., 1.0).",
    ],
)
