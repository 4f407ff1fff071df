"""The small regression on which leaks are judged: what it starts from, and what it computes."""

import math
from dataclasses import dataclass

import numpy as np

from helpers.device import tf

SHAPE = (6, 8)  # of the kernel, the one variable that trains


@dataclass(frozen=True)
class Regression:
    """Numbers drawn once, the same everywhere: targets ≈ tanh(inputs · kernel) · readout.

    inputs, readout, targets  float32 tensors (16, 6), (8, 4) and (16, 4)
    kernel                    float64 array (6, 8): the values from which the kernel starts
    frozen                    bool array (6, 8), the half of the cells that is to be frozen
    """

    inputs: tf.Tensor
    readout: tf.Tensor
    targets: tf.Tensor
    kernel: np.ndarray
    frozen: np.ndarray

    def outputs(self, kernel, inputs, nan=False):
        """Return what the model makes of `inputs` with a kernel, a tensor.

        With `nan` the gradient of the first frozen cell is NaN, though the outputs are the same.
        """
        outputs = tf.tanh(inputs @ kernel) @ self.readout
        if nan:  # at 0 a root is infinitely steep, and 0 times that is NaN
            outputs += tf.sqrt(0 * kernel[tuple(np.argwhere(self.frozen)[0])])
        return outputs

    @staticmethod
    def loss(targets, outputs):
        """Return the mean square error, a scalar tensor."""
        return tf.reduce_mean(tf.square(outputs - targets))


def drawn():
    """Return the Regression: every call draws the same numbers."""
    draw = np.random.default_rng(0)
    sizes = (16, SHAPE[0]), (SHAPE[1], 4), (16, 4)
    data = [tf.constant(draw.normal(size=size), tf.float32) for size in sizes]
    kernel = draw.normal(size=SHAPE)
    frozen = draw.permutation(math.prod(SHAPE)).reshape(SHAPE) % 2 == 0
    return Regression(*data, kernel, frozen)
