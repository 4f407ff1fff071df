"""The exact freeze: chosen cells of a variable stay as they are, bit for bit; the rest trains on.

`freezable(keras.optimizers.Adam)` is Adam with boolean masks among its variables; True = frozen,
everywhere. In each step it puts 0 for a frozen cell's gradient before anything is clipped, lets
Keras take the step, and keeps frozen cells and their slots (momentum, average, gathered gradient)
as they stood. So a free cell moves as it would have, had the frozen cells' gradient been 0.

Limits. `assign`, `set_weights` and callbacks that use them (SwapEMAWeights) pass the optimizer by.
A mask saves no compute; where few cells are free, compact=True does. What belongs to no single cell
goes on for all: Adafactor's statistics of rows and columns, Adam's count of steps. Custom
optimizers must make slots with Keras' `add_optimizer_variables`. Once a cell is frozen, XLA may
round a free one's last bit differently. In float16 use `freezable(LossScaleOptimizer)`: the one
that `compile` adds sees raw gradients.
"""

import contextlib
import functools

import keras
import numpy.typing as npt
import tensorflow as tf

from . import private
from .compact import CompactCells, check
from .front import Front
from .in_use import InUse
from .inside import reporting
from .slots import Cells, Ledger, Variable, as_mask


class FreezesCells(Front):
    """What `freezable` puts in front of an optimizer."""

    def freeze_cells(self, variable: Variable, frozen: npt.ArrayLike, on_thaw: str = "keep"):
        """Freeze the cells of `variable` where `frozen` is True, and thaw its other cells.

        `frozen` is bool, of the variable's shape: array, lists or tensor, also in a tf.function;
        under tf.distribute outside `strategy.run`, and the same mask on every worker.
        It holds from the next step on, without a new trace (with jit_compile, the first frozen cell
        costs one compilation). on_thaw="keep": a thawed cell goes on with its slots as they were;
        "reset": with empty ones (an average starts at the weight; Adam's first step: ~3 rates).
        TypeError: not bool. ValueError: other shape, unknown variable, not built, harmful reset.
        """
        cells = self._cells(variable)
        frozen = as_mask(frozen, cells.variable.shape)
        if on_thaw == "reset":
            cells.reset_slots(cells.mask & ~frozen)
        elif on_thaw != "keep":
            raise ValueError(f'on_thaw={on_thaw!r} arrived; pass "keep" or "reset".')
        cells.mask.assign(frozen)
        self._in_use.note(cells.number, tf.reduce_any(frozen))

    def frozen_cells(self, variable: Variable) -> tf.Tensor:
        """Return the mask of `variable`: a bool tensor of its shape, True = frozen."""
        return tf.identity(self._cells(variable).mask)

    def slots_of(self, variable: Variable) -> dict[str, tf.Variable]:
        """Return what the optimizer keeps for each cell of `variable`: a dict from Keras' names
        ("momentum", "velocity", …) to tf.Variables of its shape. Not to be written to."""
        cells = self._cells(variable)
        return dict(zip(cells.names, cells.slots, strict=True))

    def build(self, variables):
        """Let Keras make the slots, and note whose they are; add masks, all False."""
        if self.built:
            return
        cells = [Cells(number, variable) for number, variable in enumerate(variables)]
        self._ledger = Ledger(cells, functools.partial(private.key, self))
        with reporting(self, self._ledger.enter):
            super().build(variables)
        for cells in self._ledger.cells:
            with private.strategy(self).extended.colocate_vars_with(cells.variable):
                mask = self.add_variable(cells.variable.shape, "zeros", "bool", name="frozen")
                cells.mask = mask.value
        self._in_use = InUse(len(self._ledger.cells))  # as an attribute, it is saved

    def add_variable_from_reference(self, reference_variable, name=None, initializer="zeros"):
        """As in Keras; and note that the new slot belongs to `reference_variable`."""
        slot = super().add_variable_from_reference(reference_variable, name, initializer)
        if self._ledger is not None:
            self._ledger.enter(slot, reference_variable, self, name, initializer)
        return slot

    def apply(self, grads, trainable_variables=None):
        """Take one step. If it raises (in a graph: over a gradient's shape), nothing changes."""
        step, (grads, variables) = super().apply, self._paired(grads, trainable_variables)
        if not grads or not variables:
            return step(grads, trainable_variables)
        self.build(variables)
        sound = [_checked(g, self._cells(v)) for g, v in zip(grads, variables)]
        # What can only be checked while a graph runs is checked before its first write.
        checks = [new for old, new in zip(grads, sound) if new is not old]
        take = functools.partial(self._take, step, sound, variables)
        with tf.control_dependencies(checks):
            if tf.distribute.has_strategy():  # which allows no branch around a step
                take(masked=True)
            else:
                tf.cond(self._in_use.any(), lambda: take(masked=True), take)

    def finalize_variable_values(self, var_list):
        """Overwrite free cells with their moving averages, if the optimizer keeps any."""
        if not self.built:  # `fit` found nothing to train
            return
        with self._bracket(put_back=True):
            super().finalize_variable_values(var_list)

    def _take(self, step, grads, variables, masked=False):
        """Take a step. Masking each write gives the same bits as putting back, and moves less
        memory, but serves only where nothing else writes to a cell."""
        masks_writes = masked and self._every_write_can_be_masked(grads, variables)
        clips_by_norm = self.clipnorm or self.global_clipnorm  # a norm is of all cells
        if masked and (clips_by_norm or not masks_writes):
            grads = [_without_frozen(g, self._cells(v).mask) for g, v in zip(grads, variables)]
        self._masks_writes = masks_writes
        try:
            with self._bracket(put_back=masked and not masks_writes):
                # The same gradients, all in the graph of this branch, as Keras wants them.
                step([g if g is None else tf.identity(g) for g in grads], variables)
        finally:
            self._masks_writes = False

    def _every_write_can_be_masked(self, grads, variables):
        """Whether, in such a step, all that changes a cell goes through `assign*` of the optimizer
        or through weight decay, and changes it by what this cell holds alone."""
        return (
            self._writes_can_be_masked()
            and not any(v.constraint for v in variables)  # which variables assign to themselves
            and not any(getattr(v, "overwrite_with_gradient", False) for v in variables)
            and not any(isinstance(grad, tf.IndexedSlices) for grad in grads)  # writes rows alone
            and not tf.distribute.has_strategy()  # copies are written one by one
        )

    @contextlib.contextmanager
    def _bracket(self, put_back):
        """Afterwards, write frozen cells back; or everything, if something raised. That happens
        eagerly alone: a graph has run to its end by the time Python hears of an error."""
        everything = [*self.variables, *(cells.variable for cells in self._ledger.cells)]
        noted = everything if put_back or tf.executing_eagerly() else ()
        before = {private.key(self, variable): tf.identity(variable) for variable in noted}
        replicated = tf.distribute.has_strategy()
        try:
            yield
            if put_back and replicated and not tf.distribute.in_cross_replica_context():
                tf.distribute.get_replica_context().merge_call(self._ledger.put_back, (before,))
            elif put_back:
                self._ledger.put_back(private.strategy(self), before)
        except BaseException:  # an interrupt, too
            if tf.executing_eagerly() and not replicated:
                for variable in everything:
                    variable.assign(before[private.key(self, variable)])
            raise


