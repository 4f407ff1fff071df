"""Plausible attempts at the exercise of What saves memory, and the hint each gets."""

import numpy as np


def _fitting(free, room, whole, compact=None, rows=None):
    peaks = {"compact slots": compact or max(1.25 + 5 * free, 1 + 8 * free)}
    peaks["free values"] = 2.75 + 9 * free
    if whole:
        peaks["rows split off"] = rows or max(2 + 2 * free, 1 + 4 * free)
    return [way for way, peak in peaks.items() if peak <= room]


def _free(frozen):
    return np.mean(~frozen)


def _whole(frozen, axis=1):
    return np.all(frozen.all(axis=axis) | ~frozen.any(axis=axis))


def the_frozen_cells(frozen, room):
    return _fitting(np.mean(frozen), room, _whole(frozen))


def rows_always(frozen, room):
    return _fitting(_free(frozen), room, True)


def rows_never(frozen, room):
    return _fitting(_free(frozen), room, False)


def columns_for_rows(frozen, room):
    return _fitting(_free(frozen), room, _whole(frozen, axis=0))


def a_row_that_is_frozen_somewhere(frozen, room):
    return _fitting(_free(frozen), room, frozen.all(axis=1).any())


def compact_slots_in_a_step(frozen, room):
    return _fitting(_free(frozen), room, _whole(frozen), compact=1 + 8 * _free(frozen))


def compact_slots_set_up(frozen, room):
    return _fitting(_free(frozen), room, _whole(frozen), compact=1.25 + 5 * _free(frozen))


def one_formula_for_rows(frozen, room):
    return _fitting(_free(frozen), room, _whole(frozen), rows=2 + 2 * _free(frozen))


def the_number_of_free_cells(frozen, room):
    return _fitting((~frozen).sum(), room, _whole(frozen))


def the_peaks(frozen, room):
    return {"compact slots": 1 + 8 * _free(frozen)}


MISTAKES = {
    the_frozen_cells: "True means frozen",
    rows_always: "frozen in a part",
    rows_never: "'rows split off' fits",
    columns_for_rows: "'rows split off' fits",
    a_row_that_is_frozen_somewhere: "frozen in a part",
    compact_slots_in_a_step: "'compact slots' does not fit",
    compact_slots_set_up: "'compact slots' does not fit",
    one_formula_for_rows: "'rows split off' does not fit",
    the_number_of_free_cells: "25.0% of the cells free",
    the_peaks: "Return a list",
}
