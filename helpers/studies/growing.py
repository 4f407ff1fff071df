"""A network that reads eight digits learns two more, and a recipe holds what served the eight.

What a leak costs is how many of the old digits it reads less well than under the exact freeze. All
is computed in float64, so that other machines come to the same figures.
"""

import functools

import numpy as np

from helpers import datasets, networks
from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.freezing import freezable
from helpers.model_trainer import ModelTrainer
from helpers.studies.trials import Trial, restorer

SEEDS = 5
WIDTHS = (32,)  # of the hidden layer
FIRST_STEPS, STEPS, BATCH = 180, 300, 32
OLD = 8  # the digits 0 to 7


def learn_two_more(recipe, optimizer, penalty=0.0, replay=True, warm=100):
    """Train the last layer on the digits 8 and 9 while `recipe` freezes what serves 0 to 7.

    The hidden layer is frozen as a whole. Of the last one, a kernel of 33 × 10 with its bias for a
    row, the columns 0 to 7 are frozen, which are 264 weights; the other two train. Before that,
    every column trains for some steps on the old digits.

    recipe     a Technique
    optimizer  a Keras optimizer, not built; for an exact recipe it is made freezable
    penalty    the factor of a penalty on the squared weights, all of them
    replay     whether each second picture of a batch is an old digit
    warm       how many steps there are before the freeze

    Returns three arrays with one number a seed: how many frozen weights leaked, and which share of
    the old and of the new digits is read rightly, of pictures that were not trained on. ValueError:
    a recipe that trains the free values alone, which is to say another variable.
    """
    if recipe.exact:
        kind = freezable(type(optimizer))
        optimizer = kind.from_config(optimizer.get_config())
    reader = _GrowingReader(recipe, optimizer, penalty)
    return np.array([reader.run(seed, replay, warm) for seed in range(SEEDS)]).T


class _GrowingReader(ModelTrainer):
    """The last layer and its one traced step, for all seeds."""

    def __init__(self, recipe, optimizer, penalty):
        features, _, table = _eight_digits(0)
        layer = keras.layers.Dense(table.shape[1], use_bias=False, dtype="float64")
        layer.build(features.shape)
        self.inputs, self.table = tf.Variable(features), layer.kernel
        more = {"technique": recipe, "penalty": lambda: penalty * tf.reduce_sum(self.table**2)}
        super().__init__(layer, optimizer, **more)
        self._make_new = restorer([*optimizer.variables, *self.frozen])

    def run(self, seed, replay, warm):
        """Return what `learn_two_more` returns, of one seed."""
        (_, labels), (_, test_labels) = datasets.digits_split()
        features, test_features, table = _eight_digits(seed)
        self.inputs.assign(features)
        self.table.assign(table)
        self._make_new()
        old, new = np.flatnonzero(labels < OLD), np.flatnonzero(labels >= OLD)
        draw = np.random.default_rng(seed)
        self.train(draw.choice(old, (warm, BATCH)))
        held, frozen = self.table.numpy(), np.zeros(table.shape, bool)
        frozen[:, :OLD] = True
        self.freeze([frozen])
        batches = draw.choice(new, (STEPS, BATCH))
        if replay:
            batches[:, ::2] = draw.choice(old, (STEPS, BATCH // 2))
        self.train(batches)

        (seen,) = self.seen()
        leaked = (changed_bits(held, seen) & frozen).sum()
        right = (test_features @ seen).argmax(axis=1) == test_labels
        return leaked, right[test_labels < OLD].mean(), right[test_labels >= OLD].mean()

    @tf.function(input_signature=[tf.TensorSpec([None, BATCH], tf.int64)])
    def train(self, batches):
        """Take a step for each row of `batches`, int64 (steps, BATCH): places of pictures."""
        (_, labels), _ = datasets.digits_split()
        for batch in batches:
            self.step(tf.gather(self.inputs, batch), tf.gather(labels, batch))


@functools.cache
def _eight_digits(seed):
    """Return a network that reads 0 to 7, by its parts: what its hidden layer makes of the pictures
    to train on and of those to test on, float64 (pictures, 33) with ones for the bias; its last
    layer, float64 (33, 10)."""
    (images, labels), (test_images, _) = datasets.digits_split()
    trial, old = _trial(), labels < OLD
    trial.restart(networks.initial_weights(seed, WIDTHS))
    trial.train(images[old].astype("float64"), labels[old], FIRST_STEPS, seed)
    hidden, last = trial.model.layers

    def features(pictures):
        return np.hstack([hidden(pictures).numpy(), np.ones((len(pictures), 1))])

    table = np.vstack([last.kernel.numpy(), last.bias.numpy()])
    return features(images), features(test_images), table


@functools.cache
def _trial():
    """One for all seeds, since its step is compiled once."""
    return Trial(networks.dense(0, WIDTHS, dtype="float64"), keras.optimizers.SGD(0.5))
