"""Plausible attempts at the exercise of Where frozen cells escape that fall short, and the hint
that each gets."""

from helpers.device import tf
from helpers.techniques import (
    Technique,
    gradient_times_mask,
    restore,
    shadow_copy,
    stop_gradient,
    where_gradient,
)


def restoring_alone():
    return Technique("mine", after=restore)


def the_gradient_alone():
    return Technique("mine", gradient=where_gradient)


def multiplied():
    return Technique("mine", gradient=gradient_times_mask, after=by_arithmetic)


def by_arithmetic(before, after, frozen):
    keep = tf.cast(frozen, before.dtype)
    return keep * before + (1 - keep) * after


def two_walls():
    return Technique("mine", weights=stop_gradient, gradient=where_gradient)


def the_wrong_way_round():
    put_back = lambda before, after, frozen: tf.where(frozen, after, before)  # noqa: E731
    return Technique("mine", gradient=where_gradient, after=put_back)


def nothing_moves():
    return Technique("mine", gradient=where_gradient, after=lambda before, *_: before)


def the_optimizer_itself():
    return Technique("mine", exact=True)


def a_copy():
    return Technique("mine", shadow=shadow_copy)


def of_one_parameter():
    return Technique("mine", gradient=lambda gradient: gradient)


def a_function():
    return restore


MISTAKES = {
    restoring_alone: "clipping is open under momentum and adamw",
    the_gradient_alone: "cold is open under adamw",
    multiplied: "NaN is open under momentum and adamw: choose",
    two_walls: "cold is open under adamw",
    the_wrong_way_round: "Free cells are not left where the step took them",
    nothing_moves: "Free cells are not left where the step took them",
    the_optimizer_itself: "exact=True changes the optimizer",
    a_copy: "A copy lets the variable drift",
    of_one_parameter: "cold: impossible",
    a_function: "Return a Technique",
}
