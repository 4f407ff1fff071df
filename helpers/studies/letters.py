"""A small model of letters: after one character, which comes next? It has ten rows to learn.

Its table holds a row of numbers for each character. It was trained on English text, but it was
never asked what follows a digit, so the rows of the ten digits still are as they were drawn.
"""

import functools

import numpy as np

from helpers import datasets
from helpers.device import keras, tf
from helpers.model_trainer import ModelTrainer

CHARACTERS = " abcdefghijklmnopqrstuvwxyz0123456789"
DIGITS = CHARACTERS[-10:]
WIDTH = 16  # numbers in a row of the table
STEPS = 300


def pairs(of_digits):
    """Return (inputs, targets), int64 (pairs,) each: characters of a text and the ones that follow
    them, by their places in `CHARACTERS`. Either those pairs whose first character is a digit, or
    those whose first is none."""
    text = np.array([CHARACTERS.index(character) for character in datasets.english()])
    chosen = (text[:-1] >= CHARACTERS.index("0")) == of_digits
    return text[:-1][chosen], text[1:][chosen]


def pretrained():
    """Return a Keras model, float64: numbers of characters (batch,) to logits (batch, characters).

    Its variables are the table, (characters, WIDTH), and the kernel and bias of the layer behind
    it. It is trained on whole counts of pairs, so that every machine gets the same numbers.
    """
    model = _untrained()
    model.set_weights(_trained())
    return model


def chances(model, character):
    """Return how likely each of `CHARACTERS` is to follow a character, float (characters,)."""
    logits = model(np.array([CHARACTERS.index(character)]))[0]
    return np.asarray(keras.ops.softmax(logits))


@functools.cache
def _trained():
    """Return the weights after training, a list of arrays; a page asks for several such models."""
    counts = np.zeros((len(CHARACTERS), len(CHARACTERS)))
    np.add.at(counts, pairs(of_digits=False), 1)
    asked = np.flatnonzero(counts.any(1))
    shares, model = counts[asked] / counts.sum(), _untrained()
    trainer = ModelTrainer(model, keras.optimizers.Adam(0.05), _cross_entropy)
    step = tf.function(trainer.step)
    for _ in range(STEPS):
        step(asked, shares)
    return model.get_weights()


def _cross_entropy(shares, logits):
    """With a share for each character instead of a label; all of them sum to 1."""
    return -tf.reduce_sum(shares * tf.nn.log_softmax(logits))


def _untrained():
    draw = [keras.initializers.RandomNormal(stddev=0.3, seed=seed) for seed in (0, 1)]
    size = len(CHARACTERS)
    layers = [
        keras.layers.Input((), dtype="int64"),
        keras.layers.Embedding(size, WIDTH, draw[0], dtype="float64", name="table"),
        keras.layers.Dense(size, kernel_initializer=draw[1], dtype="float64", name="head"),
    ]
    return keras.Sequential(layers, name="letters")
