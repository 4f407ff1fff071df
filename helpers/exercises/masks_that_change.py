"""A step of a schedule that prunes: some more cells freeze, the smallest of the free ones."""

import numpy as np

from helpers.exercises.exercise import Exercise, expect


def freeze_more(weights, frozen, count):
    """Freeze `count` more cells, the free ones of smallest magnitude; of equal ones, the first."""
    free = np.flatnonzero(~frozen)
    order = np.argsort(np.abs(weights.flat[free]), kind="stable")
    more = frozen.copy()
    more.flat[free[order[:count]]] = True
    return more


def judge(attempt):
    """Signed weights of which the smallest and the largest are frozen, then a layer of ties."""
    weights = np.random.default_rng(1).normal(size=(10, 10))
    frozen = np.zeros(weights.shape, bool)
    order = np.argsort(np.abs(weights), axis=None)
    frozen.flat[order[:20]] = frozen.flat[order[-10:]] = True
    handed = frozen.copy()
    more = np.asarray(attempt(weights.copy(), handed, 15))
    expect(more.shape == weights.shape, "Return a mask of the shape of the weights.")
    expect(more.dtype == bool, "Return a mask of truth values, True = frozen.")
    expect((handed == frozen).all(), "The mask that was handed over has changed: copy it first.")
    expect(more[frozen].all(), "A cell that was frozen is free now: True means frozen.")
    added = more & ~frozen
    hint = f"{added.sum()} more cells are frozen; 15 were wanted, besides those that were frozen."
    expect(added.sum() == 15, hint)
    expect(not (weights[added] < 0).all(), "Only negative weights were added: magnitude counts.")
    low, high = np.abs(weights[added]).max(), np.abs(weights[~more]).min()
    expect(low < high, "A cell that was added is larger than one that is free.")
    _judge_ties(attempt)
    return "The smallest free cells have joined, ties included, and nothing has left."


def _judge_ties(attempt):
    tied = np.array([[0.0, 1.0, -1.0, 2.0], [1.0, -1.0, 0.0, 1.0]])
    frozen = tied == 0
    more = np.asarray(attempt(tied.copy(), frozen.copy(), 2))
    added = np.flatnonzero(more & ~frozen)
    hint = f"{added.size} cells of equal magnitude were added, not 2: count places."
    expect(added.size == 2, hint)
    hint = "Of equal magnitudes the first cells are to be frozen: sort in a stable way."
    expect(np.array_equal(added, [1, 2]), hint)
    # NumPy's usual sort keeps the order of a few equal numbers, and not that of many.
    many = np.random.default_rng(2).choice([-2.0, -1.0, 1.0, 2.0], (20, 20))
    none = np.zeros(many.shape, bool)
    added = np.flatnonzero(attempt(many.copy(), none.copy(), 50))
    expect(np.array_equal(added, np.flatnonzero(np.abs(many) == 1)[:50]), hint)


exercise = Exercise(
    freeze_more,
    judge,
    [
        "Which cells can be chosen at all? np.flatnonzero(~frozen) has their places.",
        "Put these places in the order of the magnitudes that stand there.",
        'np.argsort(…, kind="stable") leaves equal ones in their order.',
        "more = frozen.copy(), and then more.flat[places] = True.",
    ],
)
