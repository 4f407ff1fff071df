"""Distribute: whether a frozen cell has changed on any of several devices."""

import numpy as np

from helpers.exercises.exercise import Exercise, expect

BEFORE = np.array([[1.0, 2.0, -0.0], [np.nan, 5.0, 6.0]], "float32")
FROZEN = np.array([[True, True, True], [True, False, False]])
# Where two devices have added something to what they held.
ADDED = {
    "nowhere": ([], []),
    "first": ([(0, 0)], []),
    "second": ([], [(0, 1)]),
    "opposite": ([(0, 0)], [(0, 0)]),
    "alike": ([(0, 1)], [(0, 1)]),
    "free": ([(1, 1)], [(1, 1), (1, 2)]),
    "sign": ([], [(0, 2)]),
}


def leaked_anywhere(copies, before, frozen):
    """Return where a frozen cell has other bits than before, on one device or more."""
    old = before.view("uint32")
    changed = [copy.view("uint32") != old for copy in copies]
    return frozen & np.any(changed, axis=0)


def judge(attempt):
    """Two devices: a leak on one or on both, the sign of a zero, a NaN that stays."""
    nowhere = np.asarray(_found(attempt, "nowhere"))
    hint = "Return an array of bools with an entry for each cell, and not one answer for all."
    expect(nowhere.shape == BEFORE.shape and nowhere.dtype == bool, hint)
    hint = "A NaN that has stayed is reported: it is unequal to itself, but its bits are equal."
    expect(not nowhere[1, 0], hint)
    hint = "A free cell that has changed is reported. It may: only frozen ones, True, leak."
    expect(not _found(attempt, "free")[1, 1:].any(), hint)
    hint = "A cell that changed on the first device alone is not reported."
    expect(_found(attempt, "first")[0, 0], hint)
    hint = "A cell that changed on the second device alone is not reported. Look at every copy."
    expect(_found(attempt, "second")[0, 1], hint)
    hint = "A cell that changed on all devices alike is not reported. Compare with `before`."
    expect(_found(attempt, "alike")[0, 1], hint)
    hint = "A cell went up on one device and down on the other: their mean hides it."
    expect(_found(attempt, "opposite")[0, 0], hint)
    hint = "−0.0 has become 0.0, and is not reported: they are equal, but a bit has changed."
    expect(_found(attempt, "sign")[0, 2], hint)
    leaks = {"first": 1, "second": 1, "alike": 1, "opposite": 1, "sign": 1}
    for case, number in leaks.items():
        expect(np.sum(_found(attempt, case)) == number, "More cells are reported than leaked.")
    return "It finds a leak on any device, to the bit."


def _found(attempt, case):
    """Return what an attempt says of two copies, after something was added to some cells."""
    copies = [BEFORE.copy(), BEFORE.copy()]
    for copy, cells, step in zip(copies, ADDED[case], (1, -1 if case == "opposite" else 1)):
        for cell in cells:
            copy[cell] = 0.0 if case == "sign" else copy[cell] + step
    return attempt(copies, BEFORE.copy(), FROZEN.copy())


exercise = Exercise(
    leaked_anywhere,
    judge,
    [
        "Compare each copy with `before`, and report a cell that differs in one of them.",
        'copy.view("uint32") reads the bits of a float32 array as whole numbers.',
        "np.any(changed, axis=0) is True where a list of arrays has a True.",
    ],
)
