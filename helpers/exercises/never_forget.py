"""Never forget: which old examples are kept, a few of each class."""

import numpy as np

from helpers.exercises.exercise import Exercise, expect

STORED = np.repeat([3, 5, 0, 9], [6, 4, 5, 1])  # class by class, and of 9 there is one
MIXED = np.array([4, 1, 4, 1, 8, 1, 4, 8, 1, 4, 1, 1])
COUNTS = 3, 1, 2


def keep_few(labels, count):
    """Return the places of the first `count` examples of each class."""
    kept = []
    for each in np.unique(labels):
        places = np.flatnonzero(labels == each)
        kept.extend(places[:count])
    return np.array(kept)


def judge(attempt):
    """Ask for labels that are stored class by class, with a rare class, and mixed ones."""
    for count in COUNTS:
        for labels in (STORED, MIXED):
            _judge_one(attempt, labels, count)
    return "A few of each class are kept, and none of a rare class is missed."


def _judge_one(attempt, labels, count):
    found = np.asarray(attempt(labels.copy(), count))
    expect(found.ndim == 1, "Return one row of places.")
    mask = found.dtype == bool or len(found) == len(labels)
    expect(not mask, "Return the places, and not a True or False for each example.")
    inside = np.issubdtype(found.dtype, np.integer) and np.all((found >= 0) & (found < len(labels)))
    expect(inside, f"Places are whole numbers from 0 to {len(labels) - 1} here.")
    places = np.unique(found)
    expect(len(places) == len(found), "An example is kept twice: take each place once.")
    for each in np.unique(labels):
        _judge_class(each, np.flatnonzero(labels == each), places, count)


def _judge_class(label, there, places, count):
    wanted, kept = there[:count], np.intersect1d(there, places)
    of = f"Of class {label}, {len(kept)} of {len(there)} examples are kept"
    expect(len(kept) > 0, f"{of}: each class must have some.")
    expect(len(kept) == len(wanted), f"{of}, and {len(wanted)} were asked for.")
    expect(np.array_equal(kept, wanted), "Take the first examples of each class, not others.")


exercise = Exercise(
    keep_few,
    judge,
    [
        "np.unique(labels) says which classes there are.",
        "np.flatnonzero(labels == c) has the places of all examples of class c.",
        "places[:count] are the first of them, and all where there are fewer.",
    ],
)
