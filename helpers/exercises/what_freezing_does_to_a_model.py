"""What freezing does to a model: a frozen model beside a free one, each at its own rate."""

import numpy as np

from helpers.exercises.exercise import Exercise, expect

RATES, SEEDS = 4, 5
DRAWN = 7, 14, 16  # each of these draws has another result for each way to choose the rates
FOUND = "These are the differences at other rates: "


def at_own_rates(validation, test):
    """Let the validation part choose a rate for each model, and compare on the test part."""
    best = validation.mean(axis=2).argmax(axis=1)
    free, frozen = test[0, best[0]], test[1, best[1]]
    return frozen - free


def judge(attempt):
    """Figures that no model has read."""
    for drawn in DRAWN:
        draw = np.random.default_rng(drawn)
        _judge_one(attempt, *draw.uniform(50, 100, size=(2, 2, RATES, SEEDS)))
    return "Each model has its own rate, and the test part has chosen nothing."


def _judge_one(attempt, validation, test):
    found = np.asarray(attempt(validation.copy(), test.copy()))
    expect(found.shape == (SEEDS,), "Return an array with a difference for each seed.")
    wanted = at_own_rates(validation, test)
    expect(not np.allclose(found, -wanted), "That is free minus frozen.")
    for hint, chosen in _at_other_rates(validation, test).items():
        expect(not np.allclose(found, chosen), FOUND + hint)
    unlike = "These are not the test part's differences at the rates that are best in the mean."
    expect(np.allclose(found, wanted), unlike)


def _at_other_rates(validation, test):
    """Return what a wrong choice of rates leads to: hint -> differences."""
    each = np.arange(SEEDS)
    by_test = test.mean(axis=2).argmax(axis=1)
    for_both = validation.mean(axis=(0, 2)).argmax()
    of_free = validation[0].mean(axis=1).argmax()
    of_seed = validation.argmax(axis=1)
    return {
        "the test part has chosen them.": test[1, by_test[1]] - test[0, by_test[0]],
        "one rate has been chosen for both models.": test[1, for_both] - test[0, for_both],
        "the frozen model has the free one's.": test[1, of_free] - test[0, of_free],
        "each seed has one of its own.": test[1, of_seed[1], each] - test[0, of_seed[0], each],
    }


exercise = Exercise(
    at_own_rates,
    judge,
    [
        "validation.mean(axis=2) has a mean over the seeds for each model and rate.",
        "argmax over the rates says which one is best, once for each model.",
        "test[1, rate] has the frozen model's figures at a rate, one for each seed.",
    ],
)
