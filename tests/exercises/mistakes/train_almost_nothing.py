"""Plausible attempts at the exercise of Train almost nothing that fall short, and the hint that
each gets."""

import numpy as np


def _smallest(values, count):
    pruned = np.zeros(values.shape, bool)
    pruned.flat[np.argsort(values, axis=None, kind="stable")[:count]] = True
    return pruned


def all_cells_ranked(frozen, weights, share):
    return frozen | _smallest(np.abs(weights), round(share * weights.size))


def a_share_of_all_cells(frozen, weights, share):
    magnitude = np.where(frozen, np.inf, np.abs(weights))
    return frozen | _smallest(magnitude, round(share * weights.size))


def without_the_rounds_before(frozen, weights, share):
    count = frozen.sum() + round(share * (~frozen).sum())
    return _smallest(np.abs(weights), count)


def in_place(frozen, weights, share):
    frozen |= _smallest(np.where(frozen, np.inf, np.abs(weights)), round(share * (~frozen).sum()))
    return frozen


def signed(frozen, weights, share):
    return frozen | _smallest(np.where(frozen, np.inf, weights), round(share * (~frozen).sum()))


def by_threshold(frozen, weights, share):
    limit = np.quantile(np.abs(weights[~frozen]), share)
    return frozen | (np.abs(weights) <= limit)


def the_wrong_way_round(frozen, weights, share):
    magnitude = np.where(frozen, np.inf, np.abs(weights))
    return ~(frozen | _smallest(magnitude, round(share * (~frozen).sum())))


def ones_and_zeros(frozen, weights, share):
    magnitude = np.where(frozen, np.inf, np.abs(weights))
    pruned = frozen | _smallest(magnitude, round(share * (~frozen).sum()))
    return pruned.astype("float32")


MISTAKES = {
    all_cells_ranked: "the zeros of the round before came first",
    a_share_of_all_cells: "0.2 of the 80 that are free",
    without_the_rounds_before: "stays frozen",
    in_place: "work on a copy",
    signed: "-3 is large",
    by_threshold: "0.2 of the 100 that are free",
    the_wrong_way_round: "True means frozen",
    ones_and_zeros: "truth values",
}
