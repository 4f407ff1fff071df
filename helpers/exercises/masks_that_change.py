"""Notebook 11: a mask of the smallest weights that counts exactly, ties and all."""

import numpy as np

from helpers.exercises.exercise import Exercise, expect


def smallest(weights, share):
    """Freeze the share of cells of smallest magnitude; of equal ones, the first."""
    order = np.argsort(np.abs(weights), axis=None, kind="stable")
    frozen = np.zeros(weights.shape, bool)
    frozen.flat[order[: round(share * weights.size)]] = True
    return frozen


def judge(attempt):
    """Signed weights, a share that int() cuts short, and a layer full of ties."""
    weights = np.random.default_rng(1).normal(size=(10, 10))
    frozen = np.asarray(attempt(weights.copy(), 0.2))
    expect(frozen.shape == weights.shape, "Return a mask of the shape of the weights.")
    expect(frozen.dtype == bool, "Return a mask of truth values, True = frozen.")
    expect(frozen.sum() != 80, "80 of 100 cells are frozen, not 20: True means frozen.")
    expect(frozen.sum() == 20, f"{frozen.sum()} of 100 cells are frozen; 20 were wanted.")
    signed = (weights[frozen] < 0).all()
    expect(not signed, "Only negative weights are frozen: -3 is larger than 2 in magnitude.")
    low, high = np.abs(weights[frozen]).max(), np.abs(weights[~frozen]).min()
    expect(low < high, "A frozen cell is larger than a free one.")
    _judge_counts(attempt, weights)
    return "The smallest are frozen, as many as asked for, ties included."


def _judge_counts(attempt, weights):
    cut = np.asarray(attempt(weights.copy(), 0.29)).sum()
    expect(cut == 29, f"A share of 0.29 of 100 cells froze {cut}: int() cuts off.")
    for tied in (np.zeros((2, 4)), np.array([[1.0, -1.0, 2.0, 1.0], [-1.0, 1.0, 3.0, -1.0]])):
        frozen = np.asarray(attempt(tied.copy(), 0.5))
        hint = f"{frozen.sum()} of 8 cells are frozen, not 4: cells of one magnitude are ties."
        expect(frozen.sum() == 4, hint)
        first = np.flatnonzero(np.abs(tied) == np.abs(tied).min())[:4]
        hint = "Of equal magnitudes the first cells are to be frozen: sort in a stable way."
        expect(np.array_equal(np.flatnonzero(frozen), first), hint)


exercise = Exercise(
    smallest,
    judge,
    [
        "How many cells are to be frozen? It is a whole number, the nearest one.",
        "Which ones? Put all cells in order of magnitude, and take the first of that order.",
        'np.argsort(np.abs(weights), axis=None, kind="stable") is that order.',
        "frozen.flat[indexes] = True writes to a mask of any shape by position.",
    ],
)
