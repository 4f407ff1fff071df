"""Plausible attempts at the exercise of New rows in an old table that fall short, and the hint that
each gets."""

import numpy as np

from helpers.device import keras, tf


def grown(values, constraint=None):
    layer = keras.layers.Embedding(*values.shape, embeddings_constraint=constraint)
    layer.build()
    layer.embeddings.assign(values)
    return layer


def joined(table, rows):
    return np.concatenate([table.embeddings.numpy(), rows])


def on_top(table, rows):
    return grown(np.concatenate([rows, table.embeddings.numpy()]))


def nothing_holds(table, rows):
    return grown(joined(table, rows))


def no_gradient(table, rows):
    old = table.input_dim

    class NoGradient(keras.layers.Embedding):
        def call(self, numbers):
            found = super().call(numbers)
            return tf.where(numbers[..., None] < old, tf.stop_gradient(found), found)

    layer = NoGradient(old + len(rows), rows.shape[1])
    layer.build()
    layer.embeddings.assign(joined(table, rows))
    return layer


def all_frozen(table, rows):
    layer = grown(joined(table, rows))
    layer.trainable = False
    return layer


def all_put_back(table, rows):
    values = joined(table, rows)
    return grown(values, lambda now: tf.constant(values))


def by_arithmetic(table, rows):
    values = joined(table, rows)
    is_old = tf.constant(np.arange(len(values))[:, None] < table.input_dim)
    keep, start = tf.cast(is_old, "float32"), tf.constant(values)
    return grown(values, lambda now: keep * start + (1 - keep) * now)


def not_assigned(table, rows):
    return keras.layers.Embedding(table.input_dim + len(rows), rows.shape[1])


def the_new_rows_alone(table, rows):
    return grown(np.concatenate([np.zeros_like(table.embeddings), rows]))


def the_rows(table, rows):
    return joined(table, rows)


MISTAKES = {
    on_top: "The first words do not find the old rows",
    the_new_rows_alone: "The first words do not find the old rows",
    nothing_holds: "old numbers changed in fit",
    no_gradient: "old numbers changed in fit",
    all_frozen: "Nothing of the layer trains",
    all_put_back: "A new row did not train",
    by_arithmetic: "old numbers changed in fit",
    not_assigned: "The first words do not find the old rows",
    the_rows: "Return a Keras layer",
}
