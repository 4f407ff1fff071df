"""The exact freeze: chosen cells of a variable stay as they are, bit for bit; the rest trains on.

`freezable(keras.optimizers.Adam)` is Adam with boolean masks among its variables; True = frozen,
everywhere. In each step it puts 0 for a frozen cell's gradient before anything is clipped, lets
Keras take the step, and keeps frozen cells and their slots (momentum, average, gathered gradient)
as they stood. So a free cell moves as it would have, had the frozen cells' gradient been 0.

Limits. `assign`, `set_weights` and callbacks that use them (SwapEMAWeights) pass the optimizer by.
A mask saves no compute. What belongs to no single cell goes on for all: Adafactor's statistics of
rows and columns, the step count in Adam's bias correction. A custom optimizer must make its slots
with `add_optimizer_variables`. In float16, use `freezable(LossScaleOptimizer)`: the one `compile`
adds sees raw gradients, and skips every step in which a frozen one is not finite.
Sources: keras.io/api/optimizers and `BaseOptimizer.apply`, which this brackets; Kingma and Ba 2015
(Adam); Shazeer and Stern 2018 (Adafactor); McMahan et al. 2013 (Ftrl).
"""

import contextlib
import functools

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


class Guard:
    """A trained variable, its mask and its slots: [(slot, its maker, its initializer)]."""

    def __init__(self, variable):
        self.variable, self.mask, self.slots = variable, None, []


class FreezesCells:
    """What `freezable` puts in front of an optimizer."""

    _masks_writes = False

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
        if on_thaw not in ("keep", "reset"):
            raise ValueError(f'on_thaw={on_thaw!r} arrived; pass "keep" or "reset".')
        if on_thaw == "reset":
            _reset(guard, tf.logical_and(guard.mask, tf.logical_not(frozen)))
        here = [other is guard for other in self._guards]
        self._in_use.assign(tf.where(here, tf.reduce_any(frozen), self._in_use))
        guard.mask.assign(frozen)

    def frozen_cells(self, variable):
        """Return the mask of `variable`: a bool tensor of its shape, True = frozen."""
        return tf.identity(self._guard(variable).mask)

    def build(self, variables):
        """Let Keras make the slots, note whose they are, and add the masks, all False."""
        if self.built:
            return
        self._guards = [Guard(variable) for variable in variables]
        self._guard_of = {self._var_key(guard.variable): guard for guard in self._guards}
        makers = _unwrapped(self)
        for maker in makers:
            make = functools.partial(self._make_slot, maker, maker.add_variable_from_reference)
            maker.__dict__["add_variable_from_reference"] = make
        try:
            super().build(variables)
        finally:
            for maker in makers:
                maker.__dict__.pop("add_variable_from_reference", None)
        if makers != _unwrapped(self):
            raise ValueError("A function that makes optimizers arrived; pass an OptimizerMap.")
        for guard in self._guards:
            with self._distribution_strategy.extended.colocate_vars_with(_raw(guard.variable)):
                guard.mask = self.add_variable(guard.variable.shape, dtype="bool", name="frozen")
        self._in_use = self.add_variable((len(self._guards),), dtype="bool", name="in_use")

    def apply(self, grads, trainable_variables=None):
        """Take one step. One that raises leaves weights and slots as they were."""
        step, grads = super().apply, list(grads)
        variables = list(trainable_variables or self._trainable_variables)
        if variables and not self.built:
            self.build(variables)
        if not grads or not variables:
            return step(grads, trainable_variables)  # Keras says what is missing
        grads = [_checked(g, self._guard(v)) for g, v in zip(grads, variables, strict=True)]
        with tf.control_dependencies([g for g in grads if g is not None]):  # all, before any write
            grads = [None if g is None else tf.identity(g) for g in grads]
        take = functools.partial(self._take, step, grads, variables)
        # A branch costs XLA more than masks do, and tf.distribute allows none around a step.
        xla = GraphOrParentsInXlaContext(tf.compat.v1.get_default_graph())
        if xla or tf.distribute.has_strategy():
            return take(masked=True)
        tf.cond(tf.reduce_any(self._in_use), lambda: take(masked=True), lambda: take(masked=False))

    def finalize_variable_values(self, var_list):
        """Overwrite free cells with their moving averages, if the optimizer keeps any."""
        with self._bracket(put_back=True):
            super().finalize_variable_values(var_list)

    def assign(self, variable, value):
        """As in Keras, but only to free cells while `_masks_writes`. So are the next two."""
        if guard := self._masks_writes and self._guard_of.get(self._var_key(variable)):
            value = tf.where(guard.mask, variable, tf.cast(value, variable.dtype))
        super().assign(variable, value)

    def assign_add(self, variable, value):
        if not self._masks_writes:
            return super().assign_add(variable, value)
        self.assign(variable, variable + tf.cast(value, variable.dtype))

    def assign_sub(self, variable, value):
        if not self._masks_writes:
            return super().assign_sub(variable, value)
        self.assign(variable, variable - tf.cast(value, variable.dtype))

    def _take(self, step, grads, variables, masked):
        """Take a step. Masking each write and putting back at the end give the same bits; the
        first moves less memory, but serves only where nothing else writes to a cell."""
        others = [self.weight_decay, self.use_ema, self.gradient_accumulation_steps]
        others += [tf.distribute.has_strategy(), *(v.constraint for v in variables)]
        others += [isinstance(grad, tf.IndexedSlices) for grad in grads]
        known = type(self).update_step in [optimizer.update_step for optimizer in CELL_BY_CELL]
        if masked:
            grads = [_without_frozen(g, self._guard(v).mask) for g, v in zip(grads, variables)]
        self._masks_writes = masked and known and not any(others)
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
        kept = [(v, g.mask) for g in self._guards for v in (g.variable, *(s[0] for s in g.slots))]
        before = [tf.convert_to_tensor(variable) for variable, _ in kept if put_back]
        eager = tf.executing_eagerly() and not tf.distribute.has_strategy()
        held = [*self.variables, *(g.variable for g in self._guards)] if eager else []
        held = [(variable, tf.convert_to_tensor(variable)) for variable in held]

        def write(strategy, before):  # each replica its own: the mean of equal numbers rounds
            for (variable, mask), old in zip(kept, before):
                strategy.extended.update(_raw(variable), _keep, (_raw(mask), old), group=False)

        try:
            yield
            if tf.distribute.has_strategy() and not tf.distribute.in_cross_replica_context():
                tf.distribute.get_replica_context().merge_call(write, (before,))
            else:
                write(self._distribution_strategy, before)
        except BaseException:  # an interrupt, too
            for variable, old in held:
                variable.assign(old)
            raise

    def _guard(self, variable):
        is_variable = isinstance(variable, (keras.Variable, tf.Variable))
        guard = self.built and is_variable and self._guard_of.get(self._var_key(variable))
        if not guard:
            advice = "Call optimizer.build(model.trainable_variables) first."
            if self.built:
                names = ", ".join(guard.variable.name for guard in self._guards)
                advice = f"This optimizer was built for {names}; build another for other variables."
            raise ValueError(f"{getattr(variable, 'name', variable)!r} arrived. {advice}")
        return guard

    def _make_slot(self, maker, make, reference_variable, name=None, initializer="zeros"):
        slot = make(reference_variable, name=name, initializer=initializer)
        guard = self._guard_of[self._var_key(reference_variable)]
        is_average = maker.use_ema and name == "average"
        guard.slots.append((slot, maker, None if is_average else initializer))
        self._guard_of[self._var_key(slot)] = guard
        return slot


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


