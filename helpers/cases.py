"""What people come with: six cases, each of them a short function to take home.

All of them freeze by an optimizer that `freezable` has made, with compact=True or without, and that
has been built on the model's trainable variables. They add to what is frozen already. `model.fit`
keeps what they freeze, to the bit; tests/test_cases.py shows for each how the usual answer fails.
"""

import numpy as np

from helpers.device import keras, tf


def freeze_also(optimizer, variable, cells):
    """Freeze the cells of a variable that an index picks, beside those that are frozen:
    `np.s_[3]` is a row, `np.s_[..., [0, 2]]` two columns, or two filters of a convolution."""
    frozen = optimizer.frozen_cells(variable).numpy()
    frozen[cells] = True
    optimizer.freeze_cells(variable, frozen)


def hold_padding(optimizer, table, row=0):
    """Let the row of the padding in an embedding table be zero, and stay so. (`mask_zero` keeps the
    padding out of layers that read masks; where one does not, the row trains.)"""
    values = table.numpy()
    values[row] = 0
    table.assign(values)
    freeze_also(optimizer, table, np.s_[row])


def keep_old_rows(optimizer, table, old):
    """Keep the first `old` rows of a table that may be used twice, to look words up and to score
    them as answers: the gradient of each use arrives at the optimizer, in one sum."""
    freeze_also(optimizer, table, np.s_[:old])


def widened(head, more):
    """Return a Dense layer with `more` outputs behind those of `head`, a built Dense layer; the new
    ones begin as a new layer's would. Build the optimizer on it, then call `keep_old_outputs`."""
    inputs, old = head.kernel.shape
    wide = keras.layers.Dense.from_config(head.get_config() | {"units": old + more, "name": None})
    wide.build((None, inputs))
    for mine, theirs in zip(wide.weights, head.weights):
        values = mine.numpy()
        values[..., :old] = theirs.numpy()
        mine.assign(values)
    return wide


def keep_old_outputs(optimizer, head, old):
    """Keep what belongs to the first `old` outputs of a Dense layer: columns and biases. What lies
    before the layer must be frozen as well, or its inputs change."""
    for variable in head.trainable_variables:
        freeze_also(optimizer, variable, np.s_[..., :old])


def with_low_rank(layer, rank):
    """Add factors of low rank (LoRA: Hu and others 2021) to a built layer, and return its kernel.
    Keras locks the kernel as a whole; here it stays trainable, for `train_only` to pick cells."""
    kernel = layer.kernel
    layer.enable_lora(rank)
    kernel.trainable = True
    return kernel


def train_only(optimizer, variables, free):
    """Let nothing train but what `free` names: it maps the `path` of a variable to a bool mask of
    it, True = trains, or to True for the whole of it, such as a bias or a factor of low rank."""
    for variable in variables:
        trains = np.broadcast_to(free.get(variable.path, False), variable.shape)
        freeze_also(optimizer, variable, ~trains)


class HoldingBatchNormalization(keras.layers.BatchNormalization):
    """A BatchNormalization that treats some channels, the last axis, as if it were not training:
    it normalises them by their moving statistics, and leaves these as they are.

    `held` is a bool vector, True = held; at first no channel is.
    """

    def build(self, input_shape):
        """As in Keras; and which channels are held, which is saved with the layer."""
        super().build(input_shape)
        options = dict(shape=(input_shape[-1],), dtype="bool", initializer="zeros")
        self.held = self.add_weight(name="held", trainable=False, **options)

    def call(self, inputs, training=None, mask=None):
        """As in Keras, but for held channels."""
        if not training:
            return super().call(inputs, training=False, mask=mask)
        statistics = self.moving_mean, self.moving_variance
        before = [tf.identity(each.value) for each in statistics]
        still = super().call(inputs, training=False, mask=mask)
        outputs = super().call(inputs, training=True, mask=mask)
        for each, old in zip(statistics, before):
            each.assign(tf.where(self.held.value, old, each.value))
        return tf.where(self.held.value, still, outputs)


def keep_filters(optimizer, convolution, norm, filters):
    """Keep some filters of a convolution, and what the HoldingBatchNormalization behind it does to
    them, so that their channels' outputs stay; `filters` are their numbers."""
    for variable in (*convolution.trainable_variables, *norm.trainable_variables):
        freeze_also(optimizer, variable, np.s_[..., filters])
    held = norm.held.numpy()
    held[filters] = True
    norm.held.assign(held)


def prune(optimizer, kernel, share):
    """Set the smallest weights of a kernel to 0, a `share` of them by magnitude, and keep them 0;
    of equal ones, those that come first. To let them train again, thaw with on_thaw="reset": what
    the optimizer remembers of them is from before."""
    count = round(share * kernel.numpy().size)
    smallest = np.argsort(np.abs(kernel.numpy()), axis=None, kind="stable")[:count]
    cells = np.unravel_index(smallest, kernel.shape)
    values = kernel.numpy()
    values[cells] = 0
    kernel.assign(values)
    freeze_also(optimizer, kernel, cells)
