"""The order: a shipped reader of the digits 0 to 8 is to learn the 9, and old scores must stay.

All is computed in float64, so that other machines come to the same figures.
"""

import functools
import itertools
import tempfile
from pathlib import Path

import numpy as np

from helpers import masks, networks
from helpers.capstone.plan import BUDGET, HELD_BY_OPTIMIZER, NEW, OPTIMIZERS, Plan
from helpers.capstone.report import Report
from helpers.device import keras
from helpers.freezing import freezable
from helpers.optimizers import optimizer_class
from helpers.studies import continual, trials
from helpers.studies.costs import slots
from helpers.techniques import TECHNIQUES

SHIPPED, STEPS = 200, 100  # steps before shipping; for the new digit, on either side of the break


class Order:
    """A reader as it was shipped, and what is there to teach it the new digit with.

    The network has two hidden layers of 128 and ten outputs; nothing has ever trained the tenth. It
    is made from `seed`, and shipped after training on the digits 0 to 8. `pictures` and `labels`
    map "train", "validation" and "test" to arrays, float64 (examples, 64) and int64 (examples,).
    `shipped` are its six arrays of weights, kernels and biases in turn.
    """

    def __init__(self, seed):
        parts, self.seed = continual.upright().part, seed
        self.pictures, self.labels = ({n: p[k] for n, p in parts.items()} for k in (0, 1))
        self.shipped = _shipped(seed)
        self.names = ["first kernel", "first bias", "second kernel", "second bias"]
        self.names += ["last kernel", "last bias"]

    def masks(self, trains):
        """Return the masks of a choice in `plan.TRAINS`, one an array of weights, True = frozen."""
        if not isinstance(trains, str):
            masks.check_one_each(trains, self.names)
            return [masks.as_frozen(m, w.shape) for m, w in zip(trains, self.shipped)]
        if trains == "Fisher":
            return masks.all_but_largest(self._fisher(), self._share())
        if trains == "at random":
            draw = np.random.default_rng(self.seed)
            return masks.all_but_largest(
                [draw.random(w.shape) for w in self.shipped], self._share()
            )
        frozen = [np.full(w.shape, trains != "everything") for w in self.shipped]
        last = np.s_[:] if trains == "last layer" else np.s_[..., NEW]
        frozen[4][last] = frozen[5][last] = False
        if trains == "new output, all biases":
            frozen[5][:] = False
        return frozen

    def ship(self, plan=None, **choices):
        """Do the work by a Plan, or by one made of the `choices`, and return a Report.

        100 steps with the first optimizer; the model is saved with its optimizer to a file, and
        loaded; then 100 steps with the other optimizer, which is new.
        """
        plan = plan or Plan(**choices)
        frozen = self.masks(plan.trains)
        first, second = (self._bench(plan, name, frozen) for name in plan.optimizers)
        lessons = self.lessons(plan.all_pictures)
        first.start(self.shipped, frozen)
        first.train(*lessons, STEPS, 2 * self.seed)
        at_break = first.model.get_weights()
        weights, found = first.saved_and_loaded()
        handed_over = plan.freeze_again or plan.freeze_by not in HELD_BY_OPTIMIZER
        second.start(weights, found if handed_over else None)
        second.train(*lessons, STEPS, 2 * self.seed + 1)
        weights = [self.shipped, at_break, second.model.get_weights()]
        return Report(self, plan, frozen, weights, second.kept())

    def scores(self, weights, part="test"):
        """Return the ten scores of the old pictures and of the new digit's, two float64 arrays
        (examples, 10), by a network with these weights."""
        hidden, new = self.pictures[part], self.labels[part] == NEW
        for kernel, bias in zip(weights[:-2:2], weights[1:-2:2]):
            hidden = np.maximum(hidden @ kernel + bias, 0)
        scores = hidden @ weights[-2] + weights[-1]
        return scores[~new], scores[new]

    def _share(self):
        return BUDGET / sum(w.size for w in self.shipped)

    def _bench(self, plan, optimizer, frozen):
        """Return the bench for such a plan; by flags, layers freeze of which no cell trains."""
        layers = [all(map(np.all, pair)) for pair in zip(frozen[::2], frozen[1::2])]
        flagged = tuple(layers) if plan.freeze_by == "flags" else (False,) * 3
        # A compact optimizer wants its first mask before its first step: there is one for each run.
        make = _Workshop if plan.freeze_by == "compact" else _workshop
        return make(plan.freeze_by, optimizer, flagged)

    def lessons(self, all_pictures=False):
        """Return the pictures of the new digit, and as many old ones, drawn at random by the seed,
        or all of them; and their labels."""
        pictures, labels = self.pictures["train"], self.labels["train"]
        if all_pictures:
            return pictures, labels
        new, old = np.flatnonzero(labels == NEW), np.flatnonzero(labels != NEW)
        drawn = np.random.default_rng(self.seed).choice(old, len(new), replace=False)
        places = np.concatenate([new, drawn])
        return pictures[places], labels[places]

    def _fisher(self):
        model = networks.dense(0, dtype="float64")
        model.set_weights(self.shipped)
        pictures, labels = self.pictures["train"], self.labels["train"]
        return trials.fisher(model, pictures[labels == NEW], labels[labels == NEW])


