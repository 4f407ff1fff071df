"""A reader of digits whose layers anneal one after the other: FreezeOut (Brock and others 2017).

All is computed in float64, so that other machines come to the same figures.
"""

import numpy as np

from helpers import networks
from helpers.device import keras, tf
from helpers.studies import continual

WIDTHS = (64, 64, 64, 64)  # so that all kernels but the last have one size
BATCH = 64


class Reader:
    """A dense network with four hidden layers of 64 units, compiled once, trained at any rates.

    A learning rate for each layer and step decides what trains when: at a rate of 0 a layer stays,
    bit for bit. Every layer has an Adam of its own, since an optimizer has one rate.
    """

    def __init__(self):
        self._task = continual.upright()
        self._pictures, self._labels = map(tf.constant, self._task.part["train"])
        self.model = networks.dense(0, WIDTHS, dtype="float64")
        self._optimizers = [keras.optimizers.Adam() for _ in self.model.layers]
        self._variables = [layer.trainable_variables for layer in self.model.layers]
        for optimizer, variables in zip(self._optimizers, self._variables):
            optimizer.build(variables)
        self._fresh = [[v.numpy() for v in each.variables] for each in self._optimizers]
        kinds = tf.TensorSpec([None, len(WIDTHS) + 1], "float64"), tf.TensorSpec([], "int32")
        self._run = tf.function(self._steps, input_signature=kinds)

    def train(self, seed, rates):
        """Train from the start, a step a row of `rates`: float (steps, layers), the learning rate
        of each layer. The seed, an int, decides weights and batches."""
        self.model.set_weights(networks.drawn(seed, WIDTHS))
        for optimizer, state in zip(self._optimizers, self._fresh):
            for variable, value in zip(optimizer.variables, state):
                variable.assign(value)
        # Cosines differ in their last bits from processor to processor.
        self._run(tf.constant(np.round(rates, 9)), tf.constant(seed))

    def right(self, part="test"):
        """Return how many in a hundred pictures are read correctly; `part` is "validation" or
        "test"."""
        pictures, labels = self._task.part[part]
        return networks.per_cent(self.model(pictures).numpy().argmax(-1) == labels)

    def _steps(self, rates, seed):
        for step in tf.range(tf.shape(rates)[0]):
            drawn = tf.random.stateless_uniform(
                (BATCH,), tf.stack([seed, step]), 0, len(self._labels), tf.int32
            )
            batch = tf.gather(self._pictures, drawn), tf.gather(self._labels, drawn)
            self._step(*batch, rates[step])

    def _step(self, pictures, labels, rates):
        with tf.GradientTape() as tape:
            loss = networks.cross_entropy(labels, self.model(pictures, training=True))
        gradients = tape.gradient(loss, self._variables)
        for number, optimizer in enumerate(self._optimizers):
            optimizer.learning_rate.assign(tf.cast(rates[number], "float32"))
            optimizer.apply(gradients[number], self._variables[number])
