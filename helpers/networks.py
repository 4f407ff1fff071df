"""Small networks for the digits, and trials of them: trained in seconds, again and again."""

import itertools

import numpy as np

from helpers.device import keras, tf

BATCH = 64


def dense(seed, widths=(128, 128), classes=10):
    """Return a fully connected network, float32 (batch, 64) to logits (batch, classes)."""
    init = _initializers(seed)
    hidden = [keras.layers.Dense(w, "relu", kernel_initializer=next(init)) for w in widths]
    last = keras.layers.Dense(classes, kernel_initializer=next(init))
    return keras.Sequential([keras.layers.Input((64,)), *hidden, last])


def convolutional(seed, channels=(8, 16), classes=10):
    """Return a convolutional network with BatchNorm, float32 (batch, 64) to logits, as `dense`.

    Every convolution is 3×3; from the second on each halves rows and columns.
    """
    init = _initializers(seed)
    layers = [keras.layers.Input((64,)), keras.layers.Reshape((8, 8, 1))]
    for number, filters in enumerate(channels):
        layers += _convolution(filters, 2 if number else 1, next(init))
    last = keras.layers.Dense(classes, kernel_initializer=next(init))
    return keras.Sequential([*layers, keras.layers.Flatten(), last])


def cross_entropy(labels, logits):
    """The mean cross-entropy of a batch: labels int (batch,), logits float (batch, classes)."""
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
    return tf.reduce_mean(losses)


def per_cent(right):
    """How many in a hundred of an array of bools are True, a float."""
    return 100 * float(np.mean(right))


class Trial:
    """A model and its optimizer, compiled once and trained as often as wanted.

    `loss(labels, outputs)` is the mean loss of a batch; `penalty()`, if given, is added to it.
    `variables` are those that train, the model's trainable ones if left out. A mask painted on the
    optimizer between two trainings is followed without a new trace.
    """

    def __init__(self, model, optimizer, loss=cross_entropy, penalty=None, variables=None):
        self.model, self.optimizer, self._loss, self._penalty = model, optimizer, loss, penalty
        self.variables = model.trainable_variables if variables is None else variables
        optimizer.build(self.variables)
        self._state = [v.numpy() for v in optimizer.variables]
        self._run = tf.function(self._steps, reduce_retracing=True)

    def train(self, inputs, labels, steps, seed=0):
        """Take `steps` steps on batches of 64 drawn with replacement; the seed decides which.

        `inputs` are as the model takes them, one row an example; `labels` int (examples,).
        """
        inputs, labels = tf.convert_to_tensor(inputs), tf.convert_to_tensor(labels)
        self._run(inputs, labels, tf.constant(steps), tf.constant(seed))

    def accuracy(self, inputs, labels):
        """Return how many in a hundred are classified as their label says, a float."""
        logits = self.model(tf.convert_to_tensor(inputs), training=False).numpy()
        return per_cent(logits.argmax(-1) == np.asarray(labels))

    def restart(self, weights=None):
        """Make the optimizer as it was when the Trial was made, masks included; `weights`, as by
        `model.get_weights()` of a network of the same form, replace the model's."""
        for variable, value in zip(self.optimizer.variables, self._state, strict=True):
            variable.assign(value)
        if weights is not None:
            self.model.set_weights(weights)

    def _steps(self, inputs, labels, steps, seed):
        for step in tf.range(steps):
            drawn = tf.random.stateless_uniform(
                (BATCH,), tf.stack([seed, step]), 0, tf.shape(inputs)[0], tf.int32
            )
            self._step(tf.gather(inputs, drawn), tf.gather(labels, drawn))

    def _step(self, inputs, labels):
        with tf.GradientTape() as tape:
            loss = self._loss(labels, self.model(inputs, training=True))
            loss += self._penalty() if self._penalty else 0.0
        self.optimizer.apply(tape.gradient(loss, self.variables), self.variables)


def fisher(model, inputs, labels, variables=None):
    """Return how strongly the loss depends on each cell: float32 arrays shaped as the variables.

    It is the mean over the examples of the squared gradient of each one's loss, the diagonal of
    the empirical Fisher information (Sung, Nair and Raffel, Training Neural Networks with Fixed
    Sparse Masks, 2021, arXiv:2111.09839). `inputs` are as the model takes them, `labels` int
    (examples,), and the model gives logits. `variables` are the trainable ones if left out; each
    must have a gradient.
    """
    variables = model.trainable_variables if variables is None else variables
    inputs, labels = tf.convert_to_tensor(inputs), tf.convert_to_tensor(labels)

    @tf.function
    def squares():
        totals = [tf.zeros(v.shape, v.dtype) for v in variables]
        for number in tf.range(len(inputs)):
            with tf.GradientTape() as tape:
                logits = model(inputs[number : number + 1], training=False)
                loss = cross_entropy(labels[number : number + 1], logits)
            gradients = tape.gradient(loss, variables)
            totals = [total + tf.square(g) for total, g in zip(totals, gradients)]
        return totals

    found = squares.get_concrete_function()()  # a call of `squares` would warn from the fifth on
    return [total.numpy() / len(inputs) for total in found]


def _initializers(seed):
    """He initializers (He et al. 2015), each with a seed of its own."""
    return (keras.initializers.HeNormal(seed=1_000 * seed + n) for n in itertools.count())


def _convolution(filters, stride, init):
    convolve = keras.layers.Conv2D(
        filters, 3, stride, "same", use_bias=False, kernel_initializer=init
    )
    return [convolve, keras.layers.BatchNormalization(), keras.layers.ReLU()]
