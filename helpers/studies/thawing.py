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
WIDTHS = (32,)  # of the hidden layer
ON_THAW = {"old": "keep", "empty": "reset"}
MEMORIES = ("up to date", *ON_THAW)
NEVER = "never frozen"
FROZEN, AFTER = 100, 40


class ThawedReader(ModelTrainer):
    """A network that learns the digits, and a hidden layer's kernel that is thawed with a memory.

    For some steps it learns the digits. Then all pictures are mirrored, the kernel of its hidden
    layer is frozen, and the rest learns them for 100 steps. Then the kernel is thawed. Every step
    is taken with all 1,347 pictures for training. The kernel's memory, its slots, is at the thaw

    up to date    the kernel was put back after each step, and the optimizer did not know
    old           what it was at the freeze
    empty         0
    never frozen  up to date: the kernel learns in all steps

    kind, options: a Keras optimizer class and what to make the optimizer with. One network and one
    compiled function serve all memories, seeds and rates.
    """

    def __init__(self, kind, **options):
        (images, self.labels), (others, self._other_labels) = datasets.digits_split()
        self.upright = tf.constant(images, tf.float64)
        self.mirrored, self._held_out = _mirrored(images), _mirrored(others)
        optimizer = freezable(kind)(**options)
        network = networks.dense(0, WIDTHS, dtype="float64")
        super().__init__(network, optimizer, technique=TECHNIQUES["restore"])
        self.kernel, self._make_new = self.variables[0], restorer(optimizer.variables)
        self._states = {}  # where in the training -> what brings this state back

    def losses(self, freeze_at, factors, memories=(*MEMORIES, NEVER)):
        """Return the losses on the 450 other pictures, mirrored, 40 steps after the thaw: a dict
        from each memory to float64 (seeds, factors).

        The freeze begins at the step `freeze_at`. From the thaw on the rate, for all layers, is
        that of the options times each of the `factors` in turn.
        """
        return {
            memory: np.array([self._losses(memory, freeze_at, s, factors) for s in range(SEEDS)])
            for memory in memories
        }

    def mean_v(self, freeze_at, memory):
        """Return Adam's v at the thaw with a memory, divided by how full Adam believes it to be:
        the mean over the kernel and the seeds, a float."""
        means = []
        for seed in range(SEEDS):
            self.until_thawed(memory, freeze_at, seed)
            means.append(self.optimizer.slots_of(self.kernel)["velocity"].numpy().mean())
        return float(np.mean(means)) / (1 - self.optimizer.beta_2 ** (freeze_at + FROZEN))

    def _losses(self, memory, freeze_at, seed, factors):
        losses = []
        for factor in factors:
            self.until_thawed(memory, freeze_at, seed)
            self.optimizer.learning_rate.assign(factor * self.optimizer.learning_rate)
            self.train(self.mirrored, AFTER)
            losses.append(self.held_out_loss())
        return losses

    def until_thawed(self, memory, freeze_at, seed):
        """Start, freeze the kernel at a step, and go on to the thaw."""
        self._once(self._go_to_thaw, memory, freeze_at, seed)

    def _go_to_thaw(self, memory, freeze_at, seed):
        self._once(self._go_to_freeze, freeze_at, seed)
        self.freeze_kernel(memory)
        self.train(self.mirrored, FROZEN)
        self.thaw_kernel(memory)

    def _go_to_freeze(self, freeze_at, seed):
        self.start(seed)
        self.train(self.upright, freeze_at)

    def _once(self, go, *where):
        """Come to a state: the first time by `go`, and later on by what was kept of it.

        Nothing is frozen in these states, so weights and optimizer are all that there is to keep.
        """
        if where not in self._states:
            go(*where)
            self._states[where] = restorer([*self.variables, *self.optimizer.variables])
        self._states[where]()

    def start(self, seed):
        """Begin with weights that the seed decides, and a new optimizer."""
        self.model.set_weights(networks.initial_weights(seed, WIDTHS))
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

    @tf.function(jit_compile=True)
    def _train(self, pictures, steps):
        self.steps(lambda number: (pictures, self.labels), steps)


def _mirrored(images):
    """Return pictures (examples, 64) with left and right exchanged, a float64 tensor."""
    return tf.constant(images.reshape(-1, 8, 8)[:, :, ::-1].reshape(-1, 64), tf.float64)
