"""Plausible attempts at the exercise that fall short, and the hint that each gets."""

import numpy as np

from helpers.exercises.thaw_a_weight import calm_rate


def _fills(seen, count, beta):
    return (1 - beta**seen) / (1 - beta**count)


def not_by_the_count(rate, seen, count, beta_1=0.9, beta_2=0.999):
    return rate * np.sqrt(1 - beta_2**seen) / (1 - beta_1**seen)


def the_old_rate(rate, seen, count, beta_1=0.9, beta_2=0.999):
    return rate


def times_the_length(rate, seen, count, beta_1=0.9, beta_2=0.999):
    return rate * _fills(seen, count, beta_1) / np.sqrt(_fills(seen, count, beta_2))


def seen_and_count_in_each_others_place(rate, seen, count, beta_1=0.9, beta_2=0.999):
    return calm_rate(rate, count, seen, beta_1, beta_2)


def without_the_root(rate, seen, count, beta_1=0.9, beta_2=0.999):
    return rate * _fills(seen, count, beta_2) / _fills(seen, count, beta_1)


def without_m(rate, seen, count, beta_1=0.9, beta_2=0.999):
    return rate * np.sqrt(_fills(seen, count, beta_2))


def betas_of_its_own(rate, seen, count, beta_1=0.9, beta_2=0.999):
    return calm_rate(rate, seen, count)


def a_share_of_the_rate(rate, seen, count, beta_1=0.9, beta_2=0.999):
    return 0.01 * calm_rate(1, seen, count, beta_1, beta_2)


MISTAKES = {
    not_by_the_count: "how full Adam thinks",
    the_old_rate: "rates long, and not 1",
    times_the_length: "rate has to be lower",
    seen_and_count_in_each_others_place: "rate has to be lower",
    without_the_root: "the root of v",
    without_m: "m is emptier",
    betas_of_its_own: "use them",
    a_share_of_the_rate: "ten times as high",
}
