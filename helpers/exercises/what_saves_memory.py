"""What saves memory: the ways by which the training of a table fits into a machine."""

import numpy as np

from helpers.exercises.exercise import Exercise, expect

SHAPE = 40, 25  # words, cells a word
ROWS = "rows split off"
ROOMS = 1.2, 1.3, 1.4, 2.1, 2.3, 2.55, 2.7, 2.9, 3.2, 3.8, 4.4, 4.6, 5.2, 7  # in tables


def ways_that_fit(frozen, room):
    """Take the larger of both sums of a way, and rows only where none is mixed."""
    free = np.mean(~frozen)
    peaks = {
        "compact slots": max(1.25 + 5 * free, 1 + 8 * free),
        "free values": max(2.75 + 9 * free, 2 + 8 * free),
    }
    if np.all(frozen.all(axis=1) | ~frozen.any(axis=1)):
        peaks["rows split off"] = max(2 + 2 * free, 1 + 4 * free)
    return [way for way, peak in peaks.items() if peak <= room]


def judge(attempt):
    """Free rows, few and many, columns, scattered cells; in rooms around each way's peak."""
    masks = {name: np.ones(SHAPE, bool) for name in ("rows", "most", "columns", "few", "both")}
    masks["rows"][30:] = masks["most"][8:] = masks["columns"][:, 20:] = masks["few"][::5, 3] = False
    masks["both"][2] = masks["both"][0, 1] = False
    for name, frozen in masks.items():
        found = [attempt(frozen.copy(), room) for room in ROOMS]
        _judge_mask(found, frozen, whole=name in ("rows", "most"))
    return "The ways are right, for rows and for scattered cells, in small machines and large ones."


def _judge_mask(found, frozen, whole):
    names = all(isinstance(ways, list) and all(isinstance(w, str) for w in ways) for ways in found)
    expect(names, "Return a list of the names of ways, which may be empty.")
    mixed = not whole and any(ROWS in ways for ways in found)
    expect(not mixed, "In this mask a row is frozen in a part, and cannot be split.")
    of_frozen = all(set(w) == set(ways_that_fit(~frozen, r)) for w, r in zip(found, ROOMS))
    expect(not of_frozen, "These are the ways for the frozen cells. True means frozen.")
    for ways, room in zip(found, ROOMS):
        wanted = ways_that_fit(frozen, room)
        for way in set(wanted) ^ set(ways):
            fits = "fits" if way in wanted else "does not fit"
            share = f"With {np.mean(~frozen):.1%} of the cells free and room for {room} tables"
            expect(False, f"{share} {way!r} {fits}.")


exercise = Exercise(
    ways_that_fit,
    judge,
    [
        "np.mean(~frozen) is the share of the cells that is free.",
        "Write the three peaks into a dict, from the name of a way to the larger of its two "
        "formulas above: max() finds it. Keep the names whose peak is at most `room`.",
        "frozen.all(axis=1) says for each row whether it is frozen as a whole, and "
        "~frozen.any(axis=1) whether it is free as a whole.",
    ],
)
