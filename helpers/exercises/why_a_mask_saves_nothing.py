"""Why a mask saves nothing: tell a shorter step from one that a noisy machine makes look so."""

import numpy as np

from helpers.exercises.exercise import Exercise, expect

ROUNDS = 40


def verdict(seconds):
    """Compare both ratios round by round; the noise is what the plain step differs from itself."""
    ratios = seconds[:, 1:] / seconds[:, :1]
    (noise_low, low), _, (noise_high, high) = np.percentile(ratios, [25, 50, 75], axis=0)
    if high < noise_low:
        return "shorter"
    return "longer" if low > noise_high else "not told apart"


def judge(attempt):
    """Times with trouble of each kind: one bad round, a machine that slows down, a long noise."""
    cases = [
        (1.0, 0.02, "not told apart", "Two steps that take the same time were told apart."),
        (0.7, 0.02, "shorter", "A step of seven tenths was not called shorter."),
        (1.5, 0.02, "longer", "A step of one and a half was not called longer."),
        (0.9, 0.3, "not told apart", "The noise is as large as the difference: compare with it."),
    ]
    for factor, noise, wanted, hint in cases:
        expect(_told(attempt, _seconds(factor, noise)) == wanted, hint)
    bad = _seconds(0.7, 0.02)
    bad[7, 2] *= 1000
    hint = "One bad round has changed the verdict: neither add times nor take a mean."
    expect(_told(attempt, bad) == "shorter", hint)
    slowing = _seconds(0.8, 0.02) * np.linspace(1, 9, ROUNDS)[:, None]
    hint = "The machine slowed down, for all steps alike: divide round by round, and then compare."
    expect(_told(attempt, slowing) == "shorter", hint)
    return "It compares round by round, and only believes what is larger than the noise."


def _seconds(factor, noise):
    """Return times of the plain step, the plain step again, and one that takes `factor` of it."""
    draws = np.random.default_rng(0).normal(size=(ROUNDS, 3))
    return np.array([1.0, 1.0, factor]) * np.exp(noise * draws)


def _told(attempt, seconds):
    told = attempt(seconds.copy())
    wanted = "shorter", "longer", "not told apart"
    expect(told in wanted, f"Return {', '.join(map(repr, wanted[:2]))} or {wanted[2]!r}.")
    return told


exercise = Exercise(
    verdict,
    judge,
    [
        "seconds[:, 2] / seconds[:, 0] are the ratios of the new step, one a round.",
        "seconds[:, 1] / seconds[:, 0] are ratios of the plain step to itself: the noise.",
        "np.percentile(ratios, [25, 75]) are the ends of a bar. When do two bars overlap?",
    ],
)
