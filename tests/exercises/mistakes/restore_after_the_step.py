"""Plausible attempts at the exercise of Restore after the step that fall short, and the hint that
each gets."""

from helpers.device import tf


def without_the_old_one(constraint, held, frozen):
    return lambda now: tf.where(frozen, held, now)


def the_old_one_last(constraint, held, frozen):
    return lambda now: constraint(tf.where(frozen, held, now))


def the_wrong_way_round(constraint, held, frozen):
    return lambda now: tf.where(frozen, constraint(now), held)


def by_arithmetic(constraint, held, frozen):
    keep = tf.cast(frozen, "float32")
    return lambda now: keep * held + (1 - keep) * constraint(now)


def a_tensor(constraint, held, frozen):
    return tf.where(frozen, held, constraint(held))


def the_old_one_alone(constraint, held, frozen):
    return constraint


MISTAKES = {
    without_the_old_one: "the old constraint is gone",
    the_old_one_last: "the old constraint acted last",
    the_wrong_way_round: "True means frozen",
    by_arithmetic: "choose, and do not compute",
    a_tensor: "A function was wanted",
    the_old_one_alone: "A frozen cell changed",
}
