"""Trials of a small network: trained in seconds, again and again; and which cells matter to it."""

import numpy as np

from helpers.device import keras, tf
from helpers.model_trainer import ModelTrainer
from helpers.networks import cross_entropy, per_cent

BATCH, ROOM = 64, 4_096  # examples in a batch, and in the arrays that they are drawn from


class Trial(ModelTrainer):
    """A ModelTrainer that is compiled once, and trains as often as wanted.

    `options` are those of ModelTrainer, and a step takes `batch` examples. A mask painted between
    two trainings is followed without a new trace. With jit_compile, XLA compiles all steps as one
    program: half the time a step, and 2 s and 100 MB more to begin with.
    """

    def __init__(
        self, model, optimizer, loss=cross_entropy, jit_compile=False, batch=BATCH, **options
    ):
        super().__init__(model, optimizer, loss, **options)
        self._batch = batch
        self._make_new = restorer([*optimizer.variables, *self.frozen])
        self._run = tf.function(self._train, reduce_retracing=True, jit_compile=jit_compile)
        self._logits = tf.function(model, reduce_retracing=True)

    def train(self, inputs, labels, steps, seed=0):
        """Take `steps` steps on batches drawn with replacement; the seed decides which.

        `inputs` are as the model takes them, one row an example; `labels` int (examples,).
        """
        self.train_on(ready(inputs, labels), steps, seed)

    def train_on(self, data, steps, seed=0):
        """Train on what `ready` made of inputs and labels, for many trainings on the same."""
        data = [*data, tf.convert_to_tensor(steps), tf.convert_to_tensor(seed)]
        # Called by its concrete function, for a tf.function that is made often would warn.
        self._run.get_concrete_function(*data)(*data)

    def accuracy(self, inputs, labels):
        """Return how many in a hundred are classified as their label says, a float."""
        return per_cent(self.logits(inputs).numpy().argmax(-1) == np.asarray(labels))

    def logits(self, inputs):
        """Return what the model makes of inputs when it does not train, a tensor: compiled, and so
        sooner than by a call of the model."""
        return self._logits(tf.convert_to_tensor(inputs), training=False)

    def restart(self, weights=None, rate=None):
        """Make the optimizer as it was when the Trial was made, but for the learning `rate` if one
        is given, and thaw all cells; `weights`, as by `model.get_weights()` of a network of the
        same form, replace the model's."""
        self._make_new()
        if rate is not None:
            self.optimizer.learning_rate.assign(rate)
        if weights is not None:
            self.model.set_weights(weights)

    def _train(self, inputs, labels, count, steps, seed):
        def batch(number):
            drawn = places(count, seed, number, self._batch)
            return tf.gather(inputs, drawn), tf.gather(labels, drawn)

        self.steps(batch, steps)


def places(count, seed, number, size=BATCH):
    """Draw the places of a batch's `size` examples among `count`, with replacement: int32 (size,).
    An int `seed` and the batch's `number` decide which."""
    where = tf.stack([seed, number])
    return tf.random.stateless_uniform((size,), where, 0, count, tf.int32)


def restorer(variables):
    """Return a function that gives variables the values back that they have now."""
    values = [(variable, tf.constant(variable.numpy())) for variable in variables]
    # Keras's own in one compiled call; those of a subclass may change their shapes.
    together = [pair for pair in values if type(pair[0]) is keras.Variable]
    others = [pair for pair in values if type(pair[0]) is not keras.Variable]

    def assign(pairs):
        for variable, value in pairs:
            variable.assign(value)

    at_once = tf.function(lambda: assign(together)).get_concrete_function()

    def restore():
        at_once()
        assign(others)

    return restore


def ready(inputs, labels, rows=ROOM):
    """Return inputs, labels and their number as tensors, as `Trial.train_on` takes them; the arrays
    are `padded` to a multiple of `rows`."""
    data = padded(inputs, rows), padded(labels, rows), len(labels)
    return [tf.convert_to_tensor(each) for each in data]


def padded(values, rows=ROOM):
    """Return an array with rows of zeros added, up to a multiple of `rows`: XLA compiles anew for
    each shape, and so it meets one."""
    values = np.asarray(values)
    return np.pad(values, [(0, -len(values) % rows), *[(0, 0)] * (values.ndim - 1)])


def fisher(model, inputs, labels):
    """Return how strongly the loss depends on each cell: float arrays shaped as the variables.

    It is the mean over the examples of the squared gradient of each one's loss, the diagonal of
    the empirical Fisher information (Sung, Nair and Raffel, Training Neural Networks with Fixed
    Sparse Masks, 2021, arXiv:2111.09839). `inputs` are as the model takes them, `labels` int
    (examples,), and the model gives logits. The variables are the trainable ones; each must have a
    gradient.
    """
    return fisher_of(model)(inputs, labels)


def fisher_of(model):
    """Return the function (inputs, labels) -> what `fisher` returns, compiled once for as many
    calls as wanted."""
    variables = model.trainable_variables

    @tf.function(reduce_retracing=True)
    def squares(inputs, labels):
        totals = [tf.zeros(v.shape, v.dtype) for v in variables]
        for number in tf.range(tf.shape(inputs)[0]):
            with tf.GradientTape() as tape:  # one for each example, and no step follows
                logits = model(inputs[number : number + 1], training=False)
                value = cross_entropy(labels[number : number + 1], logits)
            gradients = tape.gradient(value, variables)
            totals = [total + tf.square(g) for total, g in zip(totals, gradients)]
        return totals

    def information(inputs, labels):
        arguments = [tf.convert_to_tensor(values) for values in (inputs, labels)]
        # Called by its concrete function, for a tf.function that is made often would warn.
        totals = squares.get_concrete_function(*arguments)(*arguments)
        return [total.numpy() / len(inputs) for total in totals]

    return information
