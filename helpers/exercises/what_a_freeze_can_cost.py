"""What a freeze can cost: one digit held at any numbers, and the same predictions."""

import numpy as np

from helpers.bits import changed_bits
from helpers.exercises.exercise import Exercise, expect


def same_predictions(kernel, held, digit):
    """Hold one digit's column, and move the others so that softmax finds no difference."""
    moved = kernel + (held - kernel[:, digit])[:, None]
    moved[:, digit] = held
    return moved


def judge(attempt):
    """Two digits of one random classifier, and some pictures to predict."""
    random = np.random.default_rng(0)
    kernel, pictures = random.normal(size=(64, 10)), random.random((20, 64))
    held, given = random.normal(0, 0.02, 64), kernel.copy()
    for digit in (3, 8):
        found = np.asarray(attempt(given, held.copy(), digit))
        own = "The kernel that you were given has changed: return a new one."
        expect(not changed_bits(kernel, given).any(), own)
        expect(found.shape == (64, 10), "Return a kernel of the shape that arrived.")
        _judge_column(found[:, digit], held)
        before, after = _chances(pictures @ kernel), _chances(pictures @ found)
        hint = "The digit is held, but the predictions have changed: move the other nine as well."
        expect(np.allclose(before, after, atol=1e-6), hint)
    return "The digit's weights are held to the last bit, and every prediction is the same."


def _judge_column(column, held):
    expect(np.allclose(column, held, atol=1e-6), "The digit's column is not what was to be held.")
    changed = changed_bits(column, held).sum()
    hint = f"{changed} of 64 held cells differ in a bit: x + (y - x) is rounded, and is not y."
    expect(not changed, hint)


def _chances(scores):
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


exercise = Exercise(
    same_predictions,
    judge,
    [
        "Softmax sees differences of scores. What may be added to all ten scores?",
        "So one column of 64 numbers may be added to every column of the kernel. Which one?",
        "held - kernel[:, digit]; a [:, None] behind it makes it a column.",
        "Write `held` itself into its place at the end, so that no rounding is left.",
    ],
)
