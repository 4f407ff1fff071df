"""A network that knows upright digits learns turned ones while some of its layers are frozen."""

import functools

import numpy as np

from helpers import networks
from helpers.device import keras, tf
from helpers.names import known
from helpers.studies import continual, trials

WIDTHS = (64, 64)  # units of the hidden layers
HIDDEN = 2 * len(WIDTHS)  # variables, the first ones, are of the hidden layers
KINDS = "free", "frozen"


class TurnedReader:
    """A dense network that has learnt upright digits from each seed, and learns turned ones, with
    Adam. What it has tried it keeps.

    What frozen layers make of a picture stays as it is. So where the hidden layers are frozen, it
    is computed once, and a copy of the last layer learns from that: the same training in a fifth
    of the time.
    """

    def __init__(self):
        self._network = networks.dense(0, WIDTHS, dtype="float64")
        *hidden, last = self._network.layers
        self._hidden = tf.function(keras.Sequential([self._network.inputs[0], *hidden]))
        copy = keras.layers.Dense(last.units, dtype="float64")
        alone = keras.Sequential([keras.Input((WIDTHS[-1],), dtype="float64"), copy])
        models = zip(KINDS, (self._network, alone))
        self._trials = {kind: _trial(model) for kind, model in models}

    @functools.cache  # noqa: B019 (there is one reader on a page)
    def judged(self, kind, rate, steps, seed, images=300, degrees=45, wrong=0):
        """Train a copy, and return three numbers, in %: its accuracy on the validation part and on
        the test part, and how many of the wrong labels that it learnt it gives as its answer (NaN
        if there were none).

        kind     "free", or "frozen": then the hidden layers are
        rate     Adam's
        steps    on batches of 32
        seed     of the network, of the order of the pictures, and of the wrong labels
        images   on so many pictures it trains
        degrees  by which they are turned
        wrong    the share of these pictures whose label is wrong, from 0 to 1
        """
        kind, task = known("kind", kind, KINDS), continual.turned_by(degrees)
        pictures, labels = (values[:images] for values in _shuffled(task, seed))
        changed = round(wrong * images)
        labels = np.append(_others(labels[:changed], seed), labels[changed:])
        self._train(self._base(seed), kind, rate, steps, seed, pictures, labels)
        accuracy, by_heart = self._trials["free"].accuracy, np.nan
        if changed:
            by_heart = accuracy(pictures[:changed], labels[:changed])
        return [*(accuracy(*task.part[part]) for part in ("validation", "test")), by_heart]

    @functools.cache  # noqa: B019 (there is one reader on a page)
    def _base(self, seed):
        """Weights that have learnt the upright digits."""
        examples = _shuffled(continual.upright(), seed)
        self._train(networks.initial_weights(seed, WIDTHS), "free", 0.003, 400, seed, *examples)
        return self._network.get_weights()

    def _train(self, weights, kind, rate, steps, seed, pictures, labels):
        """Train from these weights, and leave the network with what has been learnt."""
        self._network.set_weights(weights)
        trial, learns = self._trials[kind], weights
        if kind == "frozen":
            pictures = self._hidden(tf.constant(pictures)).numpy()
            learns = weights[HIDDEN:]
        trial.restart(learns, rate)
        trial.train(pictures, labels, steps, seed)
        if kind == "frozen":
            self._network.set_weights([*weights[:HIDDEN], *trial.model.get_weights()])


def _trial(model):
    """Make the model ready to be trained again and again."""
    return trials.Trial(model, keras.optimizers.Adam(), jit_compile=True, batch=32)


def _shuffled(task, seed):
    """Return the pictures and labels to train on, in an order that the seed decides."""
    pictures, labels = task.part["train"]
    order = np.random.default_rng(seed).permutation(len(labels))
    return pictures[order], labels[order]


def _others(labels, seed):
    """Return for each label one of the nine others, by chance."""
    return (labels + np.random.default_rng(seed).integers(1, 10, len(labels))) % 10
