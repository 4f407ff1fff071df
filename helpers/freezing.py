"""The exact freeze: chosen cells of a variable stay as they are, bit for bit; the rest trains on.

`freezable(keras.optimizers.Adam)` is Adam with boolean masks among its variables; True = frozen,
everywhere. In each step it puts 0 for a frozen cell's gradient before anything is clipped, lets
Keras take the step, and keeps frozen cells and their slots (momentum, average, gathered gradient)
as they stood. So a free cell moves as it would have, had the frozen cells' gradient been 0.

In work: the playground does not offer it yet, and one test of its free cells is marked as not
understood.

Limits. `assign`, `set_weights` and callbacks that use them (SwapEMAWeights) pass the optimizer by.
A mask saves no compute. What belongs to no single cell goes on for all: Adafactor's statistics of
rows and columns, Adam's count of steps. Custom optimizers must make slots with
`add_optimizer_variables`. XLA may round a free cell's last bit otherwise than for the plain class.
In float16 use `freezable(LossScaleOptimizer)`: the one that `compile` adds sees raw gradients.
Sources: keras.io/api/optimizers; Kingma and Ba 2015 (Adam); Shazeer and Stern 2018 (Adafactor);
McMahan et al. 2013 (Ftrl).
"""

import contextlib
import functools
from types import SimpleNamespace
from unittest import mock

import numpy as np
from tensorflow.python.ops.control_flow_util import GraphOrParentsInXlaContext

from helpers.device import keras, tf
from helpers.masks import as_frozen

K = keras.optimizers
# Here update_step finds each cell's step from that cell alone, and writes by self.assign* only.
CELL_BY_CELL = (K.SGD, K.RMSprop, K.Adam, K.Adadelta, K.Adagrad, K.Adamax, K.Nadam, K.Ftrl, K.Lion)
NO_RESET = {
    K.Adafactor: "keeps statistics of rows and columns, shared with cells that were never frozen",
    K.Ftrl: "computes the weight from its slots, so that empty ones would throw the weight away",
    K.ScheduleFreeAdamW: "keeps the weight's own path in a slot, which cannot be empty",
}


