"""Every private name of Keras 3.15 that this folder relies on; of TensorFlow there is none.

Keras may change them at any upgrade. tests/freezing/test_private.py then says which, before a
model is trained wrongly. What each is for, and what breaks without it:

Optimizer._var_key(variable)
    One key for a Keras variable, its tf.Variable and its copies on several devices.
    Without it: slots and masks are not found, and nothing can be frozen.
Optimizer._distribution_strategy
    The tf.distribute strategy that the optimizer was made under.
    Without it: masks and frozen values do not reach every device.
Optimizer._track_variable(variable)
    Takes a variable of one's own among `optimizer.variables`, also where Keras tracks nothing.
    Without it: masks are in no file.
Optimizer._use_weight_decay(variable)
    False for what `exclude_from_weight_decay` has excluded; overridden in `CompactCells`.
    Without it: excluded variables would decay while cells are frozen.
Optimizer._exclude_from_weight_decay, Optimizer._exclude_from_weight_decay_pattern
Optimizer._exclude_from_weight_decay_cache
    What is excluded from weight decay, and what has been found out of it.
    Without them: `take_over` cannot hand exclusions over.
Optimizer._iterations
    How many gradients have been applied, of which some may be gathered for one step.
    Without it: `take_over` cannot go on with Adam's correction or with a schedule, and what a cell
    had gathered before it was frozen counts in the first step after its thaw.
Optimizer._accumulated_gradients, Optimizer._learning_rate
    Attributes that `take_over` knows by name, and hands over under a condition, or not at all.
Optimizer._apply_weight_decay(variables)
    Overridden in `FreezesCells`: Keras' own one writes past `assign_sub`, which masks.
    Without it: weight decay moves frozen cells.
Optimizer._update_model_variables_moving_average(trainable_variables)
    Overridden in `FreezesCells`: the average of a frozen cell is the cell.
    Without it: a thawed cell is overwritten with an average that never started.
Optimizer._model_variables_moving_average
    The averages, as a list. In `CompactCells` whoever asks from outside gets whole ones.
    Without it: SwapEMAWeights swaps nothing under a compact optimizer.
MultiOptimizer._optimizer_map(variable)
    Chooses, during `build`, the optimizer for a variable; it may make a new one.
    Without it: slots of optimizers that a function chooses are not kept.
Optimizer._var_key(variable), Optimizer._trainable_variables
    Overridden in `CompactCells`: Keras trains a vector of free weights in place of a variable, and
    finds its slots by the variable's key. Read in `take_over` and `LeakCheck`, for what an
    optimizer was built for.
    Without them: slots of a compact optimizer are not found, or averages are of whole variables.
Optimizer._backend_reset_gradient_accumulators()
    Overridden in `CompactCells`: Keras' own one wants slots of a length that it knows.
    Without it: a compact optimizer cannot gather gradients.
Variable._initialize(value), Variable._validate_shape(shape), Variable._value
    Overridden in `AnyShape`: make the tf.Variable inside (`_value`), of a shape that may change.
    Without them: a slot cannot follow the number of its free cells.
Variable._restore_from_tensors(restored_tensors)
    Overridden in `Told` and `AnyShape`: tf.train.Checkpoint restores by `assign`, as everything
    else does.
    Without it: a mask from a checkpoint is not in force.
"""

import inspect
from collections.abc import Callable
from typing import Any

import keras
import numpy.typing as npt
import tensorflow as tf

from .kinds import Variable


def key(optimizer: keras.Optimizer, variable: Variable) -> Any:
    """Return what tells a variable from others; the same for all of its copies."""
    return optimizer._var_key(variable)


def strategy(optimizer: keras.Optimizer) -> tf.distribute.Strategy:
    """Return the tf.distribute strategy that the optimizer was made under."""
    return optimizer._distribution_strategy


def replicated(optimizer: keras.Optimizer) -> bool:
    """Return whether that makes copies, as TensorFlow's default does not; within the scope of a
    strategy, whether it is this one."""
    own = strategy(optimizer)
    if tf.distribute.has_strategy():  # the scope of another cannot be entered
        return own is tf.distribute.get_strategy()
    with own.scope():
        return tf.distribute.has_strategy()


def track(optimizer: keras.Optimizer, variable: Variable) -> None:
    """Take a variable among those of the optimizer, so that it is saved and loaded."""
    optimizer._track_variable(variable)


def decays(optimizer: keras.Optimizer, variable: Variable) -> bool:
    """Return whether weight decay is meant for this variable."""
    return optimizer._use_weight_decay(variable)


EXCLUSIONS = "_exclude_from_weight_decay", "_exclude_from_weight_decay_pattern"


