"""What a thawed layer brings along: the loss some steps after the thaw, with three memories.

All is computed in float64, so that other machines come to the same figures.
"""

import numpy as np

from helpers import datasets, networks
from helpers.device import tf
from helpers.freezing import freezable
from helpers.model_trainer import ModelTrainer
from helpers.studies.trials import restorer
from helpers.techniques import TECHNIQUES

SEEDS = 5
ON_THAW = {"old": "keep", "empty": "reset"}
MEMORIES = ("up to date", *ON_THAW)
PICTURES, WARM, FROZEN, AFTER = 300, 20, 200, 30


def losses_after(kind, faster=1, **options):
    """Thaw a hidden layer with each of the MEMORIES, and tell the loss 30 steps later.

    A network learns 300 of the digits for 20 steps. Then all pictures are mirrored, the kernel of
    its hidden layer is frozen, and the rest learns them for 200 steps. Then the kernel is thawed.
    Every step is taken with all of the pictures. The kernel's memory, its slots, is

    up to date  the kernel was put back after each step, and the optimizer did not know
    old         what it was at the freeze
    empty       0

    kind, options: a Keras optimizer class and what to make the optimizer with. From the thaw on its
    rate is `faster` times as high. Returns a dict from each memory to losses, float64 (seeds,).
    """
    run = _ThawedReader(freezable(kind)(**options), faster)
    return {each: np.array([run(each, seed)[-1] for seed in range(SEEDS)]) for each in MEMORIES}


class _ThawedReader(ModelTrainer):
    """One network, one optimizer and one traced function for all memories and seeds."""

    def __init__(self, optimizer, faster=1):
        self._faster = faster
        images, labels = datasets.digits()
        self.upright, self.labels = tf.constant(images[:PICTURES], tf.float64), labels[:PICTURES]
        grid = tf.reshape(self.upright, [-1, 8, 8])
        self.mirrored = tf.reshape(tf.reverse(grid, [2]), self.upright.shape)
        super().__init__(_network(0), optimizer, technique=TECHNIQUES["restore"])
        self.kernel, self._make_new = self.variables[0], restorer(optimizer.variables)

    def __call__(self, memory, seed):
        """Train, freeze, train on, and thaw; return the losses from the thaw on, before
        the first step and after each of 30."""
        self.start(seed)
        self.train(self.upright, WARM)
        self.freeze_kernel(memory)
        self.train(self.mirrored, FROZEN)
        self.thaw_kernel(memory)
        self.optimizer.learning_rate.assign(self._faster * self.optimizer.learning_rate)
        return self.train(self.mirrored, AFTER + 1)

    def start(self, seed):
        """Begin with weights that the seed decides, and a new optimizer."""
        self.model.set_weights(_network(seed).get_weights())
        self._make_new()

    def freeze_kernel(self, memory):
        """Freeze the hidden layer's kernel, by the optimizer or by `restore`."""
        if memory in ON_THAW:
            self.optimizer.freeze_cells(self.kernel, np.ones(self.kernel.shape, bool))
        else:
            self.freeze([np.full(v.shape, v is self.kernel) for v in self.variables])

    def thaw_kernel(self, memory):
        """Thaw the kernel, so that it has a memory by its name."""
        nothing = [np.zeros(v.shape, bool) for v in self.variables]
        if memory in ON_THAW:
            self.optimizer.freeze_cells(self.kernel, nothing[0], on_thaw=ON_THAW[memory])
        else:
            self.freeze(nothing)

    def train(self, pictures, steps):
        """Take so many steps; return the losses before each of them, float64 (steps,)."""
        return self._train(pictures, tf.constant(steps)).numpy()

    @tf.function
    def _train(self, pictures, steps):
        losses = tf.TensorArray(tf.float64, steps)
        for number in tf.range(steps):
            losses = losses.write(number, self.step(pictures, self.labels))
        return losses.stack()


def _network(seed):
    return networks.dense(seed, widths=(32,), dtype="float64")
