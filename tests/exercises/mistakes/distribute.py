"""Plausible attempts at the exercise of Distribute that fall short, and the hint that each gets."""

import numpy as np


def _differ(one, other):
    return one.view("uint32") != other.view("uint32")


def one_answer_for_all(copies, before, frozen):
    return any(_differ(copy, before)[frozen].any() for copy in copies)


def the_first_alone(copies, before, frozen):
    return frozen & _differ(copies[0], before)


def the_last_alone(copies, before, frozen):
    return frozen & _differ(copies[-1], before)


def on_every_device(copies, before, frozen):
    return frozen & np.all([_differ(copy, before) for copy in copies], axis=0)


def among_themselves(copies, before, frozen):
    return frozen & np.any([_differ(copy, copies[0]) for copy in copies], axis=0)


def their_mean(copies, before, frozen):
    return frozen & _differ(np.mean(copies, axis=0, dtype="float32"), before)


def without_the_mask(copies, before, frozen):
    return np.any([_differ(copy, before) for copy in copies], axis=0)


def unequal(copies, before, frozen):
    return frozen & np.any([copy != before for copy in copies], axis=0)


def not_close(copies, before, frozen):
    near = [np.isclose(copy, before, equal_nan=True) for copy in copies]
    return frozen & ~np.all(near, axis=0)


MISTAKES = {
    one_answer_for_all: "not one answer for all",
    the_first_alone: "changed on the second device alone",
    the_last_alone: "changed on the first device alone",
    on_every_device: "changed on the first device alone",
    among_themselves: "Compare with `before`",
    their_mean: "their mean hides it",
    without_the_mask: "only frozen ones, True, leak",
    unequal: "its bits are equal",
    not_close: "a bit has changed",
}