def exclusions(optimizer: keras.Optimizer) -> dict[str, Any]:
    """Return what `exclude_from_weight_decay` was told: a dict, empty if it was never called."""
    return {name: getattr(optimizer, name) for name in EXCLUSIONS if hasattr(optimizer, name)}


def exclude(optimizer: keras.Optimizer, told: dict[str, Any]) -> None:
    """Exclude from weight decay what another optimizer's `exclusions` say."""
    for name, value in told.items():
        setattr(optimizer, name, value)
    optimizer._exclude_from_weight_decay_cache = {}


GATHERED, AVERAGES = "_accumulated_gradients", "_model_variables_moving_average"


def built_for(optimizer: keras.Optimizer) -> list[Variable]:
    """Return the variables that an optimizer was built for."""
    return list(optimizer._trainable_variables)


def numbers(optimizer: keras.Optimizer) -> dict[str, keras.Variable]:
    """Return what an optimizer keeps for no variable, but for its rate and its count of steps: a
    dict from names of attributes to variables."""
    known = {"_learning_rate", "_iterations"}
    own = {name: value for name, value in vars(optimizer).items() if name not in known}
    return {name: value for name, value in own.items() if isinstance(value, keras.Variable)}


def continue_count(optimizer: keras.Optimizer, old: keras.Optimizer) -> None:
    """Let an optimizer count on from the steps of another. Keras counts single gradients, and
    where it gathers some for a step, another optimizer may gather another number of them."""
    ours, theirs = (each.gradient_accumulation_steps or 1 for each in (optimizer, old))
    whole, begun = divmod(int(old._iterations), theirs)
    optimizer._iterations.assign(whole * ours + (begun if ours == theirs else 0))


def begins_round(optimizer: keras.Optimizer) -> tf.Tensor:
    """Return whether the next gradient is the first of those that are gathered for one step: a bool
    scalar."""
    return optimizer._iterations.value % optimizer.gradient_accumulation_steps == 0


def chooser(multi_optimizer: keras.Optimizer) -> Callable[[Variable], keras.Optimizer]:
    """Return the function from a variable to its optimizer that a MultiOptimizer was given."""
    return multi_optimizer._optimizer_map


def set_chooser(
    multi_optimizer: keras.Optimizer, choose: Callable[[Variable], keras.Optimizer]
) -> None:
    """Let a MultiOptimizer choose by this function."""
    multi_optimizer._optimizer_map = choose


def callbacks_beside() -> list[keras.callbacks.Callback]:
    """Return the list of callbacks to which the one belongs that calls this. A callback is not told
    what else is there: the CallbackList stands on the stack, and has the list."""
    frame = inspect.currentframe()
    while frame is not None:
        caller = frame.f_locals.get("self")
        if isinstance(caller, keras.callbacks.CallbackList):
            return caller.callbacks
        frame = frame.f_back
    return []


class Told(keras.Variable):
    """A variable that calls `told(value)` whenever a value has been assigned to it."""

    def __init__(self, value: Any, told: Callable[[tf.Tensor], None], **options: Any) -> None:
        self.told = told
        super().__init__(value, trainable=False, **options)

    def assign(self, value: tf.Tensor) -> tf.Tensor:
        """As in Keras, and tell of it."""
        value = super().assign(value)
        self.told(value)
        return value

    def _restore_from_tensors(self, restored_tensors: dict[str, tf.Tensor]) -> tf.Tensor:
        return self.assign(restored_tensors["VARIABLE_VALUE"])


class AnyShape(keras.Variable):
    """A variable to which values of any shape can be assigned; its shape is that of the last."""

    @property
    def shape(self) -> tf.TensorShape:
        """The shape as it is now; in a graph, what is known of it."""
        value = self._value
        return tf.TensorShape(tf.shape(value)) if tf.executing_eagerly() else value.shape

    @property
    def ndim(self) -> int:
        """The number of axes as it is now."""
        return len(self.shape)

    def put(self, value: npt.ArrayLike) -> None:
        """Hold a value of any shape."""
        self._value.assign(keras.ops.convert_to_tensor(value, dtype=self.dtype))

    def become(self, value: tf.Tensor, shape: Any) -> None:
        """Hold a value, and later ones of a shape of which some may not be known; graphs that read
        this variable must be made afterwards."""
        self._value = tf.Variable(value, shape=shape, trainable=False, name=self.name)

    def _initialize(self, value: tf.Tensor) -> None:
        self.become(value, tf.TensorShape(None))

    def _validate_shape(self, shape: Any) -> tuple[()]:
        return ()

    def _restore_from_tensors(self, restored_tensors: dict[str, tf.Tensor]) -> tf.Tensor:
        return self.assign(restored_tensors["VARIABLE_VALUE"])
