"""Pieces of the documentation of four libraries, which ships with them; and a small table of words
that is counted from it, where no pretrained one can be had."""

import collections
import functools
import importlib
import inspect
import re

import numpy as np

from helpers.device import tf  # first, for a quiet start of what is imported below

LIBRARIES = {
    "numpy": ("numpy", "numpy.fft", "numpy.linalg", "numpy.ma", "numpy.random"),
    "keras": tuple(
        f"keras.{name}"
        for name in ("layers", "ops", "optimizers", "losses", "metrics", "initializers")
    ),
    "matplotlib": tuple(
        f"matplotlib.{name}" for name in ("axes", "colors", "figure", "pyplot", "ticker")
    ),
    "sklearn": tuple(
        f"sklearn.{name}"
        for name in ("cluster", "ensemble", "linear_model", "metrics", "preprocessing", "svm")
    ),
}
LENGTH = 8  # words of a piece
BLOCK = 256  # rows whose neighbours are sought at once
PARTS = {"train": 0.6, "validation": 0.8, "test": 1.0}  # of a library's texts; where each ends
COUNTED, AROUND, COLUMNS = 600, 2, 64  # words of the counted table, how near, numbers a word


def texts():
    """Return library -> its docstrings, each a tuple of lower-case words."""
    found = {}
    for library, modules in LIBRARIES.items():
        shown = {}
        for module in map(importlib.import_module, modules):
            things = [thing for name, thing in sorted(vars(module).items()) if name[0] != "_"]
            shown |= {inspect.getdoc(thing) or "": None for thing in things if _explained(thing)}
        found[library] = [tuple(re.findall("[a-z]+", text.lower())) for text in shown]
    return found


def _explained(thing):
    """Return whether this has a docstring of its own, which is the same on every machine."""
    is_number = isinstance(thing, type) and issubclass(thing, (np.generic, tf.DType))
    return callable(thing) and not is_number


def pieces(words):
    """Return part -> (numbers, libraries): pieces of eight words, one after the other.

    Words without a row are left out. A docstring is in one part as a whole.

    words      texts; the number of a word is its place among them
    numbers    int32 (pieces, 8)
    libraries  int64 (pieces,): the place of its library in `LIBRARIES`
    """
    row = {word: number for number, word in enumerate(words)}
    cut = {part: ([], []) for part in PARTS}
    draw = np.random.default_rng(0)
    for place, docstrings in enumerate(texts().values()):
        for text, share in zip(docstrings, draw.permutation(len(docstrings)) / len(docstrings)):
            numbers, libraries = cut[next(part for part in PARTS if share < PARTS[part])]
            known = [row[word] for word in text if word in row]
            for end in range(LENGTH, len(known) + 1, LENGTH):
                numbers.append(known[end - LENGTH : end])
                libraries.append(place)
    return {part: (np.array(n, "int32"), np.array(k, "int64")) for part, (n, k) in cut.items()}


@functools.cache
def counted():
    """Return (tokens, rows) of the words that these texts use often, like `pretrained.table`.

    A token is "▁" and a word. Words with like neighbours have like rows, float64 (tokens, 64): the
    positive pointwise mutual information of word and neighbour, factored by the singular value
    decomposition (Levy, Goldberg and Dagan, Improving Distributional Similarity with Lessons
    Learned from Word Embeddings, 2015). All numbers together have a standard deviation of 1.
    """
    running = [word for docstrings in texts().values() for text in docstrings for word in text]
    often = collections.Counter(word for word in running if len(word) > 2)
    words = [word for word, _ in often.most_common(COUNTED)]
    row = {word: number for number, word in enumerate(words)}
    numbers = np.array([row[word] for word in running if word in row])
    together = np.zeros((len(words), len(words)))
    for apart in range(1, AROUND + 1):
        np.add.at(together, (numbers[apart:], numbers[:-apart]), 1)
    left, strength, _ = np.linalg.svd(_information(together + together.T))
    rows = left[:, :COLUMNS] * np.sqrt(strength[:COLUMNS])
    return tuple(f"▁{word}" for word in words), rows / rows.std()


def _information(together):
    """Positive pointwise mutual information of counts (words, neighbours); those of neighbours to
    the power 0.75."""
    share, near = together / together.sum(), together.sum(0) ** 0.75
    expected = share.sum(1, keepdims=True) * near / near.sum()
    gain = np.divide(share, expected, out=np.ones_like(share), where=share > 0)
    return np.maximum(np.log(gain), 0)


def nearest(rows):
    """Return the row nearest to each row, by the cosine, and never itself: int (rows,)."""
    unit = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    found = np.empty(len(rows), int)
    for start in range(0, len(rows), BLOCK):  # all at once would take memory
        some = np.arange(start, min(start + BLOCK, len(rows)))
        cosines = unit[some] @ unit.T
        cosines[some - start, some] = -2
        found[some] = cosines.argmax(axis=1)
    return found
