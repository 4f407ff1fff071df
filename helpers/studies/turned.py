"""A reader of upright digits learns turned ones while some of its layers are frozen."""

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


class TurnedReader:
    """A dense network that has learnt upright digits from each seed, and learns turned ones, with
    Adam. What it has tried it keeps."""

    def __init__(self):
        self._network = networks.dense(0, WIDTHS, dtype="float64")
        self._optimizer = freezable(keras.optimizers.Adam)()
        self._trial = trials.Trial(self._network, self._optimizer, jit_compile=True, batch=32)

    @functools.cache  # noqa: B019 (there is one reader on a page)
    def judged(self, kind, rate, steps, seed, images=300, degrees=45):
        """Train a copy, and return what is read, of 100: of the validation part, of the test part,
        and of the pictures that were learnt.

        Args:
            kind: "free", or "frozen": then the hidden layers are.
            rate: Adam's.
            steps: on batches of 32.
            seed: of the network, and of the order of the pictures.
            images: on so many pictures it trains.
            degrees: by which they are turned.
        """
        begin, task = self._base(seed), self._task(degrees)
        kind = known("kind", kind, KINDS)
        learnt = self._train(begin, kind, rate, steps, seed, task, images)
        parts = [task.part["validation"], task.part["test"], learnt]
        return [self._trial.accuracy(*part) for part in parts]

    @functools.cache  # noqa: B019 (there is one reader on a page)
    def _base(self, seed):
        """Weights that have learnt the upright digits."""
        drawn, upright = networks.drawn(seed, WIDTHS), self._task(0)
        self._train(drawn, "free", 0.003, 400, seed, upright, ALL)
        return self._network.get_weights()

    @functools.cache  # noqa: B019 (there is one reader on a page)
    def _task(self, degrees):
        """The digits, turned."""
        (task,) = continual.rotated([degrees])
        return task

    def _train(self, weights, kind, rate, steps, seed, task, images):
        """Train from these weights; return the pictures that were learnt, and their labels."""
        self._trial.restart(weights)
        self._optimizer.learning_rate.assign(rate)
        held = 0 if kind == "free" else HIDDEN
        variables = enumerate(self._trial.variables)
        self._trial.freeze([np.full(v.shape, n < held) for n, v in variables])
        order = np.random.default_rng(seed).permutation(ALL)[:images]
        learnt = [values[order] for values in task.part["train"]]
        self._trial.train(*learnt, steps, seed)
        return learnt
