"""A reader of digits whose layers anneal one after the other: FreezeOut (Brock and others 2017).

All is computed in float64, so that other machines come to the same figures.
"""

import numpy as np

from helpers import networks
from helpers.device import keras, tf
from helpers.model_trainer import ModelTrainer
from helpers.studies import continual, trials

WIDTHS = (64, 64, 64, 64)  # so that all kernels but the last have one size


class Reader(ModelTrainer):
    """A dense network with four hidden layers of 64 units, compiled once, trained at any rates.

    A learning rate for each layer and step decides what trains when: at a rate of 0 a layer stays,
    bit for bit.
    """

    def __init__(self):
        super().__init__(networks.dense(0, WIDTHS, dtype="float64"), _AdamForEachLayer())
        self._task = continual.upright()
        self._pictures, self._labels = map(tf.constant, self._task.part["train"])
        self._make_new = trials.restorer(self.optimizer.variables)
        kinds = tf.TensorSpec([None, len(WIDTHS) + 1], "float64"), tf.TensorSpec([], "int32")
        self._run = tf.function(self._train, input_signature=kinds)

    def train(self, seed, rates):
        """Train from the start, a step a row of `rates`: float (steps, layers), the learning rate
        of each layer. The seed, an int, decides weights and batches."""
        self.model.set_weights(networks.drawn(seed, WIDTHS))
        self._make_new()
        # Cosines differ in their last bits from processor to processor.
        self._run(tf.constant(np.round(rates, 9)), tf.constant(seed))

    def right(self, part="test"):
        """Return how many in a hundred pictures are read correctly; `part` is "validation" or
        "test"."""
        pictures, labels = self._task.part[part]
        return networks.per_cent(self.model(pictures).numpy().argmax(-1) == labels)

    def _train(self, rates, seed):
        def batch(step):
            self.optimizer.set_rates(rates[step])
            drawn = trials.places(len(self._labels), seed, step)
            return tf.gather(self._pictures, drawn), tf.gather(self._labels, drawn)

        self.steps(batch, tf.shape(rates)[0])


class _AdamForEachLayer:
    """An Adam for each layer's kernel and bias, since an optimizer has one rate."""

    def build(self, variables):
        self._adams = [keras.optimizers.Adam() for _ in variables[::2]]
        for adam, *pair in zip(self._adams, variables[::2], variables[1::2]):
            adam.build(pair)

    @property
    def variables(self):
        return [variable for adam in self._adams for variable in adam.variables]

    def set_rates(self, rates):
        for number, adam in enumerate(self._adams):
            adam.learning_rate.assign(tf.cast(rates[number], "float32"))

    def apply(self, gradients, variables):
        both = zip(gradients[::2], gradients[1::2]), zip(variables[::2], variables[1::2])
        for adam, layer_gradients, layer_variables in zip(self._adams, *both):
            adam.apply(layer_gradients, layer_variables)
