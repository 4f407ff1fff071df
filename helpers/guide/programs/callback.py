"""Freeze single values in fit: a callback puts them back."""

import keras
import numpy as np


class PutBack(keras.callbacks.Callback):
    """Put frozen values back after each batch, and when training ends."""

    def __init__(self, variable, frozen):
        super().__init__()
        self.variable, self.frozen = variable, frozen  # True = frozen
        self.values = variable.numpy()

    def put_back(self, *_, **__):
        """Write the frozen values over what stands in their places."""
        now = self.variable.numpy()
        self.variable.assign(np.where(self.frozen, self.values, now))

    on_train_batch_end = on_train_end = put_back


draw = np.random.default_rng(0)
inputs, targets = draw.normal(size=(200, 4)), draw.normal(size=(200, 3))
model = keras.Sequential([keras.layers.Input([4]), keras.layers.Dense(3)])
kernel = model.layers[0].kernel
frozen = np.zeros(kernel.shape, bool)
frozen[:2] = True
before = kernel.numpy()

adamw = keras.optimizers.AdamW(0.01, weight_decay=0.1, use_ema=True)
model.compile(adamw, "mse")
put_back = PutBack(kernel, frozen)
model.fit(inputs, targets, epochs=3, verbose=0, callbacks=[put_back])

moved = kernel.numpy() != before
held, free = moved[frozen], moved[~frozen]
print("frozen values that moved:", held.sum(), "of", held.size)
print("free values that moved:", free.sum(), "of", free.size)