class _Workshop(trials.Trial):
    """A network, an optimizer and a compiled step: a part of the work, as often as wanted."""

    def __init__(self, freeze_by, optimizer, flagged):
        model = networks.dense(0, dtype="float64")
        for layer, flag in zip(model.layers, flagged):
            layer.trainable = not flag
        kind, technique = optimizer_class(optimizer), TECHNIQUES.get(freeze_by, TECHNIQUES["none"])
        if freeze_by in HELD_BY_OPTIMIZER:
            kind = freezable(kind, compact=freeze_by == "compact")
            technique = TECHNIQUES["exact"]
        super().__init__(model, kind(**OPTIMIZERS[optimizer]), technique=technique)
        model.compile(self.optimizer)

    def start(self, weights, frozen):
        """Take weights, a new optimizer, and a mask for each variable; None: nothing is frozen."""
        self.restart(weights)
        self._masks = frozen or [np.zeros(w.shape, bool) for w in weights]
        trains = [variable.trainable for variable in self.model.weights]  # not if it is flagged
        self.freeze(list(itertools.compress(self._masks, trains)))

    def saved_and_loaded(self):
        """Save the model with its optimizer, load both as a new session would, and return the
        weights and the masks that are found there."""
        with tempfile.TemporaryDirectory() as folder:
            self.model.save(Path(folder, "reader.keras"))
            model = keras.models.load_model(Path(folder, "reader.keras"))
        if not self.technique.exact:
            return model.get_weights(), self._masks
        return model.get_weights(), [model.optimizer.frozen_cells(v).numpy() for v in model.weights]

    def kept(self):
        """Return how many bytes the optimizer keeps, and the masks, wherever they are."""
        return slots(self.optimizer) + sum(mask.numpy().nbytes for mask in self.frozen)


@functools.cache
def _workshop(freeze_by, optimizer, flagged):
    """One for all orders, since its step is compiled once."""
    return _Workshop(freeze_by, optimizer, flagged)


@functools.cache
def _school():
    """Return the training of readers that are shipped, compiled once for all seeds. The tenth
    output is left out of the loss."""
    asked = np.where(np.arange(10) == NEW, -np.inf, 0.0)

    def loss(labels, scores):
        return networks.cross_entropy(labels, scores + asked)

    return trials.Trial(networks.dense(0, dtype="float64"), keras.optimizers.Adam(0.003), loss)


@functools.cache
def _shipped(seed):
    """Return the weights of the reader that is shipped: six arrays, read-only by custom."""
    pictures, labels = continual.upright().part["train"]
    school, old = _school(), labels != NEW
    school.restart(networks.initial_weights(seed))
    school.train(pictures[old], labels[old], SHIPPED, seed)
    return school.model.get_weights()
