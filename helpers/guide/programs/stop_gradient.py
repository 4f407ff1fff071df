"""Freeze single values in a layer: no gradient comes back to them."""

import keras
import numpy as np
import tensorflow as tf


class PartlyFrozen(keras.layers.Layer):
    """A kernel of which frozen values get no gradient."""

    def __init__(self, values, frozen):
        super().__init__()
        self.frozen = frozen  # True = frozen
        self.kernel = self.add_weight(values.shape)
        self.kernel.assign(values)

    def call(self, inputs):
        """Return inputs · kernel."""
        stopped = tf.stop_gradient(self.kernel)
        return inputs @ tf.where(self.frozen, stopped, self.kernel)


draw = np.random.default_rng(0)
inputs, targets = draw.normal(size=(200, 4)), draw.normal(size=(200, 3))
before = draw.normal(size=(4, 3)).astype("float32")
frozen = np.zeros(before.shape, bool)
frozen[:2] = True
layer = PartlyFrozen(before, frozen)
model = keras.Sequential([keras.layers.Input([4]), layer])

model.compile(keras.optimizers.SGD(0.1), "mse")  # no momentum, and no decay
model.fit(inputs, targets, epochs=3, verbose=0)

moved = layer.kernel.numpy() != before
held, free = moved[frozen], moved[~frozen]
print("frozen values that moved:", held.sum(), "of", held.size)
print("free values that moved:", free.sum(), "of", free.size)
