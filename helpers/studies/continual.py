"""Tasks learnt one after another by one network: what is left of each, who owns which cell."""

import dataclasses

import numpy as np
from matplotlib.colors import ListedColormap

from helpers import datasets, networks
from helpers.device import tf
from helpers.studies import trials

TASKS = 3
STEPS = 150
OWNERS = ListedColormap(["#2f79b5", "#f0a35e", "#4c1a78", "#f4f4f0"])


class InTurn:
    """Three tasks of permuted digits, learnt in turn by one model, as often as wanted on one trace.

    `model` is one of `networks.dense`, of any widths. `penalty()` is added to the loss; `memory`
    are variables that are 0 when a run starts.
    `learnt` and `tested` hold the pictures of each task, float32 (examples, 64); their labels,
    `labels` and `test_labels`, are the same for all tasks.
    """

    def __init__(self, model, optimizer, penalty=None, memory=()):
        (images, self.labels), (test_images, self.test_labels) = datasets.digits_split()
        self.learnt = [datasets.permuted(images, order) for order in range(TASKS)]
        self.tested = [datasets.permuted(test_images, order) for order in range(TASKS)]
        self.model, self._memory, self._seed = model, memory, 0
        self._trial = trials.Trial(model, optimizer, penalty=penalty)

    def start(self, seed):
        """Begin a run: fresh weights, drawn from the seed, an empty optimizer, nothing frozen."""
        self._seed = seed
        widths = [layer.units for layer in self.model.layers[:-1]]
        self._trial.restart(networks.dense(seed, widths).get_weights())
        for variable in self._memory:
            variable.assign(tf.zeros_like(variable))

    def learn(self, task, steps=STEPS):
        """Train on one task, numbered from 0."""
        seed = TASKS * self._seed + task
        self._trial.train(self.learnt[task], self.labels, steps, seed)

    def run(self, seed, between=lambda task: None):
        """Learn the tasks in turn, with a call of `between(task)` after each but the last.

        Returns float64 (moments, tasks): after each task, the accuracy on every one, in percent.
        """
        self.start(seed)
        weights = []
        for task in range(TASKS):
            self.learn(task)
            if task < TASKS - 1:
                between(task)
            weights.append(self.model.get_weights())
        return np.array([[self.accuracy(task, w) for task in range(TASKS)] for w in weights])

    def run_packed(self, seed, pack):
        """Learn the tasks in turn, each in the cells that `pack(task, owned)` gives it.

        `owned` are bool masks, one a variable, of the cells that earlier tasks have; `pack` returns
        those that are owned then. Returns (owned_after, moments): after each task, these masks and
        all weights.
        """
        self.start(seed)
        owned_after, moments = (
            [[np.zeros(v.shape, bool) for v in self.model.trainable_variables]],
            [],
        )
        for task in range(TASKS):
            self.learn(task)
            owned_after.append(pack(task, owned_after[-1]))
            moments.append(self.model.get_weights())
        return owned_after[1:], moments

    def answers(self, task, weights):
        """Return the digits, int (examples,), that a task's test pictures are taken for."""
        held = self.model.get_weights()
        self.model.set_weights(weights)
        logits = self.model(self.tested[task], training=False).numpy()
        self.model.set_weights(held)
        return logits.argmax(-1)

    def accuracy(self, task, weights):
        """Return how many in a hundred of these answers are right, a float."""
        return networks.per_cent(self.answers(task, weights) == self.test_labels)

    def packed_scores(self, owned_after, moments):
        """As `run` returns them, each task answered with its own cells and those before it; one
        that is still to be learnt with all that are owned."""
        rows = [
            [self.accuracy(n, seen(whole, owned_after[min(m, n)])) for n in range(TASKS)]
            for m, whole in enumerate(moments)
        ]
        return np.array(rows)


def seen(weights, mask):
    """Return the weights with 0 wherever the mask is False: what a task sees of a network."""
    return [np.where(m, w, 0) for w, m in zip(weights, mask, strict=True)]


def owners(owned_after):
    """Return whose each cell is: 1 for the first task, and so on, one more for a free cell.

    `owned_after` are bool masks of one variable, one a task; each holds the one before.
    """
    return len(owned_after) + 1 - np.sum(owned_after, axis=0)


def draw_owners(axes, owner):
    """Draw a map of owners, int (rows, columns), one colour a task, and a key below."""
    image = axes.imshow(owner, cmap=OWNERS, vmin=0.5, vmax=OWNERS.N + 0.5, interpolation="nearest")
    bar = axes.figure.colorbar(
        image, ticks=range(1, OWNERS.N + 1), location="bottom", aspect=40, ax=axes
    )
    bar.set_ticklabels([*(f"task {n + 1}" for n in range(TASKS)), "free"])
    bar.ax.tick_params(length=0)
    axes.set(title="Which task owns which cell", xlabel="hidden unit", ylabel="pixel")
    return axes


def draw_old_and_new(axes, results):
    """Draw a dot a seed: accuracy on the newest task, to the right, and on the older ones, up.

    `results` maps names to arrays (seeds, moments, tasks).
    """
    for name, scores in results.items():
        new, old = scores[:, -1, -1], scores[:, -1, :-1].mean(1)
        (dots,) = axes.plot(new, old, "o", alpha=0.6, markeredgewidth=0)
        # Beside the dots, on the side where there is room.
        side, gap = ("right", -2) if new.mean() > 50 else ("left", 2)
        place = (new.min() + gap if gap < 0 else new.max() + gap, old.mean())
        axes.annotate(name, place, ha=side, va="center", color=dots.get_color())
    axes.grid(color="#dddddd")
    axes.set(title="Who learns the new and keeps the old?", xlim=(0, 102), ylim=(0, 102))
    axes.set(xlabel="right on the newest task, %", ylabel="right on the older two, %")
    return axes


def switch(first, second, step=STEPS):
    """Return the Task `first` with the batches of `second` from a step on."""

    def batch(now):
        return tf.cond(now < step, lambda: first.batch(now), lambda: second.batch(now))

    return dataclasses.replace(first, batch=batch)
