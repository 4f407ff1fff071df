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


@dataclass(eq=False)
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

    def _masked_step(self, step, grads, variables):
        guards = [self._guard(variable) for variable in variables]
        grads = [_without_frozen(grad, guard.mask) for grad, guard in zip(grads, guards)]
        # Both ways give the same bits. The first reads and writes every cell once less.
        if self._is_cell_by_cell(grads, variables):
            self._masks_writes = True
            try:
                step(grads, variables)
            finally:
                self._masks_writes = False
        else:
            with self._put_back():
                step(grads, variables)

    def _is_cell_by_cell(self, grads, variables):
        """Whether update_step alone writes to cells, and none of them sees another."""
        return (
            type(self).update_step in CELL_BY_CELL
            and not (self.weight_decay or self.use_ema or self.gradient_accumulation_steps)
            and not any(v.constraint or self._overwrite_variable_with_gradient(v) for v in variables)
            and not any(isinstance(grad, tf.IndexedSlices) for grad in grads)
            and not tf.distribute.has_strategy()
        )

    @contextlib.contextmanager
    def _put_back(self):
        """Note every variable and slot; afterwards write the noted value where frozen."""
        guarded = [(v, guard.mask) for guard in self._guards for v in guard.guarded()]
        before = [tf.convert_to_tensor(variable) for variable, _ in guarded]
        yield

        def write(strategy, before):  # each replica its own copy: an average of copies would round
            for (variable, mask), held in zip(guarded, before):
                strategy.extended.update(_raw(variable), _keep, (_raw(mask), held), group=False)

        replica = tf.distribute.get_replica_context()
        if tf.distribute.has_strategy() and replica:
            replica.merge_call(write, (before,))
        else:
            write(self._distribution_strategy, before)

    @contextlib.contextmanager
    def _all_or_nothing(self):
        """Run eagerly, an error or an interrupt can fall between two writes: undo the first."""
        if not tf.executing_eagerly() or tf.distribute.has_strategy():
            yield  # a graph is traced here; once it runs, it runs to the end
            return
        variables = [*self.variables, *(guard.variable for guard in self._guards)]
        before = [tf.convert_to_tensor(variable) for variable in variables]
        try:
            yield
        except BaseException:
            for variable, held in zip(variables, before):
                variable.assign(held)
            raise

    def _checked(self, grads, variables):
        """Return the gradients, all computed and of the right shape before anything is written."""
        if len(grads) != len(variables):
            raise ValueError(f"{len(grads)} gradients arrived for {len(variables)} variables.")
        pairs = zip(grads, [self._guard(variable) and variable for variable in variables])
        grads, checks = zip(*[_checked_gradient(grad, variable) for grad, variable in pairs])
        if tf.executing_eagerly():
            return list(grads)
        waits = [g for g in grads if isinstance(g, tf.Tensor)] + [c for c in checks if c is not None]
        with tf.control_dependencies(waits):
            return [None if grad is None else tf.identity(grad) for grad in grads]

    def _guard(self, variable):
        if not isinstance(variable, (keras.Variable, tf.Variable)):
            raise ValueError(f"A {type(variable).__name__} arrived; a variable was wanted.")
        if not self.built:
            raise ValueError(
                "The optimizer does not know its variables yet. Call "
                "optimizer.build(model.trainable_variables) before freezing cells."
            )
        guard = self._guard_of.get(self._var_key(variable))
        if guard is None or self._var_key(guard.variable) != self._var_key(variable):
            raise ValueError(
                f"The variable {variable.name!r} of shape {tuple(variable.shape)} arrived; this "
                f"optimizer holds {[g.variable.name for g in self._guards]}. Build a new optimizer "
                "on the variables that are to be trained."
            )
        return guard

    def _make_slot(self, optimizer, make, reference_variable, name=None, initializer="zeros"):
        slot = make(reference_variable, name=name, initializer=initializer)
        guard = self._guard_of[self._var_key(reference_variable)]
        from_weight = optimizer.use_ema and name == "average"
        guard.slots.append((slot, optimizer, None if from_weight else initializer))
        self._guard_of[self._var_key(slot)] = guard
        return slot


