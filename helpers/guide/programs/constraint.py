"""Freeze single values in fit: a constraint puts them back."""

import keras
import numpy as np
import tensorflow as tf


class Keep(keras.constraints.Constraint):
    """Put frozen values back after each step of the optimizer."""

    def __init__(self, variable, frozen):
        assert np.shape(frozen) == variable.shape
        self.frozen, self.held = frozen, tf.identity(variable.value)

    def __call__(self, now):
        return tf.where(self.frozen, self.held, now)


draw = np.random.default_rng(0)
inputs, targets = draw.normal(size=(200, 4)), draw.normal(size=(200, 3))
model = keras.Sequential([keras.layers.Input([4]), keras.layers.Dense(3)])
kernel = model.layers[0].kernel
frozen = np.zeros(kernel.shape, bool)
frozen[:2] = True  # True = frozen
before = kernel.numpy()

kernel.constraint = Keep(kernel, frozen)  # before compile
model.compile(keras.optimizers.AdamW(0.01, weight_decay=0.1), "mse")
model.fit(inputs, targets, epochs=3, verbose=0)

moved = kernel.numpy() != before
held, free = moved[frozen], moved[~frozen]
print("frozen values that moved:", held.sum(), "of", held.size)
print("free values that moved:", free.sum(), "of", free.size)
