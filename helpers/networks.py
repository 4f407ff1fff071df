"""Small networks for the digits, and what they are judged by."""

import functools
import itertools

import numpy as np

from helpers.device import keras, tf


def dense(seed, widths=(128, 128), classes=10, dtype="float32", normalised=False):
    """Return a fully connected network, (batch, 64) to logits (batch, classes), both of `dtype`.

    With `normalised` there is a BatchNormalization behind each hidden layer."""

    def layer(width, activation=None):
        return keras.layers.Dense(width, activation, kernel_initializer=next(init), dtype=dtype)

    init = _initializers(seed)
    layers = [keras.layers.Input((64,))]
    for width in widths:
        layers.append(layer(width, "relu"))
        if normalised:
            layers.append(keras.layers.BatchNormalization(dtype=dtype))
    return keras.Sequential([*layers, layer(classes)])


@functools.cache
def initial_weights(seed, widths=(128, 128), classes=10, normalised=False):
    """Return the weights with which `dense(seed, …)` begins, float64 arrays as by `get_weights`:
    drawn once, for building a network takes longer than a short training. Change a copy."""
    return dense(seed, widths, classes, "float64", normalised).get_weights()


def cross_entropy(labels, logits):
    """Return the mean cross-entropy of a batch: labels int (batch,), logits float (batch,
    classes)."""
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
    return tf.reduce_mean(losses)


def mean_square(targets, outputs):
    """Return the mean of the squared differences, a scalar tensor; the shapes may broadcast."""
    return tf.reduce_mean(tf.square(outputs - targets))


def per_cent(right):
    """Return how many in a hundred of an array of bools are True, a float."""
    return 100 * float(np.mean(right))


def _initializers(seed):
    """He initializers (He et al. 2015), each with a seed of its own."""
    return (keras.initializers.HeNormal(seed=1_000 * seed + n) for n in itertools.count())
