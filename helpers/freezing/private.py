"""Every private name of Keras 3.15 that this folder relies on; of TensorFlow there is none.

Keras may change them at any upgrade. tests/freezing/test_private.py then says which, before a
model is trained wrongly. What each is for, and what breaks without it:

Optimizer._var_key(variable)
    One key for a Keras variable, its tf.Variable and its copies on several devices.
    Without it: slots and masks are not found, and nothing can be frozen.
Optimizer._distribution_strategy
    The tf.distribute strategy that the optimizer was made under.
    Without it: masks and frozen values do not reach every device.
Optimizer._use_weight_decay(variable)
    False for what `exclude_from_weight_decay` has excluded.
    Without it: excluded variables would decay while cells are frozen.
Optimizer._apply_weight_decay(variables)
    Overridden in `FreezesCells`: Keras' own one writes past `assign_sub`, which masks.
    Without it: weight decay moves frozen cells.
MultiOptimizer._optimizer_map(variable)
    Chooses, during `build`, the optimizer for a variable; it may make a new one.
    Without it: slots of optimizers that a function chooses are not kept.
Optimizer._var_key(variable), Optimizer._trainable_variables
    Overridden in `CompactCells`: Keras trains a vector of free weights in place of a variable, and
    finds its slots by the variable's key.
    Without them: slots of a compact optimizer are not found, or averages are of whole variables.
Optimizer._trainable_variables, Optimizer._var_key(variable)
    Read by `trains` and `slots`, for LeakCheck.
    Without them: it finds every leak, but takes no way in for the optimizer's.
Optimizer._backend_reset_gradient_accumulators()
    Overridden in `CompactCells`: Keras' own one wants slots of a length that it knows.
    Without it: a compact optimizer cannot gather gradients.
Variable._initialize(value), Variable._validate_shape(shape)
    Overridden in `AnyLength`: make the tf.Variable inside (`_value`), and allow None in its shape.
    Without them: `in_use` cannot change its length, which is how XLA is told.
Variable._shape, Variable._ndim
    Set in `Flattened`: what Keras takes for the shape of a slot that has become a vector.
    Without them: it refuses to assign the vector.
Variable._restore_from_tensors(restored_tensors)
    Overridden in `AnyLength`: tf.train.Checkpoint restores by `assign`, as everything else does.
    Without it: a step that freezes under XLA cannot go on after an earlier state was restored.
"""

import inspect

import keras
import tensorflow as tf


def key(optimizer, variable):
    """Return what tells a variable from others; the same for all of its copies."""
    return optimizer._var_key(variable)


def strategy(optimizer):
    """Return the tf.distribute strategy that the optimizer was made under."""
    return optimizer._distribution_strategy


def replicated(optimizer):
    """Return whether that is another than TensorFlow's default, which has one copy of all."""
    with strategy(optimizer).scope():
        return tf.distribute.has_strategy()


def decays(optimizer, variable):
    """Return whether weight decay is meant for this variable."""
    return optimizer._use_weight_decay(variable)


def chooser(multi_optimizer):
    """Return the function from a variable to its optimizer that a MultiOptimizer was given."""
    return multi_optimizer._optimizer_map


def set_chooser(multi_optimizer, choose):
    """Let a MultiOptimizer choose by this function."""
    multi_optimizer._optimizer_map = choose


def trains(optimizer, variable):
    """Return whether the optimizer was built to step this tf.Variable."""
    key_of = optimizer._var_key
    return any(key_of(each) == key_of(variable) for each in optimizer._trainable_variables)


def slots(optimizer, variable):
    """Return what an optimizer keeps for each cell of a tf.Variable that it steps: a dict from the
    names of lists in which it has one slot a variable, such as "momentums", to its slot. Of a
    compact optimizer these are the slots of a variable whose cells are all free, and no other."""
    if hasattr(optimizer, "slots_of"):
        kept = optimizer.slots_of(variable)
    else:
        trained, key_of = optimizer._trainable_variables, optimizer._var_key
        (number,) = [n for n, one in enumerate(trained) if key_of(one) == key_of(variable)]
        lists = {name.strip("_"): held for name, held in vars(optimizer).items()}
        del lists["trainable_variables"], lists["variables"]
        lists = {n: h for n, h in lists.items() if isinstance(h, list) and len(h) == len(trained)}
        kept = {name: held[number] for name, held in lists.items()}
    shape = variable.shape
    return {name: slot for name, slot in kept.items() if getattr(slot, "shape", None) == shape}


def callbacks_beside():
    """Return the list of callbacks to which the one belongs that calls this. A callback is not told
    what else is there: the CallbackList stands on the stack, and has the list."""
    frame = inspect.currentframe()
    while frame is not None:
        caller = frame.f_locals.get("self")
        if isinstance(caller, keras.callbacks.CallbackList):
            return caller.callbacks
        frame = frame.f_back
    return []


class AnyLength(keras.Variable):
    """A vector to which vectors of any length can be assigned."""

    def _initialize(self, value):
        self._value = tf.Variable(value, shape=[None], trainable=False, name=self.name)

    def _validate_shape(self, shape):
        return (None,)

    def _restore_from_tensors(self, restored_tensors):
        return self.assign(restored_tensors["VARIABLE_VALUE"])


class Flattened(AnyLength):
    """A variable of one shape, until `flatten` makes it a vector of any length."""

    def _initialize(self, value):
        self.whole = tuple(value.shape)
        keras.Variable._initialize(self, value)

    def _validate_shape(self, shape):
        return keras.Variable._validate_shape(self, shape)

    def assign(self, value):
        """As in Keras; and become what is restored, a vector or whole."""
        if tf.executing_eagerly():
            if tuple(value.shape) != self.whole:
                self.flatten()
            elif len(self.whole) != 1:
                self.unflatten()
        return super().assign(value)

    def flatten(self):
        """Hold what there is as a vector; graphs that read it must be made afterwards."""
        if self._shape == self.whole:
            super()._initialize(tf.reshape(self.value, [-1]))
            self._shape, self._ndim = (None,), 1

    def unflatten(self):
        """Have the first shape again, and hold zeros; of graphs as above."""
        if self._shape != self.whole:
            self._initialize(tf.zeros(self.whole, self.dtype))
            self._shape, self._ndim = self.whole, len(self.whole)