class FreezesCells:
    """What `freezable` puts in front of an optimizer."""

    _masks_writes, _guards = False, ()

    def freeze_cells(self, variable, frozen, on_thaw="keep"):
        """Freeze the cells of `variable` where `frozen` is True, and thaw its other cells.

        `frozen` is bool, of the variable's shape: array, lists or tensor, also in a tf.function.
        It holds from the next step on, without a new trace. on_thaw="keep": a thawed cell goes on
        with its slots as they were frozen; "reset": with empty ones (an average starts at the
        weight; Adam's first step is then some 3 learning rates, as bias correction is over).
        TypeError: not bool. ValueError: other shape, unknown variable, not built, harmful reset.
        """
        guard = self._guard(variable)
        if tf.is_tensor(frozen) and not tf.executing_eagerly():  # its type is all there is to see
            as_frozen(np.zeros(frozen.shape, frozen.dtype.as_numpy_dtype), variable.shape)
        else:
            frozen = tf.constant(as_frozen(frozen, variable.shape))
        if on_thaw == "reset":
            _reset_slots(guard, guard.mask & ~frozen)
        elif on_thaw != "keep":
            raise ValueError(f'on_thaw={on_thaw!r} arrived; pass "keep" or "reset".')
        here = [other is guard for other in self._guards]
        self._in_use.assign(tf.where(here, tf.reduce_any(frozen), self._in_use))
        guard.mask.assign(frozen)

    def frozen_cells(self, variable):
        """Return the mask of `variable`: a bool tensor of its shape, True = frozen."""
        return tf.identity(self._guard(variable).mask)

    def build(self, variables):
        """Let Keras make the slots, note whose they are and who made them; add masks, all False."""
        if self.built:
            return
        self._guards = [SimpleNamespace(variable=_raw(v), slots=[]) for v in variables]
        self._guard_of = {self._var_key(guard.variable): guard for guard in self._guards}
        make = K.Optimizer.add_variable_from_reference

        def make_and_note(maker, reference_variable, name=None, initializer="zeros"):
            slot = make(maker, reference_variable, name=name, initializer=initializer)
            guard = self._guard_of[self._var_key(reference_variable)]
            initializer = "weight" if maker.use_ema and name == "average" else initializer
            guard.slots.append((_raw(slot), maker, initializer))
            self._guard_of[self._var_key(slot)] = guard
            return slot

        # In Keras' class, because a LossScaleOptimizer has its slots made by the one inside.
        with mock.patch.object(K.Optimizer, "add_variable_from_reference", make_and_note):
            super().build(variables)
        for guard in self._guards:
            with self._distribution_strategy.extended.colocate_vars_with(guard.variable):
                mask = self.add_variable(guard.variable.shape, dtype="bool", name="frozen")
            guard.mask = _raw(mask)
        self._in_use = self.add_variable((len(self._guards),), dtype="bool", name="in_use")

    def apply(self, grads, trainable_variables=None):
        """Take one step. One that raises leaves weights and slots as they were."""
        step, grads = super().apply, list(grads)
        variables = list(trainable_variables or self._trainable_variables)
        if variables and not self.built:
            self.build(variables)
        if not grads or not variables:
            return step(grads, trainable_variables)  # Keras says what is missing
        sound = [_checked(g, self._guard(v)) for g, v in zip(grads, variables, strict=True)]
        # What can only be checked while a graph runs is checked before its first write.
        checks = [new for old, new in zip(grads, sound) if new is not old]
        take = functools.partial(self._take, step, sound, variables)
        # A branch costs XLA more than masks do, and tf.distribute allows none around a step.
        xla = GraphOrParentsInXlaContext(tf.compat.v1.get_default_graph())
        with tf.control_dependencies(checks):
            if xla or tf.distribute.has_strategy():
                take(masked=True)
            else:
                tf.cond(tf.reduce_any(self._in_use), lambda: take(masked=True), take)

    def finalize_variable_values(self, var_list):
        """Overwrite free cells with their moving averages, if the optimizer keeps any."""
        with self._bracket(put_back=True):
            super().finalize_variable_values(var_list)

    def assign(self, variable, value):
        """As in Keras; while `_masks_writes`, only to free cells."""
        if guard := self._masks_writes and self._guard_of.get(self._var_key(variable)):
            value = tf.where(guard.mask, variable, tf.cast(value, variable.dtype))
        super().assign(variable, value)

    def assign_add(self, variable, value):
        """As in Keras; while `_masks_writes`, only to free cells."""
        if self._masks_writes:
            return self.assign(variable, variable + tf.cast(value, variable.dtype))
        super().assign_add(variable, value)

    def assign_sub(self, variable, value):
        """As in Keras; while `_masks_writes`, only to free cells."""
        if self._masks_writes:
            return self.assign(variable, variable - tf.cast(value, variable.dtype))
        super().assign_sub(variable, value)

    def _take(self, step, grads, variables, masked=False):
        """Take a step. Masking each write gives the same bits as putting back what it wrote, and
        moves less memory, but serves only where nothing else writes to a cell."""
        others = [self.weight_decay, self.use_ema, self.gradient_accumulation_steps]
        others += [tf.distribute.has_strategy(), *(v.constraint for v in variables)]
        others += [getattr(v, "overwrite_with_gradient", False) for v in variables]
        others += [isinstance(grad, tf.IndexedSlices) for grad in grads]
        known = type(self).update_step in [optimizer.update_step for optimizer in CELL_BY_CELL]
        self._masks_writes = masked and known and not any(others)
        if masked and (not self._masks_writes or self.clipnorm or self.global_clipnorm):
            grads = [_without_frozen(g, self._guard(v).mask) for g, v in zip(grads, variables)]
        try:
            with self._bracket(put_back=masked and not self._masks_writes):
                step(grads, variables)
        finally:
            self._masks_writes = False

    @contextlib.contextmanager
    def _bracket(self, put_back):
        """Note weights and slots; afterwards write frozen cells back, or all if something raised.

        That can only happen eagerly: a graph has run to its end by the time Python hears of it.
        """
        distributed = tf.distribute.has_strategy()
        kept = [(v, g.mask) for g in self._guards for v in (g.variable, *(s[0] for s in g.slots))]
        before = [tf.identity(variable) for variable, _ in kept if put_back]
        eager = tf.executing_eagerly() and not distributed
        held = [*self.variables, *(g.variable for g in self._guards)] if eager else []
        held = [(variable, tf.identity(variable)) for variable in held]

        def write(strategy, before):  # each replica its own: the mean of equal numbers rounds
            for (variable, mask), old in zip(kept, before):
                strategy.extended.update(variable, _keep, (mask, old), group=False)

        try:
            yield
            if distributed and not tf.distribute.in_cross_replica_context():
                tf.distribute.get_replica_context().merge_call(write, (before,))
            else:
                write(self._distribution_strategy, before)
        except BaseException:  # an interrupt, too
            for variable, old in held:
                variable.assign(old)
            raise

    def _guard(self, variable):
        if not self.built:
            raise ValueError("Masks come with the slots: call optimizer.build(variables) first.")
        guard = self._guard_of.get(getattr(_raw(variable), "_unique_id", None))
        if guard is None:
            held = ", ".join(guard.variable.name for guard in self._guards)
            name = getattr(variable, "name", type(variable).__name__)
            raise ValueError(f"{name!r} arrived; this optimizer was built for {held} alone.")
        return guard


