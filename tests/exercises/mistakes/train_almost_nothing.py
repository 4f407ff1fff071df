"""Plausible attempts at the exercise of Train almost nothing that fall short, and the hint that
each gets."""

import numpy as np

from helpers.bits import changed_bits


def _patch(before, after, differs):
    patch = []
    for old, new in zip(before, after):
        places = np.flatnonzero(differs(old, new))
        patch.append((places, new.flat[places]))
    return patch


def by_value(before, after):
    return _patch(before, after, lambda old, new: (old != new) & ~np.isnan(new))


def by_value_with_nan(before, after):
    return _patch(before, after, lambda old, new: (old != new) | np.signbit(old) ^ np.signbit(new))


def roughly(before, after):
    return _patch(before, after, lambda old, new: ~np.isclose(old, new, equal_nan=True))


def everything(before, after):
    return _patch(before, after, lambda old, new: np.ones(new.shape, bool))


def rows_and_columns(before, after):
    pairs = [(np.argwhere(changed_bits(old, new)), new) for old, new in zip(before, after)]
    return [(places, new[tuple(places.T)]) for places, new in pairs]


def masks_for_places(before, after):
    pairs = [(changed_bits(old, new), new) for old, new in zip(before, after)]
    return [(differs.ravel(), new[differs]) for differs, new in pairs]


def old_values(before, after):
    return [(places, old.flat[places]) for (places, _), old in zip(_right(before, after), before)]


def only_what_changed(before, after):
    return [(places, values) for places, values in _right(before, after) if len(places)]


def the_difference(before, after):
    pairs = zip(_right(before, after), before)
    return [(places, values - old.flat[places]) for (places, values), old in pairs]


def in_place(before, after):
    before[0][:] = 0
    return _right(before, after)


def in_double(before, after):
    return [(places, values.astype("float64")) for places, values in _right(before, after)]


def _right(before, after):
    return _patch(before, after, changed_bits)


MISTAKES = {
    by_value: "0.0 became -0.0",
    by_value_with_nan: "but its bits are",
    roughly: "though its bits differ",
    everything: "though no bit differs",
    rows_and_columns: "count row by row",
    masks_for_places: "are bool",
    old_values: "is not the new one",
    only_what_changed: "one for each",
    the_difference: "is not the new one",
    in_place: "work on a copy",
    in_double: "keep float32",
}
