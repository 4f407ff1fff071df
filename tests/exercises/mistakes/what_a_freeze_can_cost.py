"""Plausible attempts at the exercise of What a freeze can cost, and the hint each gets."""

import numpy as np


def only_overwritten(kernel, held, digit):
    found = kernel.copy()
    found[:, digit] = held
    return found


def only_shifted(kernel, held, digit):
    return kernel + (held - kernel[:, digit])[:, None]


def shifted_the_wrong_way(kernel, held, digit):
    found = kernel - (held - kernel[:, digit])[:, None]
    found[:, digit] = held
    return found


def written_in_place(kernel, held, digit):
    kernel += (held - kernel[:, digit])[:, None]
    kernel[:, digit] = held
    return kernel


def a_row_for_a_column(kernel, held, digit):
    found = kernel.copy()
    found[digit] = held[:10]
    return found


def the_column_alone(kernel, held, digit):
    return np.array(held)


MISTAKES = {
    only_overwritten: "move the other nine as well",
    only_shifted: "differ in a bit",
    shifted_the_wrong_way: "the predictions have changed",
    written_in_place: "return a new one",
    a_row_for_a_column: "not what was to be held",
    the_column_alone: "the shape that arrived",
}
