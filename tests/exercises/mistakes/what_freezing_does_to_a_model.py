"""Plausible attempts at the exercise of What freezing does to a model, and the hint each gets."""

import numpy as np


def _best(figures):
    return figures.mean(axis=2).argmax(axis=1)


def _at(test, of_free, of_frozen):
    return test[1, of_frozen] - test[0, of_free]


def free_minus_frozen(validation, test):
    return -_at(test, *_best(validation))


def chosen_by_the_test_part(validation, test):
    return _at(test, *_best(test))


def one_rate_for_both(validation, test):
    rate = validation.mean(axis=(0, 2)).argmax()
    return _at(test, rate, rate)


def the_rate_of_the_free_model(validation, test):
    rate = _best(validation)[0]
    return _at(test, rate, rate)


def a_rate_for_each_seed(validation, test):
    free, frozen = np.take_along_axis(test, validation.argmax(axis=1)[:, None], axis=1)[:, 0]
    return frozen - free


def on_the_validation_part(validation, test):
    return _at(validation, *_best(validation))


def the_mean_alone(validation, test):
    return _at(test, *_best(validation)).mean()


MISTAKES = {
    free_minus_frozen: "free minus frozen",
    chosen_by_the_test_part: "the test part has chosen",
    one_rate_for_both: "one rate has been chosen for both",
    the_rate_of_the_free_model: "has the free one's",
    a_rate_for_each_seed: "each seed has one of its own",
    on_the_validation_part: "not the test part's differences",
    the_mean_alone: "a difference for each seed",
}
