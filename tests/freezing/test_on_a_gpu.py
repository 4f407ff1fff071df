"""All that the freeze keeps can stand on a GPU: by TensorFlow's own list of what it can do there,
which is the same on a machine without one.

Under XLA a step reads the variables of its own device alone, and on a GPU `fit` takes XLA.
"""

import numpy as np
import pytest
from tensorflow.python.framework import kernels

from helpers.device import keras, tf
from helpers.free_values import FreeDense
from helpers.freezing import freezable

ASSIGN = kernels.get_registered_kernels_for_op("AssignVariableOp").kernel
ON_A_GPU = {
    tf.dtypes.as_dtype(kind)
    for kernel in ASSIGN
    if kernel.device_type == "GPU"
    for constraint in kernel.constraint
    for kind in constraint.allowed_values.list.type
}
FROZEN = np.arange(24).reshape(4, 6) % 12 > 0
OPTIONS = [
    {},
    {"compact": True},
    {"compact": True, "gradient_accumulation_steps": 2},
    {"use_ema": True, "clipnorm": 1.0},
]

pytestmark = pytest.mark.skipif(not ON_A_GPU, reason="a TensorFlow without kernels for a GPU")


def network(layer):
    return keras.Sequential([keras.Input((4,)), layer])


def stay_behind(variables):
    """The variables that TensorFlow would leave on the processor."""
    return [v.path for v in variables if v.value.dtype not in ON_A_GPU]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", ["SGD", "AdamW", "Nadam", "Adagrad"])
def test_what_an_optimizer_keeps(name, options):
    compact = options.get("compact", False)
    rest = {key: value for key, value in options.items() if key != "compact"}
    cls = freezable(getattr(keras.optimizers, name), compact=compact)
    model = network(keras.layers.Dense(6))
    optimizer = cls(**rest)
    optimizer.build(model.trainable_variables)
    optimizer.freeze_cells(model.layers[0].kernel, FROZEN)
    assert len(optimizer.variables) > 2
    assert stay_behind(optimizer.variables) == []


def test_what_layers_keep_whose_free_values_train():
    assert stay_behind(network(FreeDense(6, frozen=FROZEN)).variables) == []


def test_an_int32_is_left_behind_as_these_tests_take_it():
    assert stay_behind([keras.Variable(np.zeros(2, "int32"), dtype="int32")])
