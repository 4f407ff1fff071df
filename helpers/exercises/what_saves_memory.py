"""What saves memory: the bytes that each way keeps for a given mask."""

import numpy as np

from helpers.exercises.exercise import Exercise, expect

SHAPE = 6, 4  # words, cells a word
ROWS = "rows split off"


def bytes_kept(frozen):
    """Count bytes by the free cells, or by all for a mask; words only where none is mixed."""
    free = int((~frozen).sum())
    found = {"mask": 9 * frozen.size, "compact": 16 * free, "free values": 28 * free}
    if np.all(frozen.all(axis=1) | ~frozen.any(axis=1)):
        found["rows split off"] = 8 * free + 5 * len(frozen)
    return found


def judge(attempt):
    """Free rows, free columns, scattered free cells, and a free row beside a free cell."""
    masks = {name: np.ones(SHAPE, bool) for name in ("rows", "columns", "cells", "both")}
    masks["rows"][4:] = masks["columns"][:, 3:] = masks["cells"][[0, 2, 5], [1, 3, 0]] = False
    masks["both"][2] = masks["both"][0, 1] = False
    for name, frozen in masks.items():
        _judge_one(attempt(frozen.copy()), frozen, whole=name == "rows")
    return "Bytes and ways are right, for rows and for scattered cells."


def _judge_one(found, frozen, whole):
    expect(isinstance(found, dict), "Return a dict, from the name of a way to its bytes.")
    expect(
        whole or ROWS not in found, "In this mask a row is frozen in a part, and cannot be split."
    )
    expect(not whole or ROWS in found, "In this mask each row is frozen or free as a whole.")
    wanted = bytes_kept(frozen)
    missing = sorted(set(wanted) - set(found))
    expect(not missing, f"Missing: {', '.join(missing)}.")
    free = int((~frozen).sum())
    expect(found["mask"] != 9 * free, "With a mask the slots of frozen cells are kept as well.")
    for way, count in bytes_kept(~frozen).items():
        of_frozen = found[way] == count != wanted[way]
        expect(not of_frozen, f"{way}: these are the bytes of the frozen cells. True means frozen.")
    for way, count in wanted.items():
        other = f"{way}: {found[way]} bytes, and its line in the table says something else."
        expect(found[way] == count, other)


exercise = Exercise(
    bytes_kept,
    judge,
    [
        "(~frozen).sum() is the number of free cells, and frozen.size that of all.",
        "The bytes of a cell are in the table above: a mask keeps them for all cells, the others "
        "for the free ones. len(frozen) is the number of words.",
        "frozen.all(axis=1) says for each row whether it is frozen as a whole, and "
        "~frozen.any(axis=1) whether it is free as a whole.",
    ],
)
