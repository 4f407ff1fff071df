"""Freeze single values in a layer: only the free ones are a variable."""

import keras
import numpy as np
import tensorflow as tf


class PartlyFree(keras.layers.Layer):
    """A kernel of which the free values train, put into their places."""

    def __init__(self, values, frozen):
        super().__init__()
        self.held, self.places = tf.constant(values), tf.where(~frozen)
        self.free = self.add_weight([len(self.places)])
        self.free.assign(values[~frozen])

    def kernel(self):
        """Return the whole kernel, free values among the frozen ones."""
        parts = self.held, self.places, self.free
        return tf.tensor_scatter_nd_update(*parts)

    def call(self, inputs):
        """Return inputs · kernel."""
        return inputs @ self.kernel()


draw = np.random.default_rng(0)
inputs, targets = draw.normal(size=(200, 4)), draw.normal(size=(200, 3))
before = draw.normal(size=(4, 3)).astype("float32")
frozen = np.zeros(before.shape, bool)
frozen[:2] = True
layer = PartlyFree(before, frozen)
model = keras.Sequential([keras.layers.Input([4]), layer])

model.compile(keras.optimizers.AdamW(0.01, weight_decay=0.1), "mse")
model.fit(inputs, targets, epochs=3, verbose=0)

moved = layer.kernel().numpy() != before
held, free = moved[frozen], moved[~frozen]
print("frozen values that moved:", held.sum(), "of", held.size)
print("free values that moved:", free.sum(), "of", free.size)
