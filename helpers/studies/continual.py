"""Tasks learnt one after another by one network: what is left of each.

All is computed in float64, so that other machines come to the same figures.
"""

import dataclasses
import functools

import numpy as np

from helpers import datasets, networks
from helpers.device import tf
from helpers.model_trainer import ModelTrainer
from helpers.studies import trials
from helpers.techniques import TECHNIQUES, Technique

STEPS = 100
VALIDATION = 300  # of the pictures to train on; a setting is chosen on these
DEGREES = (0, 45, 90)


@dataclasses.dataclass(frozen=True, eq=False)
class Task:
    """Pictures, float64 (examples, 64), and labels, int64 (examples,), of each `part`: "train",
    "validation" and "test"."""

    part: dict


def upright():
    """Return one task: the digits as they are."""
    return turned_by(0)


def rotated(degrees=DEGREES):
    """Return a task for each angle: all digits, turned by so many degrees."""
    return [turned_by(each) for each in degrees]


@functools.cache
def turned_by(degrees):
    """Return the task of all digits, turned by so many degrees: the same one each time."""
    (pictures, labels), tested = datasets.digits_split()
    parts = {
        "train": (pictures[VALIDATION:], labels[VALIDATION:]),
        "validation": (pictures[:VALIDATION], labels[:VALIDATION]),
        "test": tested,
    }
    views = {name: datasets.rotated(shown, degrees) for name, (shown, _) in parts.items()}
    return Task({name: (views[name].astype("float64"), d) for name, (_, d) in parts.items()})


