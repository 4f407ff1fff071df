"""A network that reads upright digits learns turned ones, while most of its weights are frozen.

All is computed in float64, so that other machines come to the same figures.
"""

import functools

import numpy as np

from helpers import networks
from helpers.device import keras, tf
from helpers.freezing import freezable
from helpers.studies import continual, trials

BATCH = 32
STEPS = 100
LEARNT = 300  # steps in which it learns the upright digits
EXAMPLES = 256  # for the Fisher information


class Reader:
    """A dense network of 26,122 weights, pretrained on upright digits from each seed.

    After a training, `right` judges it, and `model` has its weights, `size` of them. `upright` and
    `turned` are tasks of `continual.rotated`.
    """

    def __init__(self):
        self.upright, self.turned, _ = continual.rotated()
        self.model = networks.dense(0, dtype="float64")
        self.size = self.model.count_params()
        adam = freezable(keras.optimizers.Adam)(0.003)
        self._trial = trials.Trial(self.model, adam, jit_compile=True, batch=BATCH)
        # A mask, though it freezes nothing: XLA would compile once more for the first one.
        self._trial.freeze([np.zeros(v.shape, bool) for v in self.model.trainable_variables])
        self._low_rank = functools.cache(_low_rank)
        self._fisher = trials.fisher_of(self.model)
        self._judged = self._trial

    @functools.cache  # noqa: B019 (there is one Reader on a page)
    def weights(self, seed):
        """Return the pretrained weights as arrays: kernels and biases in turn. Change a copy."""
        self.train(networks.initial_weights(seed), [], 0.003, seed, self.upright, LEARNT)
        return self.model.get_weights()

    @functools.cache  # noqa: B019
    def information(self, seed, examples=EXAMPLES):
        """Return the Fisher information of each weight about *turned* digits, from so many of the
        pictures to train on; see `trials.fisher`. Arrays like the weights."""
        self.model.set_weights(self.weights(seed))
        pictures, labels = (values[:examples] for values in self.turned.part["train"])
        return self._fisher(pictures, labels)

    @functools.cache  # noqa: B019
    def gradient(self, seed):
        """Return the gradient of the loss on turned digits, of all pictures to train on, at the
        pretrained weights. Arrays like the weights."""
        self.model.set_weights(self.weights(seed))
        pictures, labels = map(tf.convert_to_tensor, self.turned.part["train"])
        with tf.GradientTape() as tape:  # the page draws the gradient, and no step follows
            loss = networks.cross_entropy(labels, self.model(pictures))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        return [gradient.numpy() for gradient in gradients]

    def adapt(self, seed, frozen, rate, steps=STEPS):
        """Train the pretrained network on turned digits; `frozen` has a bool mask for each array of
        weights, True = frozen, or is empty. The seed decides weights and batches."""
        self.train(self.weights(seed), frozen, rate, seed, self.turned, steps)

    def train(self, weights, frozen, rate, seed, task, steps):
        """Train from other weights, or on another task."""
        self._judged = self._trial
        self._trial.restart(weights, rate)
        if len(frozen):
            self._trial.freeze(frozen)
        self._trial.train_on(self._data(task), steps, seed)

    def first_kernel(self, frozen, rates, part="validation", seed=0, orders=3, steps=STEPS):
        """Train the free cells of the first kernel alone, for some steps, with the batches in each
        of some orders. The rates are tried upwards, until five points less of the validation part
        are read, in the mean. Return the rate that reads most of it, and what it reads of a part:
        (float, a list of floats, one an order). `frozen` is bool (64, 128)."""
        held = [np.ones(w.shape, bool) for w in self.weights(seed)]
        held[0] = np.asarray(frozen)
        most = -1
        for each in sorted(rates):
            validated, found = [], []
            for order in range(orders):
                self.train(self.weights(seed), held, each, order, self.turned, steps)
                validated.append(self.right("validation"))
                found.append(self.right(part))
            if np.mean(validated) < most - 5:
                break
            if np.mean(validated) > most:
                most, rate, best = np.mean(validated), each, found
        return rate, best

    @functools.cache  # noqa: B019
    def _data(self, task):
        """Return what there is to train on, made ready once: it takes a tenth of a short
        training."""
        return trials.ready(*task.part["train"])

    def adapt_low_rank(self, seed, rank, rate, steps=STEPS):
        """Return the same with all weights frozen and a product of rank `rank` added to each kernel
        (LoRA: Hu and others 2021, arXiv:2106.09685). Returns how many numbers train."""
        model, trial = self._low_rank(rank)
        trial.restart(rate=rate)
        draw, weights = np.random.default_rng(seed), self.weights(seed)
        for layer, kernel, bias in zip(model.layers, weights[::2], weights[1::2]):
            inputs, outputs = kernel.shape
            first = draw.normal(size=(inputs, rank)) / np.sqrt(inputs)
            second = np.zeros((rank, outputs))  # so that at first the product is 0
            layer.set_weights([kernel, bias, first, second])
        trial.train_on(self._data(self.turned), steps, seed)
        self._judged = trial
        return sum(variable.numpy().size for variable in trial.variables)

    def right(self, part="test", task=None):
        """Return how many in a hundred pictures the network reads correctly, after its latest
        training: of turned digits, or those of another task."""
        pictures, labels = (task or self.turned).part[part]
        return self._judged.accuracy(pictures, labels)


def _low_rank(rank):
    """Return a network with factors of low rank, and a Trial that trains these alone."""
    model = networks.dense(0, dtype="float64")
    for layer in model.layers:
        layer.enable_lora(rank)
    factors = [f for layer in model.layers for f in (layer.lora_kernel_a, layer.lora_kernel_b)]
    adam = keras.optimizers.Adam(0.003)
    return model, trials.Trial(model, adam, jit_compile=True, batch=BATCH, variables=factors)
