"""Names for the types that many signatures of this folder share."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import keras
import tensorflow as tf

Variable = keras.Variable | tf.Variable
Gradient = tf.Tensor | tf.IndexedSlices | None
# Finds the value that a variable had before the step.
Before = Callable[[tf.Variable], tf.Tensor]
# `update(variable, write, arguments, group=False)` of a tf.distribute strategy calls
# `write(copy, *arguments)` for each copy of a variable.
Update = Callable[..., Any]
if TYPE_CHECKING:
    InFront: TypeAlias = keras.Optimizer
else:  # what stands in front of an optimizer class, and calls what that class has
    InFront = object
