"""Plausible attempts at notebook 06's exercise that fall short, and the hint that each gets."""

from helpers.device import tf


def roots_of(seen):
    return tf.reduce_sum(tf.abs(seen) ** 0.5)


def roots_before_the_wall(value, frozen):
    roots = tf.abs(value) ** 0.5
    return tf.reduce_sum(tf.where(frozen, tf.stop_gradient(roots), roots))


def by_arithmetic(value, frozen):
    free = tf.cast(~frozen, value.dtype)
    return roots_of(free * value + tf.stop_gradient((1 - free) * value))


def everything_stopped(value, frozen):
    return roots_of(tf.stop_gradient(value))


def the_wrong_way_round(value, frozen):
    return roots_of(tf.where(frozen, value, tf.stop_gradient(value)))


def frozen_cells_left_out(value, frozen):
    return roots_of(tf.where(frozen, 0.0, value))


def no_wall(value, frozen):
    return roots_of(value)


MISTAKES = {
    roots_before_the_wall: "the root stands between",
    by_arithmetic: "A frozen 0 makes NaN",
    everything_stopped: "The free cells get no gradient",
    the_wrong_way_round: "The free cells get no gradient",
    frozen_cells_left_out: "the frozen ones included",
    no_wall: "The frozen cell gets a gradient",
}
