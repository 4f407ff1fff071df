"""The smallest classifier of digits, from several seeds side by side, with cells frozen: how much
of each digit it reads.

All is computed in float64, so that other machines come to the same figures.
"""

import numpy as np

from helpers.device import keras, tf
from helpers.freezing import freezable
from helpers.model_trainer import ModelTrainer
from helpers.networks import cross_entropy
from helpers.studies import continual, trials

STEPS, RATE = 400, 0.01
SMALL = 0.02  # how large the first weights are, as in the playground


class Pictures(ModelTrainer):
    """A softmax regression for each of the `seeds`, trained side by side: a digit's weights are a
    picture of 64 cells, a column of its kernel (64, 10).

    A seed decides on the first weights and on the batches. `kernels` are the weights after the
    latest training, float64 (seeds, 64, 10).
    """

    def __init__(self, seeds):
        self._seeds, task = list(seeds), continual.upright()
        self._test, self._train_part = task.part["test"], trials.ready(*task.part["train"])
        self._layer = _SideBySide(len(self._seeds), dtype="float64")
        self._layer.build(None)
        loss = self._sum_of_losses
        super().__init__(self._layer, freezable(keras.optimizers.Adam)(RATE), loss)
        self._make_new = trials.restorer(self.optimizer.variables)
        self._run = tf.function(self._train)

    def read(self, frozen, first=None, steps=STEPS):
        """Train anew, and return how many of a hundred test pictures of each digit each seed's
        classifier reads, float (seeds, 10).

        frozen  bool (64, 10), or one such mask a seed, True = frozen
        first   the weights to begin with, float64 (seeds, 64, 10), if not those of the seeds
        """
        shape = self._layer.kernel.shape
        self._make_new()
        self._layer.set_weights([self.first() if first is None else first, np.zeros(shape[::2])])
        self.freeze([np.broadcast_to(frozen, shape), np.zeros(shape[::2], bool)])
        self._run(tf.constant(steps))
        return np.array([_by_digit(right, self._test[1]) for right in self._right()])

    def first(self):
        """Return the weights with which each seed begins, float64 (seeds, 64, 10): noise."""
        drawn = [np.random.default_rng(seed).normal(0, SMALL, (64, 10)) for seed in self._seeds]
        return np.array(drawn)

    @property
    def kernels(self):
        """The weights after the latest training."""
        return self._layer.kernel.numpy()

    def _right(self):
        pictures, labels = self._test
        scores = self._layer(tf.constant(pictures)[None]).numpy()
        return scores.argmax(-1) == labels

    def _sum_of_losses(self, labels, scores):
        """No classifier's gradient depends on how many others there are."""
        return len(self._seeds) * cross_entropy(labels, scores)

    def _train(self, steps):
        pictures, labels, count = self._train_part

        def batch(number):
            drawn = tf.stack([trials.places(count, seed, number) for seed in self._seeds])
            return tf.gather(pictures, drawn), tf.gather(labels, drawn)

        self.steps(batch, steps)


class _SideBySide(keras.layers.Layer):
    """Linear classifiers: pictures (classifiers or 1, examples, 64) to scores (classifiers,
    examples, 10)."""

    def __init__(self, count, **options):
        super().__init__(**options)
        self._count = count

    def build(self, _):
        self.kernel = self.add_weight((self._count, 64, 10))
        self.bias = self.add_weight((self._count, 10))

    def call(self, pictures):
        return tf.matmul(pictures, self.kernel) + self.bias[:, None]


def whole(*digits):
    """Return the mask, bool (64, 10), that freezes the whole pictures of these digits."""
    frozen = np.zeros((64, 10), bool)
    frozen[:, list(digits)] = True
    return frozen


def _by_digit(right, labels):
    return [100 * right[labels == digit].mean() for digit in range(10)]
