"""What a thawed layer brings along: the loss before and after the thaw, with three memories.

All is computed in float64, so that other machines come to the same figures.
"""

import numpy as np

from helpers import datasets, networks
from helpers.device import tf
from helpers.freezing import freezable

SEEDS = 5
MEMORIES = ("restore", "keep", "reset")
PICTURES, WARM, FROZEN = 300, 20, 200
BEFORE, AFTER = 10, 30  # steps of which the loss is told


def compare_memories(kind, **options):
    """Thaw a hidden layer with each memory that it can have, and follow the loss.

    A network learns 300 of the digits for 20 steps. Then all pictures are mirrored, the kernel of
    its hidden layer is frozen, and the rest learns them for 200 steps. Then the kernel is thawed.
    Every step is taken with all of the pictures. The kernel's memory, its slots, is

    restore  up to date: the kernel was put back after each step, and the optimizer did not know
    keep     old: what it was at the freeze
    reset    empty

    kind, options: a Keras optimizer class and what to make the optimizer with. Returns a dict from
    each memory to losses, float64 (seeds, 40): those of ten steps before the thaw and of thirty
    after it.
    """
    run = _Run(freezable(kind)(**options))
    return {each: np.array([run(each, seed) for seed in range(SEEDS)]) for each in MEMORIES}


class _Run:
    """One network, one optimizer and one traced function for all memories and seeds."""

    def __init__(self, optimizer):
        images, labels = datasets.digits()
        self.upright, self.labels = tf.constant(images[:PICTURES], tf.float64), labels[:PICTURES]
        grid = tf.reshape(self.upright, [-1, 8, 8])
        self.mirrored = tf.reshape(tf.reverse(grid, [2]), self.upright.shape)
        self.model, self.optimizer = _network(0), optimizer
        self.kernel = self.model.layers[0].kernel
        optimizer.build(self.model.trainable_variables)
        self.fresh = [variable.numpy() for variable in optimizer.variables]
        self.putting_back, self.held = tf.Variable(False), tf.Variable(self.kernel.value)

    def __call__(self, memory, seed):
        self.model.set_weights(_network(seed).get_weights())
        for variable, value in zip(self.optimizer.variables, self.fresh, strict=True):
            variable.assign(value)
        self.train(self.upright, WARM)
        self._freeze(memory)
        before = self.train(self.mirrored, FROZEN)
        self._thaw(memory)
        after = self.train(self.mirrored, AFTER)
        return np.concatenate([before[-BEFORE:], after])

    def _freeze(self, memory):
        if memory == "restore":
            self.held.assign(self.kernel.value)
            self.putting_back.assign(True)
        else:
            self.optimizer.freeze_cells(self.kernel, np.ones(self.kernel.shape, bool))

    def _thaw(self, memory):
        self.putting_back.assign(False)
        if memory != "restore":
            nothing = np.zeros(self.kernel.shape, bool)
            self.optimizer.freeze_cells(self.kernel, nothing, on_thaw=memory)

    def train(self, pictures, steps):
        """Take so many steps; return the losses before each of them, float64 (steps,)."""
        return self._train(pictures, tf.constant(steps)).numpy()

    @tf.function
    def _train(self, pictures, steps):
        losses, variables = tf.TensorArray(tf.float64, steps), self.model.trainable_variables
        for number in tf.range(steps):
            with tf.GradientTape() as tape:
                loss = networks.cross_entropy(self.labels, self.model(pictures))
            self.optimizer.apply(tape.gradient(loss, variables), variables)
            self.kernel.assign(tf.where(self.putting_back, self.held, self.kernel.value))
            losses = losses.write(number, loss)
        return losses.stack()


def _network(seed):
    return networks.dense(seed, widths=(32,), dtype="float64")
