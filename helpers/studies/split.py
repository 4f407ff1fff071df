"""Layers whose frozen rows or columns are split off: only the free part has a gradient and slots.

A mask leaves the kernel whole, and so the cost of its step. Where whole rows or columns are
frozen, the free ones can be a variable of their own, and the frozen ones a constant.
"""

import numpy as np

from helpers.device import keras, tf
from helpers.masks import as_frozen
from helpers.studies.by_parts import copy_rows

LOST = [  # what Dense and Embedding may have beside what a split layer has
    *("kernel_regularizer", "bias_regularizer", "embeddings_regularizer", "activity_regularizer"),
    *("kernel_constraint", "bias_constraint", "embeddings_constraint", "mask_zero", "lora_enabled"),
]


def split_rows(layer, frozen):
    """Return a layer that gives what `layer` gives, with its frozen rows in a constant.

    `layer` is a built Dense or Embedding layer; `frozen` is bool, one a row of its kernel (an
    input) or of its table (a word), True = frozen. The outputs of Dense agree to rounding, those
    of Embedding bit for bit. Raises TypeError for other layers, ValueError for another length, if
    no row is free, or for a layer with more than a split one keeps, such as a regularizer.
    """
    if type(layer) is keras.layers.Embedding and _ready(layer):
        return _filled(SplitEmbedding, layer, {}, layer.embeddings, frozen)
    return _filled(SplitRows, _dense(layer), _settings(layer), layer.kernel, frozen)


def split_columns(layer, frozen):
    """Return a layer that gives what a built Dense `layer` gives, its frozen columns in a constant.

    `frozen` is bool, one a column of the kernel (an output), True = frozen; the biases all stay
    trainable. Raises as `split_rows` does.
    """
    return _filled(SplitColumns, _dense(layer), _settings(layer), layer.kernel, frozen)


class Split(keras.layers.Layer):
    """What the split layers share: a `held` part that never trains, and a `free` part.

    frozen  bool, one a row or column of the whole, True = frozen
    shape   of the whole kernel or table
    """

    AXIS = 0

    def __init__(self, frozen, shape, activation=None, use_bias=False, **more):
        super().__init__(**more)
        self.supports_masking = True
        self.frozen, self.shape = as_frozen(frozen, [shape[self.AXIS]]), tuple(shape)
        self.activation, self.use_bias = keras.activations.get(activation), use_bias
        if self.frozen.all():
            raise ValueError("Every row or column is frozen: set layer.trainable = False instead.")

    def build(self, _):
        """Make the parts, and the bias if there is one."""
        for name, chosen in (("held", self.frozen), ("free", ~self.frozen)):
            shape = list(self.shape)
            shape[self.AXIS] = int(chosen.sum())
            # Zeros, for both are filled, and random numbers would take three times the memory.
            part = self.add_weight(shape, "zeros", name=name, trainable=name == "free")
            setattr(self, name, part)
        self.bias = self.add_weight(self.shape[-1:], name="bias") if self.use_bias else None

    def fill(self, whole):
        """Take the values of a variable of the whole shape."""
        self.held.assign(whole.numpy().compress(self.frozen, self.AXIS))
        self.free.assign(whole.numpy().compress(~self.frozen, self.AXIS))

    def whole(self):
        """Return the kernel or table as one array, its rows and columns in their places."""
        whole = np.empty(self.shape, self.free.dtype)
        chosen = [np.s_[:], np.s_[:]]
        for part, cells in ((self.held, self.frozen), (self.free, ~self.frozen)):
            chosen[self.AXIS] = cells
            whole[tuple(chosen)] = part.numpy()
        return whole

    def get_config(self):
        """As in Keras; the mask as a list."""
        activation = keras.activations.serialize(self.activation)
        more = dict(shape=self.shape, activation=activation, use_bias=self.use_bias)
        return super().get_config() | {"frozen": self.frozen.tolist(), **more}

    def _finish(self, outputs):
        return self.activation(outputs if self.bias is None else outputs + self.bias)


