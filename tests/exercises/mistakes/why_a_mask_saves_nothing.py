"""Plausible attempts at the exercise of *Why a mask saves nothing*, and the hint each gets."""

import numpy as np

QUARTILES = [25, 50, 75]


def _of_bars(noise, bar):
    if bar[2] < noise[0]:
        return "shorter"
    return "longer" if bar[0] > noise[2] else "not told apart"


def _by(value):
    return "shorter" if value < 0.97 else "longer" if value > 1.03 else "not told apart"


def divides_the_totals(seconds):
    plain, again, new = seconds.sum(axis=0)
    return "not told apart" if abs(new - again) < abs(again - plain) else _by(new / plain)


def takes_the_mean_of_the_ratios(seconds):
    ratios = seconds[:, 1:] / seconds[:, :1]
    (again, new), (noise, _) = ratios.mean(axis=0), ratios.std(axis=0)
    if abs(new - again) < noise:
        return "not told apart"
    return "shorter" if new < again else "longer"


def compares_times_and_not_ratios(seconds):
    noise, bar = np.percentile(seconds[:, 1:], QUARTILES, axis=0).T
    return _of_bars(noise, bar)


def leaves_the_noise_out(seconds):
    return _by(np.median(seconds[:, 2] / seconds[:, 0]))


def compares_with_one_exactly(seconds):
    median = np.median(seconds[:, 2] / seconds[:, 0])
    return "shorter" if median < 1 else "longer"


def divides_the_wrong_way(seconds):
    ratios = seconds[:, :1] / seconds[:, 1:]
    noise, bar = np.percentile(ratios, QUARTILES, axis=0).T
    return _of_bars(noise, bar)


def answers_with_a_number(seconds):
    return float(np.median(seconds[:, 2] / seconds[:, 0]))


MISTAKES = {
    divides_the_totals: "One bad round",
    takes_the_mean_of_the_ratios: "One bad round",
    compares_times_and_not_ratios: "divide round by round",
    leaves_the_noise_out: "as large as the difference",
    compares_with_one_exactly: "were told apart",
    divides_the_wrong_way: "was not called shorter",
    answers_with_a_number: "Return 'shorter', 'longer'",
}
