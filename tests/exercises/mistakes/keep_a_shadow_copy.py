"""Plausible attempts at notebook 07's exercise that fall short, and the hint that each gets."""

from helpers.device import tf


def the_wrong_way_round(variable, shadow, frozen):
    shadow.assign(tf.where(frozen, variable, shadow))


def everything(variable, shadow, frozen):
    variable.assign(shadow)


def by_arithmetic(variable, shadow, frozen):
    mask = tf.cast(frozen, tf.float32)
    variable.assign(mask * shadow + (1 - mask) * variable)


def the_complement(variable, shadow, frozen):
    variable.assign(tf.where(frozen, variable, shadow))


def nothing_written(variable, shadow, frozen):
    return tf.where(frozen, shadow, variable)


MISTAKES = {
    the_wrong_way_round: "The shadow has changed",
    everything: "lost what they learned",
    by_arithmetic: "3 of 3 frozen cells changed",
    the_complement: "True means frozen",
    nothing_written: "3 of 3 frozen cells changed",
}
