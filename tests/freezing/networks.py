"""A small network on made data, and what the tests do with it."""

import numpy as np

from helpers.device import keras
from helpers.freezing import freezable

K = keras.optimizers


INPUTS = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
TARGETS = INPUTS.sum(axis=1, keepdims=True)


def network(optimizer, **compiled):
    keras.utils.set_random_seed(0)
    limit = keras.constraints.MaxNorm(0.5)
    hidden = keras.layers.Dense(5, "relu", kernel_constraint=limit, kernel_regularizer="l2")
    model = keras.Sequential([keras.layers.Input((4,)), hidden, keras.layers.Dense(1)])
    model.compile(optimizer, "mse", **compiled)
    return model, hidden.kernel


def fit(model, epochs=1, **options):
    model.fit(INPUTS, TARGETS, 8, epochs, verbose=0, shuffle=False, **options)


def rich():
    """An optimizer in which everything that can move a cell is switched on."""
    averages = {"use_ema": True, "ema_momentum": 0.5, "ema_overwrite_frequency": 3}
    return freezable(K.Adam)(0.01, weight_decay=0.1, global_clipnorm=1.0, **averages)


def odd_rows(kernel):
    frozen = np.zeros(kernel.shape, bool)
    frozen[1::2] = True
    return frozen
