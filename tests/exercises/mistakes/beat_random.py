"""Plausible attempts at the exercise of Beat random that fall short, and the hint that
each gets."""

import numpy as np

from helpers import masks


def _highest(scores, count):
    return masks.all_but_largest([scores], count / scores.size)[0]


def _empty(pictures):
    return (pictures > 0).mean(axis=0) <= 0.02


def _ranked(scores, pictures, lowest=-np.inf):
    empty = _empty(pictures)
    return np.where(empty[:, None], lowest, scores), empty


def without_a_look_at_the_pictures(scores, pictures, count):
    return _highest(scores, count)


def chosen_first(scores, pictures, count):
    frozen = _highest(scores, count)
    frozen[_empty(pictures)] = True
    return frozen


def by_mean_brightness(scores, pictures, count):
    ranked = scores.copy()
    ranked[pictures.mean(axis=0) < 0.02] = -np.inf
    return _highest(ranked, count)


def without_those_that_are_always_empty(scores, pictures, count):
    ranked = scores.copy()
    ranked[(pictures == 0).all(axis=0)] = -np.inf
    return _highest(ranked, count)


def a_score_of_zero(scores, pictures, count):
    return _highest(_ranked(scores, pictures, lowest=0)[0], count)


def filled_up_with_empty_ones(scores, pictures, count):
    return _highest(_ranked(scores, pictures)[0], count)


def by_magnitude(scores, pictures, count):
    ranked, empty = _ranked(scores, pictures)
    frozen = _highest(np.where(empty[:, None], -1, np.abs(ranked)), count)
    frozen[empty] = True
    return frozen


def in_place(scores, pictures, count):
    scores[_empty(pictures)] = -np.inf
    return _highest(scores, count)


def the_wrong_way_round(scores, pictures, count):
    return ~_highest(_ranked(scores, pictures)[0], count)


def ones_and_zeros(scores, pictures, count):
    return _highest(_ranked(scores, pictures)[0], count).astype("float32")


MISTAKES = {
    without_a_look_at_the_pictures: "have an empty pixel",
    chosen_first: "and choose then",
    by_mean_brightness: "in 5 of 200 pictures",
    without_those_that_are_always_empty: "Row 8 has ink in 1 %",
    a_score_of_zero: "all scores are below 0",
    filled_up_with_empty_ones: "20 free cells have an empty pixel",
    by_magnitude: "higher score than one that is free",
    in_place: "work on a copy",
    the_wrong_way_round: "True means frozen",
    ones_and_zeros: "truth values",
}