@functools.cache
def freezable(OptimizerClass):
    """Return the subclass of a Keras optimizer class that can freeze cells; always the same one.

    It saves and loads as any optimizer does, masks included; to load a model in a new session,
    call freezable(OptimizerClass) first. Raises TypeError for anything but an optimizer class.
    """
    if not isinstance(OptimizerClass, type) or not issubclass(OptimizerClass, K.Optimizer):
        raise TypeError(
            f"{OptimizerClass!r} arrived; a Keras optimizer class was wanted. Make the optimizer "
            "from what comes back: freezable(keras.optimizers.Adam)(1e-3)."
        )
    if issubclass(OptimizerClass, FreezesCells):
        return OptimizerClass
    name, package = f"Freezable{OptimizerClass.__name__}", OptimizerClass.__module__
    made = type(name, (FreezesCells, OptimizerClass), {"__doc__": OptimizerClass.__doc__})
    return keras.saving.register_keras_serializable(package, name)(made)


def _raw(variable):
    return variable.value if isinstance(variable, keras.Variable) else variable


def _keep(variable, mask, old):
    variable.assign(tf.where(mask, old, variable))


def _reset_slots(guard, thawed):
    """Give thawed cells the slots of a fresh optimizer, unless that does harm."""
    for unsound, reason in NO_RESET.items():
        if any(isinstance(maker, unsound) for _, maker, _ in guard.slots):
            raise ValueError(f'{unsound.__name__} {reason}: thaw with on_thaw="keep".')
    for slot, _, initial in guard.slots:
        fresh = guard.variable
        if initial != "weight":
            fresh = keras.initializers.get(initial)(slot.shape, dtype=slot.dtype)
        slot.assign(tf.where(thawed, fresh, slot))


def _checked(grad, guard):
    """The gradient, if its shape fits; of an IndexedSlices, only what concerns free cells."""
    if isinstance(grad, tf.IndexedSlices):  # tf.gather also makes sure that the rows exist
        values = tf.ensure_shape(grad.values, [None, *guard.variable.shape[1:]])
        values = _without_frozen(values, tf.gather(guard.mask, grad.indices))
        return tf.IndexedSlices(values, grad.indices, grad.dense_shape)
    if grad is None or getattr(grad, "shape", None) == guard.variable.shape:
        return grad
    return tf.ensure_shape(grad, guard.variable.shape)


def _without_frozen(grad, frozen):
    """Put 0 where frozen, by choosing: multiplying would make NaN of NaN and inf."""
    if grad is None or isinstance(grad, tf.IndexedSlices):
        return grad  # the rows of an IndexedSlices are masked as they are checked
    return tf.where(frozen, tf.zeros((), grad.dtype), grad)
