"""Freeze single values in fit: a callback puts them back."""

import keras
import numpy as np
import tensorflow as tf


class PutBack(keras.callbacks.Callback):
    """Put frozen values back after each batch, and when training ends."""

    def __init__(self, variable, frozen):
        super().__init__()
        assert np.shape(frozen) == variable.shape
        self.variable, self.frozen = variable, frozen
        self.held = tf.identity(variable.value)

    def on_train_batch_end(self, batch, logs=None):
        """Write the frozen values over what stands in their places."""
        now = self.variable.value
        self.variable.assign(tf.where(self.frozen, self.held, now))

    def on_train_end(self, logs=None):
        """Put them back once more: averages are written before this."""
        self.on_train_batch_end(None)


draw = np.random.default_rng(0)
inputs, targets = draw.normal(size=(200, 4)), draw.normal(size=(200, 3))
model = keras.Sequential([keras.layers.Input([4]), keras.layers.Dense(3)])
kernel = model.layers[0].kernel
frozen = np.zeros(kernel.shape, bool)
frozen[:2] = True  # True = frozen
before = kernel.numpy()

adamw = keras.optimizers.AdamW(0.01, weight_decay=0.1, use_ema=True)
model.compile(adamw, "mse")
put_back = PutBack(kernel, frozen)
model.fit(inputs, targets, epochs=3, verbose=0, callbacks=[put_back])

moved = kernel.numpy() != before
held, free = moved[frozen], moved[~frozen]
print("frozen values that moved:", held.sum(), "of", held.size)
print("free values that moved:", free.sum(), "of", free.size)
