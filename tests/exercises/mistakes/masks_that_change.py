"""Plausible attempts at the exercise that fall short, and the hint that each gets."""

import numpy as np


def _joined(values, frozen, count):
    free = np.flatnonzero(~frozen)
    more = frozen.copy()
    more.flat[free[np.argsort(values.flat[free], kind="stable")[:count]]] = True
    return more


def of_all_cells(weights, frozen, count):
    more = frozen.copy()
    more.flat[np.argsort(np.abs(weights), axis=None)[:count]] = True
    return more


def only_the_new_ones(weights, frozen, count):
    return _joined(np.abs(weights), frozen, count) & ~frozen


def the_wrong_way_round(weights, frozen, count):
    return ~_joined(np.abs(weights), frozen, count)


def signed(weights, frozen, count):
    return _joined(weights, frozen, count)


def the_largest(weights, frozen, count):
    return _joined(-np.abs(weights), frozen, count)


def in_place(weights, frozen, count):
    frozen |= _joined(np.abs(weights), frozen, count)
    return frozen


def by_threshold(weights, frozen, count):
    magnitude = np.abs(weights)
    return frozen | (magnitude <= np.sort(magnitude[~frozen])[count - 1])


def last_of_equal_ones(weights, frozen, count):
    backwards = np.abs(weights).ravel()[::-1], frozen.ravel()[::-1]
    return _joined(*backwards, count)[::-1].reshape(weights.shape)


def in_no_stable_order(weights, frozen, count):
    free = np.flatnonzero(~frozen)
    more = frozen.copy()
    more.flat[free[np.argsort(np.abs(weights.flat[free]))[:count]]] = True
    return more


def ones_and_zeros(weights, frozen, count):
    return _joined(np.abs(weights), frozen, count).astype("float32")


MISTAKES = {
    of_all_cells: "besides those that were frozen",
    only_the_new_ones: "is free now",
    the_wrong_way_round: "is free now",
    signed: "magnitude counts",
    the_largest: "is larger than one that is free",
    in_place: "copy it first",
    by_threshold: "count places",
    last_of_equal_ones: "in a stable way",
    in_no_stable_order: "in a stable way",
    ones_and_zeros: "truth values",
}
