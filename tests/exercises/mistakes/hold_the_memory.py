"""Plausible attempts at the exercise of Hold the memory, that fall short, and the hint that each
gets."""

from helpers.device import tf


def weights_only(before, after, frozen):
    return [tf.where(frozen, before[0], after[0]), *after[1:]]


def returns_the_weights(before, after, frozen):
    return [tf.where(frozen, before[0], after[0])]


def without_asking_for_shapes(before, after, frozen):
    return [tf.where(frozen, old, new) for old, new in zip(before, after)]


def by_arithmetic(before, after, frozen):
    keep = tf.cast(frozen, "float32")
    return [
        keep * old + (1 - keep) * new if new.shape == frozen.shape else new
        for old, new in zip(before, after)
    ]


def the_wrong_way_round(before, after, frozen):
    return [
        tf.where(frozen, new, old) if new.shape == frozen.shape else new
        for old, new in zip(before, after)
    ]


def the_count_as_well(before, after, frozen):
    return [
        tf.where(frozen, old, new) if new.shape == frozen.shape else old
        for old, new in zip(before, after)
    ]


def nothing_put_back(before, after, frozen):
    return after


MISTAKES = {
    weights_only: "the velocity went on growing",
    returns_the_weights: "tensors went in, and 1 came out",
    without_asking_for_shapes: "tf.where stretches a single number",
    by_arithmetic: "choose, and do not compute",
    the_wrong_way_round: "True means frozen",
    the_count_as_well: "that goes on",
    nothing_put_back: "A frozen cell changed",
}
