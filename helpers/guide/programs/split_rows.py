"""Freeze the old rows of a table: new rows are a table of their own."""

import keras
import numpy as np
import tensorflow as tf

OLD, NEW = 1000, 20


class TwoTables(keras.layers.Layer):
    """A table of words: its old rows are frozen, new ones train."""

    def __init__(self, values):
        super().__init__()
        self.old = keras.layers.Embedding(OLD, 8, trainable=False)
        self.new = keras.layers.Embedding(NEW, 8)
        self.old.build()
        self.old.embeddings.assign(values)

    def call(self, words):
        """Return the rows of words, whole numbers (examples, words)."""
        old = self.old(tf.minimum(words, OLD - 1))
        new = self.new(tf.maximum(words - OLD, 0))
        return tf.where(words[..., None] < OLD, old, new)


draw = np.random.default_rng(0)
words = draw.integers(0, OLD + NEW, (2000, 5))
targets = draw.normal(size=2000)
before = draw.normal(size=(OLD, 8)).astype("float32")
table, inputs = TwoTables(before), keras.layers.Input([5], dtype="int32")
behind = [keras.layers.Flatten(), keras.layers.Dense(1)]
model = keras.Sequential([inputs, table, *behind])
first = table.new.embeddings.numpy()

model.compile(keras.optimizers.AdamW(0.01, weight_decay=0.1), "mse")
model.fit(words, targets, verbose=0)

held = table.old.embeddings.numpy() != before
free = table.new.embeddings.numpy() != first
print("frozen values that moved:", held.sum(), "of", held.size)
print("free values that moved:", free.sum(), "of", free.size)
