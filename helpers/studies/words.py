"""A small table of words that means something, and the model that made it.

The first text is English that ships with Keras, the docstrings of its layers, operations,
optimizers and losses; the second is what scikit-learn tells of its datasets. The old table is
counted from the first text; a model guesses the middle word of five from the rows of the others.
"""

import collections
import functools
import inspect
import re

import numpy as np

from helpers import datasets
from helpers.device import keras

LEAST_OLD, LEAST_NEW = 24, 8  # how often a word must occur to get a row
UNITS = 32
WIDTH = 5


@functools.cache
def docstrings():
    """Return the words of Keras' public docstrings, one after the other, a tuple of str."""
    modules = keras.layers, keras.ops, keras.optimizers, keras.losses
    found = {}
    for module in modules:
        for name, thing in sorted(vars(module).items()):
            if callable(thing) and not name.startswith("_"):
                found[inspect.getdoc(thing) or ""] = None
    return tuple(re.findall("[a-z]+", " ".join(found).lower()))


@functools.cache
def vocabulary():
    """Return (words, old): every word that has a row, of which the first `old` are in the old
    table. A word must be of two letters or more, and occur often enough in its text."""
    old = _frequent(docstrings(), LEAST_OLD)
    new = _frequent(datasets.english().split(), LEAST_NEW)
    return (*old, *(word for word in new if word not in set(old))), len(old)


def _frequent(text, least):
    counts = collections.Counter(text)
    often = [w for w, n in counts.items() if n >= least and len(w) > 1 and w.isalpha()]
    return sorted(often, key=lambda word: (-counts[word], word))


def windows(text, words):
    """Return (around, middle) of all windows of five words, words without a row left out.

    around  int32 (windows, 4): the rows of the two words before and the two behind
    middle  int32 (windows,): the row of the word to guess
    """
    row = {word: number for number, word in enumerate(words)}
    rows = np.array([row[word] for word in text if word in row], "int32")
    fives = np.lib.stride_tricks.sliding_window_view(rows, WIDTH)
    return fives[:, [0, 1, 3, 4]], fives[:, 2]


def meanings(around, middle, count, units=UNITS):
    """Return a table, float64 (count, units), in which words with like neighbours have like rows.

    `around` and `middle` are windows, see `windows`. The positive pointwise mutual information of
    word and neighbour, with neighbours' counts to the power 0.75, is factored by the singular value
    decomposition (Levy, Goldberg and Dagan, Improving Distributional Similarity with Lessons
    Learned from Word Embeddings, 2015). All numbers together have a standard deviation of 0.2.
    """
    together = np.zeros((count, count))
    np.add.at(together, (np.repeat(middle, around.shape[1]), around.ravel()), 1)
    share = together / together.sum()
    near = together.sum(0) ** 0.75
    expected = share.sum(1, keepdims=True) * near / near.sum()
    gain = np.log(np.divide(share, expected, out=np.ones_like(share), where=share > 0))
    left, strength, _ = np.linalg.svd(np.maximum(gain, 0))
    rows = left[:, :units] * np.sqrt(strength[:units])
    largest = np.abs(rows).argmax(axis=0)
    rows *= np.sign(rows[largest, np.arange(units)])  # the decomposition leaves the signs open
    return rows * 0.2 / rows.std()


def guesser(count, seed, units=UNITS):
    """Return a model that guesses the middle word, float64: rows of four words, (batch, 4), to a
    score for each of `count` words. Its layers are named `table` and `scores`."""
    near = keras.initializers.RandomNormal(stddev=0.1, seed=seed)
    table = keras.layers.Embedding(count, units, near, dtype="float64", name="table")
    wide = keras.initializers.GlorotUniform(seed=seed)
    scores = keras.layers.Dense(count, kernel_initializer=wide, dtype="float64", name="scores")
    around = keras.Input((WIDTH - 1,), dtype="int32")
    return keras.Model(around, scores(keras.ops.mean(table(around), axis=1)))


def batches(count, steps, seed, size=64):
    """Return the places of windows for each step, int (steps, size), drawn of `count` by lot."""
    return np.random.default_rng(seed).integers(count, size=(steps, size))


def nearest(table, count=1):
    """Return the rows nearest to each row of a table by the cosine, int (rows, count)."""
    length = np.linalg.norm(table, axis=1, keepdims=True)
    unit = table / np.maximum(length, 1e-12)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -2)
    return np.argsort(-cosines, axis=1, kind="stable")[:, :count]
