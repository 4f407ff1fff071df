"""Plausible attempts at notebook 09's exercise that fall short, and the hint that each gets."""

import numpy as np


def _in_order(values, count):
    frozen = np.zeros(values.shape, bool)
    frozen.flat[np.argsort(values, axis=None, kind="stable")[:count]] = True
    return frozen


def by_threshold(weights, share):
    magnitude = np.abs(weights)
    return magnitude <= np.sort(magnitude, axis=None)[round(share * weights.size) - 1]


def cut_off(weights, share):
    return _in_order(np.abs(weights), int(share * weights.size))


def signed(weights, share):
    return _in_order(weights, round(share * weights.size))


def the_wrong_way_round(weights, share):
    return ~_in_order(np.abs(weights), round(share * weights.size))


def last_of_equal_ones(weights, share):
    backwards = _in_order(np.abs(weights).ravel()[::-1], round(share * weights.size))
    return backwards[::-1].reshape(weights.shape)


def ones_and_zeros(weights, share):
    return _in_order(np.abs(weights), round(share * weights.size)).astype("float32")


def below_a_percentile(weights, share):
    return np.abs(weights) < np.quantile(np.abs(weights), share)


MISTAKES = {
    by_threshold: "ties",
    cut_off: "int() cuts off",
    signed: "larger than 2 in magnitude",
    the_wrong_way_round: "True means frozen",
    last_of_equal_ones: "in a stable way",
    ones_and_zeros: "truth values",
    below_a_percentile: "ties",
}
