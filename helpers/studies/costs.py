"""Why a mask saves nothing: steps timed in turn in one process, as ratios of one to the other."""

import time

import numpy as np

from helpers import masks
from helpers.device import keras, tf
from helpers.freezing import CompactCells, FreezesCells, freezable
from helpers.model_trainer import ModelTrainer
from helpers.names import known
from helpers.networks import mean_square
from helpers.optimizers import optimizer_class
from helpers.step import Cells, training_step
from helpers.techniques import TECHNIQUES

BATCH = 128


def times(functions, rounds):
    """Call each function once a round, every other round in reverse order, and return seconds.

    The array has shape (rounds, functions); whatever else the machine does hits all of them. Three
    rounds run before, unmeasured: they trace, compile and fill caches.
    """
    seconds = np.zeros((rounds + 3, len(functions)))
    for number, row in enumerate(seconds):
        order = range(len(functions))
        for which in order if number % 2 else reversed(order):
            began = time.perf_counter()
            functions[which]()
            row[which] = time.perf_counter() - began
    return seconds[3:]


def ratio(seconds, which, base=0):
    """Return the quartiles of `which` over `base`, round by round: (low, median, high)."""
    return tuple(np.percentile(seconds[:, which] / seconds[:, base], [25, 50, 75]))


class Step:
    """One compiled training step on random data; call it, and it returns when the step is over.

    The loss is the mean square of outputs less targets.

    model      a built Keras model, float32 (batch, inputs) to (batch, outputs)
    optimizer  a Keras optimizer, which is built on the model's trainable variables
    jit        whether XLA compiles the step
    batch      how many random rows a batch has
    frozen     the share of every kernel that is frozen before the step is compiled
    inputs     a batch of one's own in place of the random rows, such as places in a table
    """

    def __init__(self, model, optimizer, jit=False, batch=BATCH, frozen=0, inputs=None):
        self.model, self.optimizer = model, optimizer
        self._trainer = ModelTrainer(model, optimizer, mean_square)
        if frozen or isinstance(optimizer, CompactCells):
            self.freeze(frozen)
        if inputs is None:
            inputs = tf.random.stateless_normal((batch, model.input_shape[-1]), (0, 0))
        self._inputs = tf.constant(inputs)
        shape = len(self._inputs), model.output_shape[-1]
        self._targets = tf.random.stateless_normal(shape, (0, 1))
        self._step = _compiled(self._one, jit)

    def __call__(self):
        """Take one step, and wait until it is over."""
        finish(self._step)

    @property
    def graph(self):
        """The graph of the compiled step."""
        return self._step.graph

    def freeze(self, fraction, seed=0):
        """Freeze a random `fraction` of every kernel. TypeError: an optimizer that cannot."""
        if not isinstance(self.optimizer, FreezesCells):
            kind = type(self.optimizer).__name__
            raise TypeError(f"{kind} arrived and freezes no cells; wanted: freezable({kind}).")
        for variable in self.model.trainable_variables:
            if len(variable.shape) > 1:
                frozen = masks.random(variable.shape, fraction, seed)
                self.optimizer.freeze_cells(variable, frozen)

    def release(self):
        """Give the memory of weights and slots back; the step cannot be taken any more.

        Dropping it is not enough: for Keras' sum of gradients over replicas TensorFlow notes a
        gradient function, for ever, and with it the traced step and its variables.
        """
        empty(self.model.variables + self.optimizer.variables)

    def _one(self):
        return self._trainer.step(self._inputs, self._targets)


def finish(step):
    """Call a compiled step, and wait until all of it is done.

    A GPU is handed its work and does it later. To wait for the loss is not enough there: it is
    known before the optimizer has moved the weights.
    """
    step()
    tf.test.experimental.sync_devices()


def empty(variables):
    """Take the values of a list of Keras variables away, and with them their memory."""
    for variable in variables:
        nothing = tf.zeros(0, variable.value.dtype)
        tf.raw_ops.AssignVariableOp(resource=variable.value.handle, value=nothing)


def _compiled(step, jit):
    """Return the traced step itself: a tf.function would warn that many of one kind are traced."""
    return tf.function(step, jit_compile=jit, autograph=False).get_concrete_function()


def compiled(step, jit=False):
    """Return a function of no arguments, compiled, with `jit` by XLA; a call returns when all of it
    is done."""
    traced = _compiled(step, jit)
    return lambda: finish(traced)


def network(width, layers, activation="relu"):
    """Return a network of square Dense layers, float (batch, width) to (batch, width)."""
    stack = [keras.layers.Dense(width, activation) for _ in range(layers)]
    return keras.Sequential([keras.layers.Input((width,)), *stack])