class Learner(ModelTrainer):
    """Trains a dense network, compiled once, that learns tasks as often as wanted.

    optimizer    a Keras optimizer, not built
    recipe       a function (gradient, frozen) -> gradient of `helpers/techniques.py`; without one,
                 the optimizer must be a freezable one, and freezes by itself
    widths       of the hidden layers
    batch        how many pictures are in a batch
    jit_compile  as in `trials.Trial`
    """

    def __init__(
        self, optimizer, recipe=None, widths=(128, 128), batch=trials.BATCH, jit_compile=False
    ):
        technique = Technique("a recipe", gradient=recipe) if recipe else TECHNIQUES["exact"]
        model, self._widths = networks.dense(0, widths, dtype="float64"), widths
        super().__init__(model, optimizer, self._cost, technique)
        if jit_compile and technique.exact and hasattr(optimizer, "freeze_cells"):
            # Masks, though they freeze nothing: XLA would compile once more for the first ones.
            self.freeze([np.zeros(v.shape, bool) for v in self.variables])
        self._make_new = trials.restorer(optimizer.variables)
        self._thaw = trials.restorer(self.frozen)
        self._batch, self._jit_compile = batch, jit_compile
        self._extra, self._programs = None, {}
        self._fisher = trials.fisher_of(self.model)
        self._logits = tf.function(self.model, reduce_retracing=True)
        self._learnt = {}  # what weights and optimizer were after a run's first task

    def start(self, seed, learnt=None):
        """Begin a run: weights drawn from the seed, an empty optimizer, nothing frozen.

        `learnt` is a task that is learnt at once, by 100 steps; runs that begin alike take them
        once.
        """
        self._seed = seed
        self.model.set_weights(networks.initial_weights(seed, self._widths))
        self.forget_momentum()
        self._thaw()
        if learnt:
            self._learn_first(learnt)

    def _learn_first(self, task):
        begun, state = (self._seed, task), [*self.variables, *self.optimizer.variables]
        if begun not in self._learnt:
            self.learn(task)
            self._learnt[begun] = self._seed, [variable.numpy() for variable in state]
        self._seed, values = self._learnt[begun]
        for variable, value in zip(state, values, strict=True):
            variable.assign(value)

    def forget_momentum(self):
        """Make the optimizer as it was when it was new, its masks and learning rate included."""
        self._make_new()

    def freeze(self, frozen, on_thaw="reset"):
        """Freeze cells, and thaw the others: a bool mask for each variable, True = frozen."""
        super().freeze(frozen, on_thaw)

    def learn(self, task, steps=STEPS, memory=None, extra=None):
        """Take steps on batches of pictures of a task; a second call draws others.

        memory  pictures and labels of which one half of each batch is drawn
        extra   a function (pictures, logits) -> scalar tensor that is added to the loss; it is
                compiled once, and may read `variables`
        """
        self._seed += 1_000
        examples = _behind(task, memory) if memory else _alone(task)
        half = self._batch // 2 if memory else 0
        self._program(extra)(*examples, *map(tf.convert_to_tensor, (half, steps, self._seed)))

    def _program(self, extra):
        """Return the compiled steps with this in the loss; it is traced when it is first called."""
        self._extra = extra
        if extra not in self._programs:
            options = dict(reduce_retracing=True, jit_compile=self._jit_compile)
            self._programs[extra] = tf.function(functools.partial(self._train), **options)
        return self._programs[extra]

    def answers(self, task, weights=None, part="test"):
        """Return the digits, int (examples,), that a task's pictures are taken for; by other
        weights than the present ones, if these are given."""
        if weights is not None:
            present = self.model.get_weights()
            self.model.set_weights(weights)
            given = self.answers(task, part=part)
            self.model.set_weights(present)
            return given
        logits = self._logits(tf.constant(task.part[part][0]), training=False).numpy()
        return logits.argmax(-1)

    def right(self, task, weights=None, part="test"):
        """Return how many in a hundred of these answers are right, a float."""
        _, labels = task.part[part]
        return networks.per_cent(self.answers(task, weights, part) == labels)

    def fisher(self, task, examples=256):
        """Return how strongly the loss of a task depends on each weight, as arrays of float64: the
        squared gradient of one picture's loss, averaged over pictures; see `trials.fisher`."""
        pictures, labels = (values[:examples] for values in task.part["train"])
        return self._fisher(pictures, labels)

    def _train(self, pictures, labels, counts, half, steps, seed):
        remembered = tf.range(self._batch) < half

        def batch(step):
            new, old = (trials.places(counts[n], seed, 2 * step + n, self._batch) for n in range(2))
            drawn = tf.where(remembered, counts[0] + old, new)
            shown = tf.gather(pictures, drawn)
            return shown, tf.gather(labels, drawn), shown

        self.steps(batch, steps)

    def _cost(self, digits, logits, pictures):
        cost = networks.cross_entropy(digits, logits)
        return cost + self._extra(pictures, logits) if self._extra else cost


@functools.lru_cache(maxsize=4)  # as many as a row of tasks, 2 MB each
def _alone(task):
    """Return what a Learner draws from: pictures, labels, and how many are new and old, as
    tensors."""
    pictures, labels = task.part["train"]
    return _examples(pictures, labels, (len(labels), 1))  # of no old ones none could be drawn


def _behind(task, memory):
    """Return the same with old pictures and labels behind the new ones."""
    pairs = zip(task.part["train"], memory, strict=True)
    return _examples(*map(np.concatenate, pairs), (len(task.part["train"][1]), len(memory[1])))


def _examples(pictures, labels, counts):
    return [*trials.ready(pictures, labels)[:2], tf.constant(counts)]


def few_of_each_digit(task, seed, count):
    """Return `count` pictures of each digit of a task, and their labels: what `learn` takes for a
    `memory`. The seed decides which."""
    return datasets.few_of_each(*task.part["train"], count, seed)


def seen(weights, mask):
    """Return the weights with 0 wherever the mask is False: what a task sees of a network."""
    return [np.where(m, w, 0) for w, m in zip(weights, mask, strict=True)]


def switch(first, second, step=STEPS):
    """Return the Task `first` of a playground with the batches of `second` from a step on."""

    def batch(now):
        return tf.cond(now < step, lambda: first.batch(now), lambda: second.batch(now))

    return dataclasses.replace(first, batch=batch)
