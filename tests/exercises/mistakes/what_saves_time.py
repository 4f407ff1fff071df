"""Plausible attempts at the exercise of What saves time, and the hint each gets."""

import numpy as np

from helpers.device import tf


def _columns(inputs, which):
    return tf.boolean_mask(inputs, which, axis=1)


def the_free_rows_alone(inputs, held, free, frozen):
    return _columns(inputs, ~frozen) @ free


def the_wrong_way_round(inputs, held, free, frozen):
    return _columns(inputs, ~frozen) @ held + _columns(inputs, frozen) @ free


def frozen_rows_first(inputs, held, free, frozen):
    rows = held.shape[0]
    return inputs[:, :rows] @ held + inputs[:, rows:] @ free


def put_together(inputs, held, free, frozen):
    order = np.argsort(np.concatenate([np.where(frozen)[0], np.where(~frozen)[0]]))
    return inputs @ tf.gather(tf.concat([held, free], axis=0), order)


def both_side_by_side(inputs, held, free, frozen):
    return tf.concat([_columns(inputs, frozen) @ held, _columns(inputs, ~frozen) @ free], axis=1)


def a_copy_of_the_free_rows(inputs, held, free, frozen):
    copy = tf.stop_gradient(free)
    return _columns(inputs, frozen) @ held + _columns(inputs, ~frozen) @ copy


def half_of_it_held(inputs, held, free, frozen):
    half = tf.convert_to_tensor(free) / 2
    whole = half + tf.stop_gradient(half)
    return _columns(inputs, frozen) @ held + _columns(inputs, ~frozen) @ whole


def a_difference(inputs, held, free, frozen):
    return _columns(inputs, frozen) @ held - _columns(inputs, ~frozen) @ free


def no_return(inputs, held, free, frozen):
    _columns(inputs, frozen) @ held + _columns(inputs, ~frozen) @ free


MISTAKES = {
    the_free_rows_alone: "frozen rows are missing",
    the_wrong_way_round: "True means frozen",
    frozen_rows_first: "go by the mask",
    put_together: "put together on the way",
    both_side_by_side: "have the shape (5, 6)",
    a_copy_of_the_free_rows: "No gradient comes to",
    half_of_it_held: "is not that of these outputs",
    a_difference: "not inputs @ kernel",
    no_return: "Return the outputs",
}
