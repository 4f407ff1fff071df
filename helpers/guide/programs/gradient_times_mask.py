"""Freeze single values under plain descent: gradients times 0."""

import keras
import numpy as np
import tensorflow as tf

draw = np.random.default_rng(0)
inputs, targets = draw.normal(size=(200, 4)), draw.normal(size=(200, 3))
model = keras.Sequential([keras.layers.Input([4]), keras.layers.Dense(3)])
kernel = model.layers[0].kernel
frozen = np.zeros(kernel.shape, bool)
frozen[:2] = True
before = kernel.numpy()
optimizer = keras.optimizers.SGD(0.1)  # no momentum, and no decay
optimizer.build(model.trainable_variables)


@tf.function
def step():
    """Take one step with all examples."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(inputs) - targets) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    gradients[0] *= tf.cast(~frozen, tf.float32)  # of the kernel
    optimizer.apply(gradients, model.trainable_variables)


for _ in range(20):
    step()

moved = kernel.numpy() != before
held, free = moved[frozen], moved[~frozen]
print("frozen values that moved:", held.sum(), "of", held.size)
print("free values that moved:", free.sum(), "of", free.size)