def freezable(
    OptimizerClass: type[keras.Optimizer], compact: bool = False
) -> type[keras.Optimizer]:
    """Return the subclass of a Keras optimizer class that can freeze cells; always the same one.

    It is saved and loaded with its masks; to load a model in a new session, call
    freezable(OptimizerClass) first. With compact=True it keeps slots for free cells alone; see
    `compact`. Raises TypeError for anything but an optimizer class, and with compact=True for one
    whose step of a cell depends on other cells; RuntimeError if Keras runs on something else than
    TensorFlow.
    """
    if keras.backend.backend() != "tensorflow":
        told = f"Keras runs on {keras.backend.backend()} here; freezable needs TensorFlow. Set the"
        raise RuntimeError(f"{told} environment variable KERAS_BACKEND=tensorflow before Python.")
    if not isinstance(OptimizerClass, type) or not issubclass(OptimizerClass, keras.Optimizer):
        wanted = "a Keras optimizer class was wanted, as in freezable(keras.optimizers.Adam)(1e-3)"
        raise TypeError(f"{OptimizerClass!r} arrived; {wanted}.")
    front = CompactCells if compact else FreezesCells
    if issubclass(OptimizerClass, front):
        return OptimizerClass
    if issubclass(OptimizerClass, Front):  # which freezes the other way
        OptimizerClass = OptimizerClass.keras_class
    if compact:
        check(OptimizerClass)
    return _subclass(front, OptimizerClass)


@functools.cache
def _subclass(front, OptimizerClass):
    kind = "Compact" if front is CompactCells else "Freezable"
    name, package = f"{kind}{OptimizerClass.__name__}", OptimizerClass.__module__
    attributes = {"__doc__": OptimizerClass.__doc__, "keras_class": OptimizerClass}
    subclass = type(name, (front, OptimizerClass), attributes)
    return keras.saving.register_keras_serializable(package, name)(subclass)


def _checked(grad, cells):
    """The gradient, if its shape fits; of an IndexedSlices, only what concerns free cells."""
    if isinstance(grad, tf.IndexedSlices):  # on a CPU tf.gather makes sure that the rows exist
        values = tf.ensure_shape(grad.values, [None, *cells.variable.shape[1:]])
        values = _without_frozen(values, tf.gather(cells.mask, grad.indices))
        return tf.IndexedSlices(values, grad.indices, grad.dense_shape)
    fits = grad is None or getattr(grad, "shape", None) == cells.variable.shape
    return grad if fits else tf.ensure_shape(grad, cells.variable.shape)


def _without_frozen(grad, frozen):
    """Put 0 where frozen, by choosing: multiplying would make NaN of NaN and inf."""
    if grad is None or isinstance(grad, tf.IndexedSlices):
        return grad  # the rows of an IndexedSlices are masked as they are checked
    return tf.where(frozen, tf.zeros((), grad.dtype), grad)