def freezable(OptimizerClass):
    """Return the subclass of a Keras optimizer class that can freeze cells; always the same one.

    It is saved and loaded like the original, masks included, as long as freezable(OptimizerClass)
    has been called before a model is loaded. Raises TypeError for anything but an optimizer class.
    """
    if not isinstance(OptimizerClass, type) or not issubclass(OptimizerClass, K.Optimizer):
        raise TypeError(
            f"{OptimizerClass!r} arrived; a Keras optimizer class was wanted. Pass the class and "
            "make the optimizer from the result: freezable(keras.optimizers.Adam)(1e-3)."
        )
    return OptimizerClass if issubclass(OptimizerClass, FreezesCells) else _subclass(OptimizerClass)


@functools.cache
def _subclass(OptimizerClass):
    name = f"Freezable{OptimizerClass.__name__}"
    made = type(name, (FreezesCells, OptimizerClass), {"__doc__": OptimizerClass.__doc__})
    return keras.saving.register_keras_serializable(OptimizerClass.__module__, name)(made)


def _wrapped(optimizer):
    """The optimizers inside a LossScaleOptimizer or MultiOptimizer; none in any other."""
    inner = getattr(optimizer, "inner_optimizer", None)
    inner = [inner] if inner else list(getattr(optimizer, "_inner_optimizers", []))
    return inner + [deeper for one in inner for deeper in _wrapped(one)]


def _raw(variable):
    """The tf.Variable behind a Keras variable."""
    return variable.value if isinstance(variable, keras.Variable) else variable


def _keep(variable, mask, before):
    variable.assign(tf.where(mask, before, variable))


def _as_mask(frozen, shape):
    if tf.is_tensor(frozen) and not tf.executing_eagerly():  # its type and shape are all one knows
        as_frozen(np.zeros(frozen.shape, frozen.dtype.as_numpy_dtype), shape)
        return frozen
    return tf.constant(as_frozen(frozen, shape))


def _reset_slots(guard, thawed):
    """Give thawed cells the slots of a fresh optimizer, unless that harms; see NO_RESET."""
    for _, optimizer, _ in guard.slots:
        for unsound, reason in NO_RESET.items():
            if isinstance(optimizer, unsound):
                raise ValueError(f'{unsound.__name__} {reason}. Thaw with on_thaw="keep".')
    for slot, _, initializer in guard.slots:
        fresh = tf.convert_to_tensor(guard.variable)
        if initializer is not None:
            fresh = keras.initializers.get(initializer)(fresh.shape, dtype=slot.dtype)
        slot.assign(tf.where(thawed, fresh, slot))


def _without_frozen(grad, frozen):
    """Put 0 where frozen, by choosing and not by multiplying: 0 × NaN is NaN."""
    if grad is None:
        return None
    if isinstance(grad, tf.IndexedSlices):
        values = _without_frozen(grad.values, tf.gather(frozen, grad.indices))
        return tf.IndexedSlices(values, grad.indices, grad.dense_shape)
    return tf.where(frozen, tf.zeros((), grad.dtype), grad)


def _checked_gradient(grad, variable):
    """Return the gradient and, for an IndexedSlices, what must run to check its rows."""
    if grad is None:
        return None, None
    sparse = isinstance(grad, tf.IndexedSlices)
    grad = grad if sparse else tf.convert_to_tensor(grad)
    shape = (grad.values if sparse else grad).shape
    wanted = variable.shape[1:] if sparse else variable.shape
    if not (shape[1:] if sparse else shape).is_compatible_with(wanted):
        raise ValueError(
            f"A gradient of shape {shape} arrived for {variable.name!r} of shape "
            f"{tuple(variable.shape)}. Nothing was changed."
        )
    if not sparse:
        return tf.ensure_shape(grad, variable.shape), None
    outside = (grad.indices < 0) | (grad.indices >= tf.cast(variable.shape[0], grad.indices.dtype))
    return grad, tf.debugging.assert_none_equal(outside, True)
