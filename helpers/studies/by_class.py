"""The smallest classifier of digits, with cells frozen: which digits it still reads, and for what
it takes the others.

All is computed in float64, so that other machines come to the same figures.
"""

import numpy as np

from helpers.device import keras
from helpers.freezing import freezable
from helpers.studies import continual, trials

STEPS, RATE = 400, 0.01
SMALL = 0.02  # how large the first weights are, as in the playground


class Pictures:
    """A softmax regression, compiled once: a digit's weights are a picture of 64 cells, a column of
    the kernel (64, 10).

    `pictures` and `labels` are those of the test part.
    """

    def __init__(self):
        self._task = continual.upright()
        self.pictures, self.labels = self._task.part["test"]
        self._layer = keras.layers.Dense(10, dtype="float64")
        model = keras.Sequential([keras.layers.Input((64,)), self._layer])
        self._trial = trials.Trial(model, freezable(keras.optimizers.Adam)(RATE))
        self.confusion(0, whole(), steps=0)  # compiled now, before other threads compile anything

    def confusion(self, seed, frozen, steps=STEPS):
        """Train from the seed's first weights, while the cells of a bool mask (64, 10), True =
        frozen, keep theirs; return float (10, 10): of a hundred test pictures of each digit, a row,
        how many are taken for each digit, a column."""
        self._start(seed, frozen)
        self._trial.train(*self._task.part["train"], steps, seed)
        return self._table()

    def course(self, seed, frozen, points, every=10):
        """Train likewise, and look each time that `every` steps are over: float (points, 10), how
        many of a hundred pictures of each digit are read."""
        self._start(seed, frozen)
        read = []
        for point in range(points):
            self._trial.train(*self._task.part["train"], every, 1_000 * seed + point)
            read.append(np.diag(self._table()))
        return np.array(read)

    def _start(self, seed, frozen):
        first = np.random.default_rng(seed).normal(0, SMALL, (64, 10))
        self._trial.restart([first, np.zeros(10)])
        self._trial.freeze([frozen, np.zeros(10, bool)])

    def _table(self):
        answers = self._trial.logits(self.pictures).numpy().argmax(1)
        counts = np.zeros((10, 10))
        np.add.at(counts, (self.labels, answers), 1)
        return 100 * counts / counts.sum(axis=1, keepdims=True)

    @property
    def kernel(self):
        """The weights after the latest training, float64 (64, 10)."""
        return self._layer.kernel.numpy()


def whole(*digits):
    """Return the mask, bool (64, 10), that freezes the whole pictures of these digits."""
    frozen = np.zeros((64, 10), bool)
    frozen[:, list(digits)] = True
    return frozen


def draw_confusion(axes, table, title=""):
    """Draw a table (10, 10) of `Pictures.confusion`, from white for none to dark for all; numbers
    from 10 up stand in their cells."""
    axes.imshow(table, cmap="Purples", vmin=0, vmax=100)
    for digit, taken_for in np.argwhere(table >= 10):
        share = table[digit, taken_for]
        colour = "white" if share > 50 else "black"
        place = dict(ha="center", va="center", size=7, color=colour)
        axes.text(taken_for, digit, f"{share:.0f}", **place)
    axes.set(title=title, xlabel="is taken for", ylabel="digit")
    axes.set_xticks(range(10))
    axes.set_yticks(range(10))
    return axes
