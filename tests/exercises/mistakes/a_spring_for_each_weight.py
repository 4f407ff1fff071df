"""Plausible attempts at the exercise of A spring for each weight that fall short, and the hint that
each gets."""

import numpy as np


def the_latest_anchor(strength, anchor, strength_2, anchor_2):
    return strength + strength_2, anchor_2


def the_middle(strength, anchor, strength_2, anchor_2):
    return strength + strength_2, (anchor + anchor_2) / 2


def the_mean_strength(strength, anchor, strength_2, anchor_2):
    total = strength + strength_2
    pulls = strength * anchor + strength_2 * anchor_2
    return total / 2, np.divide(pulls, total, out=anchor.copy(), where=total > 0)


def the_wrong_weights(strength, anchor, strength_2, anchor_2):
    total = strength + strength_2
    pulls = strength_2 * anchor + strength * anchor_2
    return total, np.divide(pulls, total, out=anchor.copy(), where=total > 0)


def divides_by_zero(strength, anchor, strength_2, anchor_2):
    total = strength + strength_2
    return total, (strength * anchor + strength_2 * anchor_2) / total


def in_place(strength, anchor, strength_2, anchor_2):
    total = strength + strength_2
    anchor *= strength
    anchor += strength_2 * anchor_2
    anchor /= np.maximum(total, 1e-9)
    return total, anchor


def the_pulls(strength, anchor, strength_2, anchor_2):
    return strength + strength_2, strength * anchor + strength_2 * anchor_2


MISTAKES = {
    the_latest_anchor: "do not drop that",
    the_middle: "The stronger spring",
    the_mean_strength: "they are not averaged",
    the_wrong_weights: "swap the weights",
    divides_by_zero: "must be a number, too",
    in_place: "return new ones",
    the_pulls: "where the two pulls cancel",
}
