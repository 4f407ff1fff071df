"""Freeze a whole variable in a loop of your own: leave it off the list."""

import keras
import numpy as np
import tensorflow as tf

draw = np.random.default_rng(0)
inputs, targets = draw.normal(size=(200, 4)), draw.normal(size=(200, 3))
dense = keras.layers.Dense(3)
model = keras.Sequential([keras.layers.Input([4]), dense])
before = dense.kernel.numpy(), dense.bias.numpy()

free = [v for v in model.trainable_variables if v is not dense.kernel]
optimizer = keras.optimizers.AdamW(0.01, weight_decay=0.1)
optimizer.build(free)


@tf.function
def step():
    """Take one step with all examples."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(inputs) - targets) ** 2)
    optimizer.apply(tape.gradient(loss, free), free)


for _ in range(20):
    step()

held = dense.kernel.numpy() != before[0]
free = dense.bias.numpy() != before[1]
print("frozen values that moved:", held.sum(), "of", held.size)
print("free values that moved:", free.sum(), "of", free.size)
