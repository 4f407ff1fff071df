"""Train only the free values: put free columns into their places among held ones."""

import numpy as np

from helpers.bits import changed_bits
from helpers.device import tf
from helpers.exercises.exercise import Exercise, expect


def put_columns(held, columns, free):
    """Put the columns of `free` into their places; indexes name rows, so turn all of it round."""
    places = tf.reshape(columns, [-1, 1])
    turned = tf.tensor_scatter_nd_update(tf.transpose(held), places, tf.transpose(free))
    return tf.transpose(turned)


def judge(attempt):
    """Two free columns of four, not in their order, among held cells that arithmetic would harm."""
    held = np.arange(16, dtype="float32").reshape(4, 4)
    held[0] = [-0.0, np.inf, 5.0, np.nan]
    columns, values = np.array([3, 0]), -1 - np.arange(8, dtype="float32").reshape(4, 2)
    wanted = held.copy()
    wanted[:, columns] = values
    free, pull = tf.Variable(values), np.arange(16, dtype="float32").reshape(4, 4)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            found = attempt(tf.constant(held), tf.constant(columns), free)
            finite = tf.gather(found, columns, axis=1) * pull[:, columns]
        return found, tape.gradient(finite, free)

    found = np.asarray(attempt(tf.constant(held), tf.constant(columns), free))
    other = f"A kernel of shape {found.shape} came out, and {held.shape} was wanted."
    expect(found.shape == held.shape, other)
    _compare(found, held, values, columns, wanted)
    _, gradient = step()
    expect(gradient is not None, "No gradient reaches free: stay within TensorFlow's functions.")
    expect(np.array_equal(gradient, pull[:, columns]), "The gradient of free is another one.")
    return "The held columns keep every bit, and each free one gets the gradient of its place."


def _compare(found, held, values, columns, wanted):
    """Give the hint that fits a kernel whose cells are not those that are wanted."""
    turned = np.array_equal(found.T, wanted, equal_nan=True)
    expect(not turned, "Rows and columns are exchanged in what came out: turn it back.")
    rows = held.copy()
    rows[columns] = values.T
    expect(not np.array_equal(found, rows, equal_nan=True), "Free rows came out, not columns.")
    added = found[1, columns[0]] == held[1, columns[0]] + values[1, 0]
    expect(not added, "The free values were added to the held ones; they take their place.")
    computed = "put values into places, and do not compute with them."
    spoilt = (np.isnan(found) & ~np.isnan(wanted)).sum()
    expect(not spoilt, f"{spoilt} free values became NaN: {computed}")
    right = np.array_equal(found[:, columns], values)
    expect(right, "The free values are not in their columns: column columns[i] is free[:, i].")
    changed = np.delete(changed_bits(wanted, found), columns, axis=1).sum()
    expect(not changed, f"{changed} held cells changed: {computed}")


exercise = Exercise(
    put_columns,
    judge,
    [
        "tf.tensor_scatter_nd_update puts whole rows into places if each index is one number.",
        "The columns of a kernel are the rows of tf.transpose(kernel).",
        "Turn held and free round, put the rows into their places, and turn the result back.",
    ],
)
