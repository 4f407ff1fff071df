"""Plausible attempts at the exercise of What "frozen" means that fall short, and the hint that each
gets."""

import numpy as np


def equal(before, after):
    return before == after


def equal_as_a_whole(before, after):
    return np.array_equal(before, after, equal_nan=True)


def within_a_tolerance(before, after):
    return np.isclose(before, after, equal_nan=True)


def equal_or_both_nan(before, after):
    return (before == after) | (np.isnan(before) & np.isnan(after))


def equal_in_sign_too(before, after):
    same = equal_or_both_nan(before, after)
    return same & (np.signbit(before) == np.signbit(after))


def which_changed(before, after):
    return before.view(np.uint32) != after.view(np.uint32)


MISTAKES = {
    equal: "NaN is not equal to itself",
    equal_as_a_whole: "one answer for each cell",
    within_a_tolerance: "no tolerance",
    equal_or_both_nan: "the bit of the sign",
    equal_in_sign_too: "There are many NaN",
    which_changed: "True = the same",
}
