"""Train almost nothing: pruning in rounds, each of what the rounds before have left."""

import numpy as np

from helpers.exercises.exercise import Exercise, expect


def prune(frozen, weights, share):
    """Freeze besides `frozen` the share of its free cells that have the smallest magnitude."""
    free = np.flatnonzero(~frozen)
    order = np.argsort(np.abs(weights.flat[free]), kind="stable")
    pruned = frozen.copy()
    pruned.flat[free[order[: round(share * free.size)]]] = True
    return pruned


def judge(attempt):
    """Two rounds over signed weights, of which the pruned ones are zero, as they are in fact."""
    drawn = np.random.default_rng(0).normal(size=(10, 10))
    nothing = np.zeros(drawn.shape, bool)
    first = _round(attempt, nothing, drawn, 20)
    second = _round(attempt, first, np.where(first, 0, drawn), 36)
    expect(second[first].all(), f"{(first & ~second).sum()} cells of the first round are free.")
    third = _round(attempt, second, np.where(second, 5, drawn), 49)
    hint = "A frozen cell is large here, and was thawed: what is frozen stays frozen."
    expect(third[second].all(), hint)
    zeros = np.where(np.arange(100).reshape(10, 10) < 90, 0.0, drawn)
    _round(attempt, nothing, zeros, 20)
    return "Each round takes its share of what was left, and thaws nothing."


def _round(attempt, frozen, weights, wanted):
    """One round, whose mask holds `wanted` of 100 cells; the smallest of those that were free."""
    given, values = frozen.copy(), weights.copy()
    pruned = np.asarray(attempt(given, values, 0.2))
    expect(pruned.shape == weights.shape, "Return a mask of the shape of the weights.")
    expect(pruned.dtype == bool, "Return a mask of truth values, True = frozen.")
    kept = np.array_equal(given, frozen) and np.array_equal(values, weights)
    expect(kept, "An array that was given to it has changed: work on a copy.")
    total, left = int(pruned.sum()), int((~frozen).sum())
    hint = f"{total} of 100 cells are frozen, and it should be {wanted}: "
    expect(total != 100 - wanted, hint + "True means frozen.")
    again = frozen.any() and not (pruned & ~frozen).any()
    expect(not again, "No free cell was frozen: the zeros of the round before came first.")
    hint += f"0.2 of the {left} that are free, and those that were frozen."
    expect(total == wanted, hint)
    newly = pruned & ~frozen
    low, high = np.abs(weights[newly]).max(), np.abs(weights[~pruned]).min()
    expect(low <= high, "A cell was pruned that is larger than one that is left: -3 is large.")
    return pruned


exercise = Exercise(
    prune,
    judge,
    [
        "Only free cells may be ranked. Pruned cells are zero, and would come first again.",
        "np.flatnonzero(~frozen) are the places of the free cells in the flat array.",
        "The share is one of the free cells: round(share * free.size) of them.",
        "pruned = frozen.copy(), and then pruned.flat[places] = True.",
    ],
)
