"""Plausible attempts at the exercise that fall short, and the hint that each gets."""

from helpers.device import tf


def roots_of(seen):
    return tf.reduce_sum(tf.abs(seen) ** 0.5)


def roots_before_it_is_stopped(value, frozen):
    roots = tf.abs(value) ** 0.5
    return tf.reduce_sum(tf.where(frozen, tf.stop_gradient(roots), roots))


def one_choice(value, frozen):
    return roots_of(tf.where(frozen, tf.stop_gradient(value), value))


def zeros_chosen_afterwards(value, frozen):
    seen = tf.where(frozen, tf.stop_gradient(value), value)
    return tf.reduce_sum(tf.where(seen == 0, 0.0, tf.abs(seen) ** 0.5))


def roots_of_a_little_more(value, frozen):
    seen = tf.where(frozen, tf.stop_gradient(value), value)
    return roots_of(tf.where(seen == 0, 1e-4, seen))


def by_arithmetic(value, frozen):
    free = tf.cast(~frozen, value.dtype)
    return roots_of(free * value + tf.stop_gradient((1 - free) * value))


def everything_stopped(value, frozen):
    return roots_of(tf.stop_gradient(value))


def the_wrong_way_round(value, frozen):
    return roots_of(tf.where(frozen, value, tf.stop_gradient(value)))


def frozen_cells_left_out(value, frozen):
    return roots_of(tf.where(frozen, 0.0, value))


def nothing_stopped(value, frozen):
    return roots_of(value)


MISTAKES = {
    roots_before_it_is_stopped: "take the root of what is stopped",
    one_choice: "A free cell at 0 makes NaN",
    zeros_chosen_afterwards: "A free cell at 0 makes NaN",
    roots_of_a_little_more: "A free cell at 0 adds 0",
    by_arithmetic: "A frozen infinity comes out as NaN",
    everything_stopped: "The free cells get no gradient",
    the_wrong_way_round: "The free cells get no gradient",
    frozen_cells_left_out: "the frozen ones included",
    nothing_stopped: "The frozen cell gets a gradient",
}
