"""Freeze what a layer computes with: of frozen values it takes a copy."""

import keras
import numpy as np
import tensorflow as tf


class PartlyCopied(keras.layers.Layer):
    """A kernel of which frozen values are taken from a copy."""

    def __init__(self, values, frozen):
        super().__init__()
        self.frozen = frozen  # True = frozen
        self.copy = tf.constant(values)
        self.variable = self.add_weight(values.shape)
        self.variable.assign(values)

    def kernel(self):
        """Return the kernel that the layer computes with."""
        return tf.where(self.frozen, self.copy, self.variable)

    def call(self, inputs):
        """Return inputs · kernel."""
        return inputs @ self.kernel()


draw = np.random.default_rng(0)
inputs, targets = draw.normal(size=(200, 4)), draw.normal(size=(200, 3))
before = draw.normal(size=(4, 3)).astype("float32")
frozen = np.zeros(before.shape, bool)
frozen[:2] = True
layer = PartlyCopied(before, frozen)
model = keras.Sequential([keras.layers.Input([4]), layer])

model.compile(keras.optimizers.AdamW(0.01, weight_decay=0.1), "mse")
model.fit(inputs, targets, epochs=3, verbose=0)

moved = layer.kernel().numpy() != before  # layer.variable has moved
held, free = moved[frozen], moved[~frozen]
print("frozen values that moved:", held.sum(), "of", held.size)
print("free values that moved:", free.sum(), "of", free.size)