def products(model, batch=BATCH):
    """Return the multiplications in each matrix product of a training step, a list of ints.

    The graph of all gradients is walked back from its results to what they need, so that a product
    that nobody needs does not count. `model` is built and made of Dense layers, (batch, inputs) to
    (batch, outputs); a frozen layer is one that is not trainable.
    """

    @tf.function
    def gradients(inputs):
        with tf.GradientTape() as tape:  # its products are counted, and no step follows
            loss = tf.reduce_mean(tf.square(model(inputs)))
        return tape.gradient(loss, model.trainable_variables)

    inputs = tf.zeros((batch, model.input_shape[-1]), model.compute_dtype)
    needed, todo = set(), [t.op for t in gradients.get_concrete_function(inputs).graph.outputs]
    while todo:
        operation = todo.pop()
        if operation not in needed:
            needed.add(operation)
            todo += [tensor.op for tensor in operation.inputs]
    return [_multiplications(each) for each in needed if each.type == "MatMul"]


def _multiplications(product):
    """Return how many a MatMul takes: rows × columns of its result × the length of each sum."""
    summed = 0 if product.get_attr("transpose_a") else 1
    return product.outputs[0].shape.num_elements() * product.inputs[0].shape[summed]


def slots(optimizer):
    """Return how many bytes the optimizer keeps for the cells it trains, masks included."""
    if isinstance(optimizer, CompactCells):
        return optimizer.bytes_kept()
    return sum(v.numpy().nbytes for v in optimizer.variables if v.ndim)


class Recipe:
    """One compiled step over a kernel of side × side cells, frozen by a named technique.

    A random `fraction` of the cells is frozen, the optimizer is a Keras class by name, and the loss
    is that of a linear layer on random data. `kept` is how many bytes the technique keeps beside
    kernel and optimizer state. Where the free values alone train, the optimizer state is smaller
    than that of the others, and the kernel holds what is frozen.
    """

    def __init__(self, technique, side, optimizer="Adam", fraction=0.5, jit=False):
        self._technique = TECHNIQUES[known("technique", technique, TECHNIQUES)]
        cls = optimizer_class(optimizer)
        self._inputs, self._targets = tf.random.stateless_normal((2, BATCH, side), (0, 2))
        self.kernel = keras.Variable(tf.random.stateless_normal((side, side), (0, 3)) * 0.01)
        self._optimizer = (freezable(cls) if self._technique.exact else cls)(1e-3)
        self._trained, self._frozen, self._shadow, self._places = self.kernel, None, None, None
        frozen = masks.random((side, side), fraction, 0)
        if self._technique.values:
            self._trained = keras.Variable(self.kernel.numpy()[~frozen])
        self._optimizer.build([self._trained])
        self.kept = self._freeze(frozen)
        self._step = _compiled(self._one, jit)

    def __call__(self):
        """Take one step, and wait until it is over."""
        finish(self._step)

    def release(self):
        """Give the memory of kernel and slots back, as `Step.release` does."""
        empty([self.kernel, self._trained, *self._optimizer.variables])

    def weights(self):
        """Return what the model computes with: a float array of the kernel's shape."""
        if self._technique.values:
            return self._technique.values(self._shadow, self._places, self._trained.value).numpy()
        shown = self._shadow, self.kernel.value
        return self._technique.act("shadow", *shown, frozen=self._frozen).numpy()

    def _freeze(self, frozen):
        """Keep what the technique needs, and return how many bytes that takes."""
        technique = self._technique
        if technique.exact:
            self._optimizer.freeze_cells(self.kernel, frozen)
            return frozen.nbytes
        if technique.values:
            self._shadow = self.kernel.value
            self._places = tf.Variable(np.argwhere(~frozen))  # of int64: a GPU has it
            return self._places.numpy().nbytes + self._trained.numpy().nbytes
        if technique.shadow:
            self._frozen, self._shadow = tf.Variable(frozen), tf.Variable(self.kernel.value)
            return frozen.nbytes + self.kernel.numpy().nbytes
        if technique.acts_in_step:
            self._frozen = tf.Variable(frozen)
            return frozen.nbytes
        return 0

    def _one(self):
        cells = {0: Cells(self._frozen, self._shadow, self._places)}
        return training_step(self._technique, [self._trained], cells, self._loss, self._apply)

    def _loss(self, values):
        return mean_square(self._targets, self._inputs @ values[0])

    def _apply(self, gradients):
        self._optimizer.apply(gradients, [self._trained])
