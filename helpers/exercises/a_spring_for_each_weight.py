"""A spring for each weight: two springs at one weight are replaced by one that pulls as they do."""

import numpy as np

from helpers.exercises.exercise import Exercise, expect


def join(strength, anchor, strength_2, anchor_2):
    """Return strength and anchor of one spring at each weight that pulls as two do."""
    total = strength + strength_2
    pulls = strength * anchor + strength_2 * anchor_2
    return total, np.divide(pulls, total, out=anchor.copy(), where=total > 0)


def judge(attempt):
    """Try springs that are equal, unequal, loose on one side, and loose on both."""
    given = [np.array(values) for values in ([2.0, 1, 3, 0], [1.0, 0, 5, 7], [2.0, 3, 0, 0])]
    given.append(np.array([3.0, 4, 9, 8]))
    kept = [values.copy() for values in given]
    with np.errstate(all="ignore"):
        joined = attempt(*given)
    same = all(map(np.array_equal, kept, given))
    expect(same, "The arrays that arrived were changed: return new ones.")
    expect(isinstance(joined, tuple | list) and len(joined) == 2, "Return two arrays.")
    total, anchor = (np.asarray(values, float) for values in joined)
    shape = given[0].shape
    expect(total.shape == anchor.shape == shape, "Return a strength and an anchor a weight.")
    expect(np.isfinite(anchor[:3]).all(), "An anchor is not finite where a spring pulls.")
    _judge_springs(total, anchor)
    expect(np.isfinite(anchor[3]), "Where both strengths are 0, the anchor must be a number, too.")
    return "One spring at each weight pulls as the two did."


def _judge_springs(total, anchor):
    averaged = np.allclose(total, [2, 2, 1.5, 0])
    expect(not averaged, "The strengths add up; they are not averaged.")
    expect(np.allclose(total, [4, 4, 3, 0]), "The strength of both together is their sum.")
    latest = np.allclose(anchor[:2], [3, 4])
    expect(not latest, "The first spring still pulls to its own anchor: do not drop that.")
    middle = np.allclose(anchor[1], 2)
    expect(not middle, "The stronger spring of the two pulls the anchor nearer to its own.")
    swapped = np.isclose(anchor[1], 1)
    expect(not swapped, "The anchor lies nearer to the weaker spring: swap the weights.")
    expect(np.allclose(anchor[:3], [2, 3, 5]), "The anchor is not where the two pulls cancel.")


exercise = Exercise(
    join,
    judge,
    [
        "The slope of ½·s·(w − a)² is s·(w − a). Add the slopes of both springs.",
        "s·(w − a) + s₂·(w − a₂) = (s + s₂)·w − (s·a + s₂·a₂).",
        "It is 0 at w = (s·a + s₂·a₂) / (s + s₂): that is the anchor of both together.",
        "Where s + s₂ is 0, nothing pulls, and any anchor will do; np.divide has `where`.",
    ],
)