def _unwrapped(optimizer):
    """The optimizer, and those that a LossScaleOptimizer or MultiOptimizer has inside."""
    inside = getattr(optimizer, "_inner_optimizers", None) or [
        getattr(optimizer, "inner_optimizer", None)
    ]
    return [optimizer, *(deeper for one in inside if one for deeper in _unwrapped(one))]


def _raw(variable):
    return variable.value if isinstance(variable, keras.Variable) else variable


def _keep(variable, mask, old):
    variable.assign(tf.where(mask, old, variable))


def _reset(guard, thawed):
    """Give thawed cells the slots of a fresh optimizer, unless that does harm."""
    for unsound, reason in NO_RESET.items():
        if any(isinstance(maker, unsound) for _, maker, _ in guard.slots):
            raise ValueError(f'{unsound.__name__} {reason}: thaw with on_thaw="keep".')
    for slot, _, initializer in guard.slots:
        fresh = tf.convert_to_tensor(guard.variable)
        if initializer is not None:
            fresh = keras.initializers.get(initializer)(fresh.shape, dtype=slot.dtype)
        slot.assign(tf.where(thawed, fresh, slot))


def _checked(grad, guard):
    """The gradient, if its shape fits; of an IndexedSlices, only what concerns free cells."""
    if isinstance(grad, tf.IndexedSlices):  # tf.gather also makes sure that the rows exist
        values = tf.ensure_shape(grad.values, [None, *guard.variable.shape[1:]])
        values = _without_frozen(values, tf.gather(guard.mask, grad.indices))
        return tf.IndexedSlices(values, grad.indices, grad.dense_shape)
    return grad if grad is None else tf.ensure_shape(grad, guard.variable.shape)


def _without_frozen(grad, frozen):
    """Put 0 where frozen, by choosing: multiplying would make NaN of NaN and inf."""
    if grad is None or isinstance(grad, tf.IndexedSlices):
        return grad  # the rows of an IndexedSlices are masked as they are checked
    return tf.where(frozen, tf.zeros((), grad.dtype), grad)
