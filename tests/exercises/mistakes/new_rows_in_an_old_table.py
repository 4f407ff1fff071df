"""Plausible attempts at the exercise of New rows in an old table that fall short, and the hint that
each gets."""

import numpy as np

from helpers.device import keras, tf


def grown(values, constraint=None):
    layer = keras.layers.Embedding(*values.shape, embeddings_constraint=constraint)
    layer.build()
    layer.embeddings.assign(values)
    return layer


def anew(optimizer):
    return type(optimizer).from_config(optimizer.get_config())


def put_back(old):
    return lambda now: tf.concat([old, now[len(old) :]], axis=0)


def on_top(table, rows, optimizer):
    values = np.concatenate([rows, table.embeddings.numpy()])
    return grown(values), anew(optimizer)


def nothing_holds(table, rows, optimizer):
    values = np.concatenate([table.embeddings.numpy(), rows])
    return grown(values), anew(optimizer)


def all_frozen(table, rows, optimizer):
    values = np.concatenate([table.embeddings.numpy(), rows])
    layer = grown(values)
    layer.trainable = False
    return layer, anew(optimizer)


def all_put_back(table, rows, optimizer):
    values = np.concatenate([table.embeddings.numpy(), rows])
    return grown(values, lambda now: tf.constant(values)), anew(optimizer)


def by_arithmetic(table, rows, optimizer):
    values = np.concatenate([table.embeddings.numpy(), rows])
    is_old = tf.constant(np.arange(len(values))[:, None] < table.input_dim)
    keep, start = tf.cast(is_old, "float32"), tf.constant(values)
    return grown(values, lambda now: keep * start + (1 - keep) * now), anew(optimizer)


def the_old_optimizer(table, rows, optimizer):
    old = table.embeddings.numpy()
    return grown(np.concatenate([old, rows]), put_back(old)), optimizer


def default_settings(table, rows, optimizer):
    old = table.embeddings.numpy()
    return grown(np.concatenate([old, rows]), put_back(old)), keras.optimizers.AdamW(0.05)


def the_count_goes_on(table, rows, optimizer):
    old, fresh = table.embeddings.numpy(), anew(optimizer)
    fresh.iterations.assign(1000)
    return grown(np.concatenate([old, rows]), put_back(old)), fresh


MISTAKES = {
    on_top: "The first rows are not the old ones",
    nothing_holds: "old numbers changed in fit",
    all_frozen: "Nothing of the table trains",
    all_put_back: "A new row did not train",
    by_arithmetic: "old numbers changed in fit",
    the_old_optimizer: "make a new one",
    default_settings: "Settings of the old optimizer are lost",
    the_count_goes_on: "the optimizer remembers",
}
