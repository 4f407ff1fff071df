"""A run of the small regression in which a technique freezes half of the kernel, in a situation."""

import dataclasses
import functools

import numpy as np

from helpers.device import keras, tf
from helpers.freezing import freezable
from helpers.leaks import regression
from helpers.leaks.regression import SHAPE
from helpers.optimizers import name_of, plain_optimizer
from helpers.packing import Packed
from helpers.step import Cells, training_step
from helpers.techniques import Technique, where_gradient

STEPS = 4  # with the mask in force


class Contender:
    """An optimizer under test: an optimizer, a class or a name. What its runs have in common is
    computed once."""

    def __init__(self, optimizer):
        self.name, self._plain = named(optimizer)
        self.warmed = functools.cache(self._warmed)
        self.wanted = functools.cache(self._wanted)

    def make(self, exact, options):
        """Return such an optimizer, not built, with some options of a situation."""
        kind = freezable(type(self._plain)) if exact else type(self._plain)
        return kind.from_config(self._plain.get_config() | options)

    def _warmed(self, exact, situation):
        """Return the state of a run after steps in which every cell trained, and no recipe was at
        work."""
        cold = dataclasses.replace(situation, warm=0)
        run = run_of(Technique("free", exact=exact), self, cold)
        run.freeze(np.zeros(SHAPE, bool))
        run.train(situation.warm)
        return run.state()

    def _wanted(self, situation):
        """Return the values after a step in which the gradient of frozen cells is 0."""
        return run_of(Technique("reference", gradient=where_gradient), self, situation).train(1)


class _Run:
    """The small regression in float32, in a Situation: trained freely for its warm steps, then
    frozen by a recipe (a Technique)."""

    def __init__(self, recipe, contender, situation):
        self.recipe, self.situation = recipe, situation
        self.model = regression.drawn()
        self.variable = keras.Variable(self.model.kernel, dtype="float32", name="kernel")
        self.frozen = self.model.frozen
        self.optimizer = contender.make(recipe.exact, situation.options)
        self.optimizer.build([self.variable])
        self.variables = [self.variable, *self.optimizer.variables]
        if situation.warm:
            self.load(contender.warmed(recipe.exact, situation))
        self.freeze(self.frozen)

    @property
    def trained(self):
        """The variable that trains, which a regularizer reads."""
        return self.variable

    def freeze(self, frozen):
        """Freeze cells, and thaw the others: bool, of the kernel's shape, True = frozen."""
        self.mask, self.shadow = tf.constant(frozen), tf.identity(self.variable.value)
        if self.recipe.exact:
            self.optimizer.freeze_cells(self.variable, frozen)

    def train(self, steps):
        """Take steps of a plain training loop, the recipe at its place; return the values."""
        cells = {0: Cells(self.mask, self.shadow)}
        for _ in range(steps):
            training_step(self.recipe, [self.variable], cells, self.loss, self.apply)
        return self.values()

    def loss(self, values):
        """Return the loss of all examples, a scalar tensor, by what the model is shown."""
        (seen,) = values
        outputs = self.model.outputs(seen, self.model.inputs, self.situation.nan)
        loss = self.model.loss(self.model.targets, outputs)
        if self.situation.penalty:
            loss += self.situation.penalty * tf.reduce_sum(tf.square(self.trained.value))
        return loss

    def apply(self, gradients):
        """Let the optimizer take its step."""
        self.optimizer.apply(gradients, [self.variable])

    def finalize(self):
        """Do what Keras does at the end of `fit`: averages overwrite the weights."""
        self.optimizer.finalize_variable_values([self.variable])

    def values(self):
        """Return what the model computes with, an array."""
        shown = self.recipe.act("shadow", self.shadow, self.variable.value, frozen=self.mask)
        return shown.numpy()

    def state(self):
        """Return what kernel and optimizer hold, as arrays."""
        return [variable.numpy() for variable in self.variables]

    def held(self):
        """Return the state, but that the average of a cell which does not move is the cell."""
        weights, *slots = self.state()
        averages = (each.name.endswith("_average") for each in self.optimizer.variables)
        pairs = zip(slots, averages, strict=True)
        return [weights, *(weights if average else slot for slot, average in pairs)]

    def load(self, state):
        """Take over a state."""
        for variable, value in zip(self.variables, state, strict=True):
            variable.assign(value)


class _PackedRun(_Run):
    """The same for a recipe that trains the free values alone: from each freeze on, a new vector of
    them trains, with a new optimizer that takes over what the last one remembers of them."""

    packed = None  # while steps are taken with one mask

    @property
    def trained(self):
        return self.packed.free

    def freeze(self, frozen):
        self._unpack()
        super().freeze(frozen)

    def train(self, steps):
        if self.packed is None:
            room = np.count_nonzero(~self.mask.numpy())
            self.packed = Packed(self.variable, [self.variable], self.optimizer, room)
            self.packed.pack(self.mask.numpy())
            self.places = tf.where(~self.mask)
        cells = {0: Cells(shadow=self.variable.value, places=self.places)}
        for _ in range(steps):
            training_step(self.recipe, self.packed.variables, cells, self.loss, self.apply)
        return self.values()

    def apply(self, gradients):
        self.packed.optimizer.apply(gradients, self.packed.variables)

    def finalize(self):
        self.packed.optimizer.finalize_variable_values(self.packed.variables)

    def values(self):
        if self.packed is None:
            return self.variable.numpy()
        held, free = self.variable.value, self.packed.free.value
        return self.recipe.values(held, self.places, free).numpy()

    def state(self):
        self._unpack()
        return super().state()

    def load(self, state):
        self._unpack()
        super().load(state)

    def _unpack(self):
        if self.packed is not None:
            self.packed.unpack()
            self.packed = None


def run_of(recipe, contender, situation):
    """Return the run of a recipe, a Technique, in a Situation."""
    return (_PackedRun if recipe.values else _Run)(recipe, contender, situation)


def named(optimizer):
    """Return the name of an optimizer (or of a class, or a name), and the optimizer, not built."""
    if isinstance(optimizer, keras.Optimizer):
        return name_of(optimizer), optimizer
    if isinstance(optimizer, type) and issubclass(optimizer, keras.Optimizer):
        return optimizer.__name__.lower(), optimizer()
    return str(optimizer).lower(), plain_optimizer(optimizer)


def with_held(held, now, frozen):
    """Return what a variable holds `now`, but as it was `held` where it has something of a frozen
    cell: arrays of the variable's shape, bool of the kernel's shape, True = frozen."""
    of_cells = now.shape == SHAPE and now.dtype == np.float32
    return np.where(frozen, held, now) if of_cells else now
