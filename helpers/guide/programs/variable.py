"""Freeze a whole variable: its flag, set before compile."""

import keras
import numpy as np

draw = np.random.default_rng(0)
inputs, targets = draw.normal(size=(200, 4)), draw.normal(size=(200, 3))
dense = keras.layers.Dense(3)
model = keras.Sequential([keras.layers.Input([4]), dense])
before = dense.kernel.numpy(), dense.bias.numpy()

dense.kernel.trainable = False
model.compile(keras.optimizers.AdamW(0.01, weight_decay=0.1), "mse")
model.fit(inputs, targets, epochs=3, verbose=0)

held = dense.kernel.numpy() != before[0]
free = dense.bias.numpy() != before[1]
print("frozen values that moved:", held.sum(), "of", held.size)
print("free values that moved:", free.sum(), "of", free.size)
