"""The exact freeze: chosen cells of a variable stay as they are, bit for bit, while the rest trains.

`freezable(keras.optimizers.Adam)` is Adam with boolean masks among its variables; True = frozen,
everywhere. In every step it (1) puts 0 for the gradient of frozen cells before anything is clipped,
(2) lets the optimizer do its work, and (3) keeps frozen cells and their slots as they were.
Everything else that writes into a cell lies inside that bracket: weight decay, momentum, moving
averages (also their last overwrite, at the end of `fit`), constraints, accumulated gradients.

Limits. `assign`, `set_weights` and callbacks that use them (SwapEMAWeights) pass the optimizer by.
A mask saves no compute. State that belongs to no one cell goes on for all: Adafactor's row and
column statistics, the step count behind Adam's bias correction. A custom optimizer must make its
slots with `add_optimizer_variables` or `add_variable_from_reference`. Put NaN-prone float16 training
under `freezable(LossScaleOptimizer)`: the one that `compile` adds looks at raw gradients.

Sources: https://keras.io/api/optimizers; `keras/src/optimizers/base_optimizer.py`, whose `apply`
this brackets; for bias correction, Kingma and Ba 2015 (Adam); for why a cell of Adafactor or Ftrl
cannot start afresh, Shazeer and Stern 2018 and McMahan et al. 2013.
"""

import contextlib
import functools
from dataclasses import dataclass, field

import numpy as np
from tensorflow.python.ops.control_flow_util import GraphOrParentsInXlaContext

from helpers.device import keras, tf
from helpers.masks import as_frozen

K = keras.optimizers
# Their update_step computes each cell from that cell alone and writes through self.assign only.
CELL_BY_CELL = (K.SGD, K.RMSprop, K.Adam, K.Adadelta, K.Adagrad, K.Adamax, K.Nadam, K.Ftrl, K.Lion)
CELL_BY_CELL = {optimizer.update_step for optimizer in CELL_BY_CELL}
NO_RESET = {
    K.Adafactor: "keeps its statistics by row and column, shared with cells that were never frozen",
    K.Ftrl: "computes the weight from its slots, so that empty slots would throw the weight away",
    K.ScheduleFreeAdamW: "keeps a trajectory of the weight in its slots, which has no empty state",
}


@dataclass
class Guard:
    """One trained variable, its mask (bool, the same shape) and its slots, by what made them.

    `slots` holds (slot, optimizer, initial value); all slots have the variable's shape.
    """

    variable: object
    mask: object = None
    slots: list = field(default_factory=list)

    def guarded(self):
        """The variable and its slots: all that must not change where the mask is True."""
        return [self.variable, *(slot for slot, _, _ in self.slots)]


class FreezesCells:
    """What `freezable` puts in front of an optimizer class."""

    _masks_writes = False

    def freeze_cells(self, variable, frozen, on_thaw="keep"):
        """Freeze the cells of `variable` where `frozen` is True, and thaw all its other cells.

        `frozen` is bool and has the variable's shape: an array, nested lists or a tensor, inside a
        tf.function too. It is in force from the next step on, and no graph is traced again.
        With on_thaw="keep" a thawed cell goes on with its slots as they were frozen; with "reset"
        it gets empty ones (a moving average starts at the weight). Bias correction belongs to all
        cells, so Adam's first step after a reset is about three times the learning rate.
        Raises TypeError for a mask that is not bool, and ValueError for another shape, a variable
        that is not held here, or a reset that would do harm. Nothing has changed then.
        """
        guard, frozen = self._guard(variable), _as_mask(frozen, variable.shape)
        if on_thaw not in ("keep", "reset"):
            raise ValueError(f'on_thaw={on_thaw!r} arrived; "keep" or "reset" was wanted.')
        if on_thaw == "reset":
            _reset_slots(guard, tf.logical_and(guard.mask, tf.logical_not(frozen)))
        here = tf.range(len(self._guards)) == self._guards.index(guard)
        self._in_use.assign(tf.where(here, tf.reduce_any(frozen), self._in_use))
        guard.mask.assign(frozen)

    def frozen_cells(self, variable):
        """Return the mask of `variable`: a bool tensor of its shape, True = frozen."""
        return tf.identity(self._guard(variable).mask)

    def build(self, variables):
        """Make the slots, noting which variable each belongs to, then the masks, all False."""
        if self.built:
            return
        self._guards = [Guard(variable) for variable in variables]
        self._guard_of = {self._var_key(guard.variable): guard for guard in self._guards}
        optimizers = [self, *_wrapped(self)]
        for optimizer in optimizers:
            make = functools.partial(self._make_slot, optimizer, optimizer.add_variable_from_reference)
            optimizer.__dict__["add_variable_from_reference"] = make
        try:
            super().build(variables)
        finally:
            for optimizer in optimizers:
                optimizer.__dict__.pop("add_variable_from_reference", None)
        if len(optimizers) != 1 + len(_wrapped(self)):
            raise ValueError("A function that makes optimizers arrived; pass an OptimizerMap.")
        for number, guard in enumerate(self._guards):
            with self._distribution_strategy.extended.colocate_vars_with(_raw(guard.variable)):
                guard.mask = self.add_variable(guard.variable.shape, dtype="bool", name=f"f{number}")
        self._in_use = self.add_variable((len(self._guards),), dtype="bool", name="in_use")

    def apply(self, grads, trainable_variables=None):
        """Take one step, as Keras does; a step that raises leaves everything as it was."""
        step, grads = super().apply, list(grads)
        variables = list(trainable_variables or self._trainable_variables)
        if variables and not self.built:
            self.build(variables)
        if not grads or not variables:
            return step(grads, trainable_variables)  # Keras names the fault
        grads = self._checked(grads, variables)
        with self._all_or_nothing():
            # XLA merges a tf.where into the update but not a branch, and tf.distribute cannot branch.
            xla = GraphOrParentsInXlaContext(tf.compat.v1.get_default_graph())
            if xla or tf.distribute.has_strategy():
                self._masked_step(step, grads, variables)
            else:
                masked = functools.partial(self._masked_step, step, grads, variables)
                plain = functools.partial(step, grads, variables)
                tf.cond(tf.reduce_any(self._in_use), masked, plain)

    def finalize_variable_values(self, var_list):
        """Overwrite the weights with their moving averages, if there are any: free cells only."""
        with self._all_or_nothing(), self._put_back():
            super().finalize_variable_values(var_list)

    def assign(self, variable, value):
        """Write to a variable or slot, in a cell by cell step to its free cells only."""
        guard = self._guard_of.get(self._var_key(variable)) if self._masks_writes else None
        if guard:
            value = tf.where(guard.mask, variable, tf.cast(value, variable.dtype))
        super().assign(variable, value)

    def assign_add(self, variable, value):
        """Add to a variable or slot, in a cell by cell step to its free cells only."""
        if not self._masks_writes:
            return super().assign_add(variable, value)
        self.assign(variable, variable + tf.cast(value, variable.dtype))

    def assign_sub(self, variable, value):
        """Subtract from a variable or slot, in a cell by cell step from its free cells only."""
        if not self._masks_writes:
            return super().assign_sub(variable, value)
        self.assign(variable, variable - tf.cast(value, variable.dtype))
