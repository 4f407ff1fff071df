"""A network that knows upright digits learns turned ones while some of its layers are frozen."""

import functools

import numpy as np

from helpers import networks
from helpers.device import keras
from helpers.freezing import freezable
from helpers.names import known
from helpers.studies import continual, trials

WIDTHS, ALL = (64, 64), 1_047  # units of the hidden layers; pictures to train on
HIDDEN = 4  # of the six variables are of the hidden layers
KINDS = "free", "frozen"
PARTS = "validation", "test"


class TurnedReader:
    """A dense network that has learnt upright digits from each seed, and learns turned ones, with
    Adam. What it has tried it keeps."""

    def __init__(self):
        self._network = networks.dense(0, WIDTHS, dtype="float64")
        self._optimizer = freezable(keras.optimizers.Adam)()
        self._trial = trials.Trial(self._network, self._optimizer, jit_compile=True, batch=32)

    @functools.cache  # noqa: B019 (there is one reader on a page)
    def judged(self, kind, rate, steps, seed, images=300, degrees=45, wrong=0):
        """Train a copy, and return three numbers, in %: its accuracy on the validation part and on
        the test part, and how many of the wrong labels that it learnt it gives as its answer (NaN
        if there were none).

        Args:
            kind: "free", or "frozen": then the hidden layers are.
            rate: Adam's.
            steps: on batches of 32.
            seed: of the network, of the order of the pictures, and of the wrong labels.
            images: on so many pictures it trains.
            degrees: by which they are turned.
            wrong: the share of these pictures whose label is wrong, from 0 to 1.
        """
        kind, task = known("kind", kind, KINDS), self._task(degrees)
        order = np.random.default_rng(seed).permutation(ALL)[:images]
        pictures, labels = (values[order] for values in task.part["train"])
        changed = round(wrong * images)
        labels = np.append(_others(labels[:changed], seed), labels[changed:])
        self._train(self._base(seed), kind, rate, steps, seed, pictures, labels)
        by_heart = np.nan
        if changed:
            by_heart = self._trial.accuracy(pictures[:changed], labels[:changed])
        return [*(self._trial.accuracy(*task.part[part]) for part in PARTS), by_heart]

    @functools.cache  # noqa: B019 (there is one reader on a page)
    def _base(self, seed):
        """Weights that have learnt the upright digits."""
        drawn, (pictures, labels) = networks.drawn(seed, WIDTHS), self._task(0).part["train"]
        order = np.random.default_rng(seed).permutation(ALL)
        self._train(drawn, "free", 0.003, 400, seed, pictures[order], labels[order])
        return self._network.get_weights()

    @functools.cache  # noqa: B019 (there is one reader on a page)
    def _task(self, degrees):
        """The digits, turned."""
        (task,) = continual.rotated([degrees])
        return task

    def _train(self, weights, kind, rate, steps, seed, pictures, labels):
        """Train from these weights."""
        self._trial.restart(weights)
        self._optimizer.learning_rate.assign(rate)
        held = 0 if kind == "free" else HIDDEN
        variables = enumerate(self._trial.variables)
        self._trial.freeze([np.full(v.shape, n < held) for n, v in variables])
        self._trial.train(pictures, labels, steps, seed)


def _others(labels, seed):
    """Return for each label one of the nine others, by chance."""
    return (labels + np.random.default_rng(seed).integers(1, 10, len(labels))) % 10
