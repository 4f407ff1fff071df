"""Freeze nearly all values of a variable, and save Adam's memory."""

import keras
import numpy as np

from helpers.freezing import freezable  # at home: from freezing_tensors

draw = np.random.default_rng(0)
inputs, targets = draw.normal(size=(200, 4)), draw.normal(size=(200, 3))
model = keras.Sequential([keras.layers.Input([4]), keras.layers.Dense(3)])
kernel = model.layers[0].kernel
frozen = np.zeros(kernel.shape, bool)
frozen[:2] = True
before = kernel.numpy()

AdamW = freezable(keras.optimizers.AdamW, compact=True)
optimizer = AdamW(0.01, weight_decay=0.1, global_clipnorm=1.0)
optimizer.build(model.trainable_variables)
optimizer.freeze_cells(kernel, frozen)
model.compile(optimizer, "mse")
model.fit(inputs, targets, epochs=3, verbose=0)

moved = kernel.numpy() != before
held, free = moved[frozen], moved[~frozen]
print("frozen values that moved:", held.sum(), "of", held.size)
print("free values that moved:", free.sum(), "of", free.size)