@keras.saving.register_keras_serializable("freezing")
class SplitRows(Split):
    """Dense, its frozen rows held: the sum over the inputs is taken in two parts."""

    def call(self, inputs):
        """Float (…, inputs) to (…, outputs)."""
        sizes = [self.frozen.sum(), (~self.frozen).sum()]
        held, free = tf.split(_reordered(inputs, _frozen_first(self.frozen)), sizes, axis=-1)
        return self._finish(tf.matmul(held, self.held) + tf.matmul(free, self.free))


@keras.saving.register_keras_serializable("freezing")
class SplitColumns(Split):
    """Dense, its frozen columns held: the outputs are computed apart, and put in their places."""

    AXIS = 1

    def call(self, inputs):
        """Float (…, inputs) to (…, outputs)."""
        parts = tf.concat([tf.matmul(inputs, self.held), tf.matmul(inputs, self.free)], axis=-1)
        return self._finish(_reordered(parts, _places(self.frozen)))


@keras.saving.register_keras_serializable("freezing")
class SplitEmbedding(Split):
    """Embedding, its frozen rows held: each word is looked up in the table in which it stands."""

    def __init__(self, *arguments, **more):
        super().__init__(*arguments, **more)
        self.autocast = False  # float16 has no 2049

    def fill(self, whole):
        """Take the values of a variable of the whole shape, a table, which may be large."""
        copy_rows(whole, np.flatnonzero(self.frozen), self.held)
        copy_rows(whole, np.flatnonzero(~self.frozen), self.free)

    def call(self, inputs):
        """Whole numbers (…) to float (…, columns)."""
        inputs = tf.cast(inputs, tf.int32)  # a Keras input is float if nothing else is said
        held = self.frozen.sum()
        place = tf.gather(_places(self.frozen), inputs)
        old = tf.zeros((), self.free.dtype)
        if held:
            # Read in place: as a tensor, TensorFlow copies what was filled by parts, in each step.
            old = tf.gather(self.held.value, tf.minimum(place, held - 1))
        new = tf.gather(self.free, tf.maximum(place - held, 0))
        return tf.cast(tf.where((place < held)[..., None], old, new), self.compute_dtype)


def _frozen_first(frozen):
    """Return the numbers of the rows or columns, those of the frozen ones first."""
    return np.argsort(~frozen, kind="stable")


def _places(frozen):
    """Return where each row or column stands once the frozen ones come first: int32."""
    return np.argsort(_frozen_first(frozen)).astype(np.int32)


def _reordered(values, order):
    """Return `values` (…, columns) with the columns in the given order, each of them once.

    The gradient of tf.gather is a sum, for a column may be asked for twice, and that is slow.
    Where each comes once, its gradient need only be put back into order.
    """
    if (order == np.arange(len(order))).all():
        return values
    back = np.argsort(order)

    @tf.custom_gradient
    def reordered(values):
        return tf.gather(values, order, axis=-1), lambda each: tf.gather(each, back, axis=-1)

    return reordered(values)


def _dense(layer):
    """Return the layer, if it is a Dense layer that can be split."""
    if type(layer) is keras.layers.Dense and _ready(layer):
        return layer
    raise TypeError(
        f"{layer!r} arrived; a built Dense layer was wanted, and no subclass (for split_rows, an "
        "Embedding layer will do as well). Call the layer, or build its model, first."
    )


def _ready(layer):
    """Return whether a layer is built; raises ValueError for what a split layer would lose."""
    more = [name for name in LOST if getattr(layer, name, None)]
    if more:
        raise ValueError(
            f"{layer.name!r} arrived with {', '.join(more)}, which a split layer would lose. Take "
            "that away, or freeze by mask: freezable(…).freeze_cells."
        )
    return layer.built


def _settings(dense):
    return dict(activation=dense.activation, use_bias=dense.use_bias)


def _filled(split, layer, settings, kernel, frozen):
    """Return a split layer that holds the values of `layer`."""
    settings |= dict(name=f"{layer.name}_split", dtype=layer.dtype_policy)
    new = split(frozen, kernel.shape, **settings)
    new.build(None)
    new.fill(kernel)
    if new.bias is not None:
        new.bias.assign(layer.bias)
    return new
