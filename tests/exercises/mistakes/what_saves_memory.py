"""Plausible attempts at the exercise of What saves memory, and the hint each gets."""

import numpy as np


def _bytes(frozen, free, whole):
    found = {"mask": 9 * frozen.size, "compact": 16 * free, "free values": 28 * free}
    return found | ({"rows split off": 8 * free + 5 * len(frozen)} if whole else {})


def _free(frozen):
    return int((~frozen).sum())


def _whole(frozen, axis=1):
    return np.all(frozen.all(axis=axis) | ~frozen.any(axis=axis))


def the_frozen_cells(frozen):
    return _bytes(frozen, int(frozen.sum()), _whole(frozen))


def a_mask_of_the_free_cells(frozen):
    free = _free(frozen)
    return _bytes(frozen, free, _whole(frozen)) | {"mask": 9 * free}


def rows_always(frozen):
    return _bytes(frozen, _free(frozen), True)


def rows_never(frozen):
    return _bytes(frozen, _free(frozen), False)


def columns_for_rows(frozen):
    return _bytes(frozen, _free(frozen), _whole(frozen, axis=0))


def a_row_that_is_frozen_somewhere(frozen):
    return _bytes(frozen, _free(frozen), frozen.all(axis=1).any())


def slots_alone(frozen):
    free = 8 * _free(frozen)
    found = dict.fromkeys(("compact", "free values"), free) | {"mask": 8 * frozen.size}
    return found | ({"rows split off": free} if _whole(frozen) else {})


def no_free_values(frozen):
    found = _bytes(frozen, _free(frozen), _whole(frozen))
    del found["free values"]
    return found


def the_least(frozen):
    return min(_bytes(frozen, _free(frozen), _whole(frozen)).values())


MISTAKES = {
    the_frozen_cells: "True means frozen",
    a_mask_of_the_free_cells: "the slots of frozen cells are kept",
    rows_always: "frozen in a part",
    rows_never: "frozen or free as a whole",
    columns_for_rows: "frozen or free as a whole",
    a_row_that_is_frozen_somewhere: "frozen in a part",
    slots_alone: "mask: 192 bytes",
    no_free_values: "Missing: free values",
    the_least: "Return a dict",
}
