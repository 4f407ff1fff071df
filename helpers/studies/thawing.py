"""What a thawed layer brings along: the loss some steps after the thaw, with three memories,
and if it was never frozen.

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
NEVER = "never frozen"
FROZEN, AFTER = 100, 40


def losses_after(kind, factors, freeze_at=25, memories=(*MEMORIES, NEVER), **options):
    """Thaw a hidden layer with each of some memories; tell the loss 40 steps later.

    A network learns the digits for `freeze_at` steps. Then all pictures are mirrored, the kernel of
    its hidden layer is frozen, and the rest learns them for 100 steps. Then the kernel is thawed.
    Every step is taken with all 1,347 pictures for training, and the loss is that of the 450
    others, mirrored. The kernel's memory, its slots, is

    up to date    the kernel was put back after each step, and the optimizer did not know
    old           what it was at the freeze
    empty         0
    never frozen  up to date: the kernel learns in all steps

    kind, options: a Keras optimizer class and what to make the optimizer with. From the thaw on its
    rate, for all layers, is that of the options times each of the `factors` in turn. Returns a dict
    from each of these to losses, float64 (seeds, factors).
    """
    run = _ThawedReader(freezable(kind)(**options), freeze_at)
    return {
        memory: np.array([run(memory, seed, factors) for seed in range(SEEDS)])
        for memory in memories
    }


def mean_v(kind, freeze_at, seed=0, **options):
    """Return the mean over the hidden layer's kernel of Adam's v at the thaw, with the memory
    old, and divided by how full Adam believes it to be: a float. The other settings are those of
    `losses_after`."""
    optimizer = freezable(kind)(**options)
    run = _ThawedReader(optimizer, freeze_at)
    run.until_thawed("old", seed)
    velocity = optimizer.slots_of(run.kernel)["velocity"]
    return float(velocity.numpy().mean()) / (1 - optimizer.beta_2 ** (freeze_at + FROZEN))


class _ThawedReader(ModelTrainer):
    """One network, one optimizer and one traced function for all memories, seeds and rates."""

    def __init__(self, optimizer, freeze_at):
        (images, self.labels), (others, self._other_labels) = datasets.digits_split()
        self.upright = tf.constant(images, tf.float64)
        self.mirrored, self._held_out = _mirrored(images), _mirrored(others)
        super().__init__(_network(0), optimizer, technique=TECHNIQUES["restore"])
        self.kernel, self._make_new = self.variables[0], restorer(optimizer.variables)
        self._freeze_at, self._at_the_freeze = freeze_at, {}  # seed -> what brings it back

    def __call__(self, memory, seed, factors):
        """Train, freeze, train on, and thaw; return the held-out loss 40 steps later, one for each
        rate."""
        self.until_thawed(memory, seed)
        thawed = restorer([*self.variables, *self.optimizer.variables])
        losses = []
        for factor in factors:
            thawed()
            self.optimizer.learning_rate.assign(factor * self.optimizer.learning_rate)
            self.train(self.mirrored, AFTER)
            losses.append(self.held_out_loss())
        return losses

    def until_thawed(self, memory, seed):
        """Start, freeze the kernel, and go on to the thaw."""
        if seed not in self._at_the_freeze:
            self.start(seed)
            self.train(self.upright, self._freeze_at)
            self._at_the_freeze[seed] = restorer([*self.variables, *self.optimizer.variables])
        self._at_the_freeze[seed]()
        self.freeze_kernel(memory)
        self.train(self.mirrored, FROZEN)
        self.thaw_kernel(memory)

    def start(self, seed):
        """Begin with weights that the seed decides, and a new optimizer."""
        self.model.set_weights(_network(seed).get_weights())
        self._make_new()

    def freeze_kernel(self, memory):
        """Freeze the hidden layer's kernel, by the optimizer or by `restore`, or not at all."""
        if memory in ON_THAW:
            self.optimizer.freeze_cells(self.kernel, np.ones(self.kernel.shape, bool))
        elif memory == "up to date":
            self.freeze([np.full(v.shape, v is self.kernel) for v in self.variables])

    def thaw_kernel(self, memory):
        """Thaw the kernel, so that it has a memory by its name."""
        nothing = [np.zeros(v.shape, bool) for v in self.variables]
        if memory in ON_THAW:
            self.optimizer.freeze_cells(self.kernel, nothing[0], on_thaw=ON_THAW[memory])
        else:
            self.freeze(nothing)

    def train(self, pictures, steps):
        """Take so many steps, each with all the pictures."""
        self._train(pictures, tf.constant(steps))

    def held_out_loss(self):
        """Return the loss on mirrored pictures that are not trained on, a float."""
        return float(networks.cross_entropy(self._other_labels, self.model(self._held_out)))

    @tf.function
    def _train(self, pictures, steps):
        self.steps(lambda number: (pictures, self.labels), steps)


def _mirrored(images):
    """Return pictures (examples, 64) with left and right exchanged, a float64 tensor."""
    return tf.constant(images.reshape(-1, 8, 8)[:, :, ::-1].reshape(-1, 64), tf.float64)


def _network(seed):
    return networks.dense(seed, widths=(32,), dtype="float64")
