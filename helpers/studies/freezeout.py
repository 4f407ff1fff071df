"""Readers of digits whose layers come to rest one after the other: FreezeOut (Brock and others
2017). Many train side by side, each at rates of its own.

All is computed in float64, so that other machines come to the same figures.
"""

import numpy as np

from helpers import networks
from helpers.device import keras, tf
from helpers.step import training_step
from helpers.studies import continual, trials
from helpers.techniques import TECHNIQUES

WIDTHS = (32, 32, 32, 32)  # so that all kernels but the first and the last have one size


class Readers:
    """Dense networks with four hidden layers of 32 units, compiled once, trained at any rates.

    `count` is how many train side by side. Adam trains them. A learning rate for each network, step
    and layer decides what trains when: at a rate of 0 a layer stays, bit for bit.
    """

    def __init__(self, count):
        self._task = continual.upright()
        self._pictures, self._labels = map(tf.constant, self._task.part["train"])
        start = zip(*[networks.initial_weights(0, WIDTHS)] * count)
        self.variables = [keras.Variable(np.stack(each), dtype="float64") for each in start]
        self._adam = keras.optimizers.Adam(1.0)  # its steps are scaled by the rates
        self._adam.build(self.variables)
        self._make_new = trials.restorer(self._adam.variables)
        rates = tf.TensorSpec([count, None, len(WIDTHS) + 1], "float64")
        signature = rates, tf.TensorSpec([count], "int32")
        self._run = tf.function(self._train, input_signature=signature)

    def train(self, seeds, rates):
        """Train from the start: `rates` are floats (networks, steps, layers), and `seeds` an int a
        network, which decides what it begins with, and its batches."""
        for variable, each in zip(
            self.variables, zip(*[networks.initial_weights(s, WIDTHS) for s in seeds])
        ):
            variable.assign(np.stack(each))
        self._make_new()
        # Cosines differ in their last bits from processor to processor.
        self._run(tf.constant(np.round(rates, 9)), tf.constant(seeds, "int32"))

    def right(self, part="test"):
        """Return how many in a hundred pictures each reads correctly, a float array (networks,);
        `part` is "validation" or "test"."""
        pictures, labels = self._task.part[part]
        answers = _outputs(self.variables, pictures).numpy().argmax(-1)
        return 100 * (answers == labels).mean(axis=1)

    def _train(self, rates, seeds):
        for number in tf.range(tf.shape(rates)[1]):
            drawn = [trials.places(len(self._labels), seed, number) for seed in tf.unstack(seeds)]
            pictures, labels = (tf.gather(each, drawn) for each in (self._pictures, self._labels))

            def loss(values, pictures=pictures, labels=labels):
                losses = networks.cross_entropy(labels, _outputs(values, pictures))
                return losses * seeds.shape[0]  # so that each network has its own gradients

            def apply(gradients, rates=rates[:, number]):
                before = [tf.identity(variable.value) for variable in self.variables]
                self._adam.apply(gradients, self.variables)
                for place, (variable, held) in enumerate(zip(self.variables, before)):
                    rate = tf.reshape(rates[:, place // 2], [-1] + [1] * (len(held.shape) - 1))
                    variable.assign(held + rate * (variable - held))

            training_step(TECHNIQUES["none"], self.variables, {}, loss, apply)


def _outputs(variables, pictures):
    """Return what each network makes of its pictures, float (networks, pictures, inputs), or all of
    the same, (pictures, inputs): logits (networks, pictures, classes)."""
    kernels, biases = variables[::2], variables[1::2]
    values = pictures
    for number, (kernel, bias) in enumerate(zip(kernels, biases)):
        values = tf.matmul(values, kernel) + bias[:, None]
        if number < len(WIDTHS):
            values = tf.nn.relu(values)
    return values
