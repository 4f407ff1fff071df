"""Plausible attempts at notebook 01's exercise that fall short, and the hint that each gets."""

from helpers.device import tf


def clipped_before_masking(gradient, frozen):
    clipped = tf.clip_by_norm(gradient, 1.0)
    return tf.where(frozen, tf.zeros_like(gradient), clipped)


def multiplied(gradient, frozen):
    return tf.clip_by_norm(gradient * tf.cast(~frozen, gradient.dtype), 1.0)


def the_wrong_way_round(gradient, frozen):
    return tf.clip_by_norm(tf.where(frozen, gradient, 0.0), 1.0)


def never_clipped(gradient, frozen):
    return tf.where(frozen, 0.0, gradient)


MISTAKES = {
    clipped_before_masking: "mask before clipping",
    multiplied: "choose",
    the_wrong_way_round: "True means frozen",
    never_clipped: "not clipped to length 1",
}
