"""The free cells of a variable: where they are, their weights as a vector, and their slots."""

import keras
import numpy as np
import tensorflow as tf

from . import private
from .slots import LARGE, raw


class Places(private.AnyLength):
    """Whole numbers, as many as are assigned; `changed` is called whenever that happens."""

    def __init__(self, name, changed):
        self._changed = changed
        super().__init__(tf.zeros(0, tf.int32), trainable=False, name=name)

    def assign(self, value):
        """As in Keras, and tell of it."""
        value = super().assign(value)
        self._changed()
        return value


class FreeCells:
    """The free cells of one variable, in the order in which the cells of an array are counted.

    Until a mask arrives (`masked`), Keras trains the variable itself, and slots have its shape.
    From then on it trains `weights`, a vector with a number for each free cell; a slot is such a
    vector, too. The number of a free cell is the sum of one of `starts` and one of `offsets`, so
    that free rows, columns and blocks need no number a cell.
    """

    def __init__(self, variable, strategy):
        self.given, self.variable, self.masked = variable, raw(variable), False
        self.slots, self._strategy = [], strategy  # slots: (name, variable, what it starts with)
        with self._beside():
            self.starts, self.offsets = (Places(n, self._follow) for n in ("starts", "offsets"))
            name = variable.name.replace("/", "_").replace(":", "_")
            nothing = tf.zeros(0, self.variable.dtype)
            self.weights = private.AnyLength(nothing, trainable=False, name=name)

    @property
    def trained(self):
        """What Keras trains: the variable, or the vector of its free weights."""
        return self.weights if self.masked else self.given

    def add_slot(self, name, start):
        """Make a slot of Keras' name; it starts with an initializer, or as the "weight" itself."""
        make = keras.initializers.get("zeros" if start == "weight" else start)
        with self._beside():
            value = make(self.variable.shape, dtype=self.variable.dtype)
            slot = private.Flattened(value, trainable=False, name=f"{self.weights.name}_{name}")
        self.slots.append((name, slot, start))
        return slot

    def free(self, free):
        """Let those cells be free where a bool tensor of the variable's shape is True. Slots of
        cells that were free stay; of the others they are as in a fresh optimizer."""
        was, (starts, offsets) = self._places() if self.masked else None, _where(free)
        now = places(starts, offsets)
        values = [self._moved(slot.value, start, was, now) for _, slot, start in self.slots]
        self.starts.assign(starts)
        self.offsets.assign(offsets)
        for (_, slot, _), value in zip(self.slots, values):
            slot.assign(value)

    def frozen(self):
        """The mask: a bool tensor of the variable's shape, True = frozen."""
        if not self.masked:
            return tf.zeros(self.variable.shape, bool)
        frozen, free = tf.ones(self.variable.shape.num_elements(), bool), self._places()
        nowhere = tf.zeros_like(free, bool)
        frozen = tf.tensor_scatter_nd_update(frozen, free[:, None], nowhere)
        return tf.reshape(frozen, self.variable.shape)

    def gradient(self, grad):
        """The gradient of what is trained, from one of the variable whose shape fits; an
        IndexedSlices is summed for a vector of free cells, which knows no rows."""
        if grad is None or isinstance(grad, tf.IndexedSlices) and not self.masked:
            return grad
        whole = tf.ensure_shape(tf.convert_to_tensor(grad), self.variable.shape)
        return self._pick(whole) if self.masked else whole

    def take(self, update):
        """Assign the free weights to `weights`; `update` is that of a tf.distribute strategy."""
        places = self.starts.value, self.offsets.value
        update(self.weights.value, _take, (self.variable, *places), group=False)

    def give_back(self, update):
        """Write `weights` to their places, and nothing else."""
        places = self.starts.value, self.offsets.value
        update(self.variable, _give_back, (self.weights.value, *places), group=False)

    def _pick(self, whole):
        return _suited(self.variable, pick)(whole, self.starts.value, self.offsets.value)

    def _beside(self):
        """Where variables are made: on the devices on which the variable has its copies."""
        return self._strategy.extended.colocate_vars_with(self.variable)

    def _places(self):
        return places(self.starts.value, self.offsets.value)

    def _moved(self, slot, start, was, now):
        """What a slot of the cells `was` (None = all) holds for the cells `now`."""
        if was is None:
            return tf.gather(tf.reshape(slot, [-1]), now)
        fresh = tf.gather(tf.reshape(self.variable, [-1]), now)
        if start != "weight":
            fresh = keras.initializers.get(start)(tf.shape(now), dtype=slot.dtype)
        was, slot = tf.concat([was, [-1]], 0), tf.concat([slot, tf.zeros(1, slot.dtype)], 0)
        place = tf.searchsorted(was[:-1], now)
        return tf.where(tf.gather(was, place) == now, tf.gather(slot, place), fresh)

    def _follow(self):
        """Places have changed: have a vector of as many weights, and vectors for slots."""
        if not self.masked and tf.size(self.offsets.value):
            self.masked = True
            with self._strategy.scope(), self._beside():
                for _, slot, _ in self.slots:
                    slot.flatten()
        sizes = (tf.size(each.value, tf.int64) for each in (self.starts, self.offsets))
        # While one of the two is still of the mask before, there would be more than all cells.
        count = tf.minimum(tf.multiply(*sizes), self.variable.shape.num_elements())
        self.weights.assign(tf.zeros([count], self.variable.dtype))


def places(starts, offsets):
    """The numbers of all free cells, one after another."""
    return tf.reshape(starts[:, None] + offsets, [-1])


def pick(whole, starts, offsets):
    """The free cells of a tensor or a variable, as a vector."""
    return tf.gather(tf.reshape(whole, [-1]), places(starts, offsets))


def put(variable, weights, starts, offsets):
    """Write a vector to the free cells of a variable."""
    cells = places(starts, offsets)[:, None]
    flat = tf.tensor_scatter_nd_update(tf.reshape(variable, [-1]), cells, weights)
    variable.assign(tf.reshape(flat, variable.shape))


# On a CPU, XLA writes cells in place and many times faster than TensorFlow's own kernels.
COMPILED = {
    function: tf.function(function, autograph=False, jit_compile=True, reduce_retracing=True)
    for function in (pick, put)
}


def _suited(variable, function):
    """The function, or what XLA makes of it, where that pays for calling it."""
    large = variable.shape.num_elements() >= LARGE and "CPU" in variable.device
    return COMPILED[function] if large and not tf.distribute.has_strategy() else function


def _take(weights, variable, starts, offsets):
    weights.assign(_suited(variable, pick)(variable, starts, offsets))


def _give_back(variable, weights, starts, offsets):
    _suited(variable, put)(variable, tf.convert_to_tensor(weights), starts, offsets)


def _where(free):
    """The places of the True cells of a bool tensor, as (starts, offsets)."""
    if not tf.executing_eagerly():
        return tf.cast(tf.where(tf.reshape(free, [-1]))[:, 0], tf.int32), tf.zeros(1, tf.int32)
    table = free.numpy().reshape(-1, free.shape[-1] if free.shape.rank else 1)
    rows, columns = (np.flatnonzero(table.any(axis)) for axis in (1, 0))
    if len(rows) and table.sum() == len(rows) * len(columns):
        starts, offsets = rows * table.shape[1], columns  # free are all cells of rows and columns
    else:
        starts, offsets = np.flatnonzero(table), [0]
    return tf.constant(starts, tf.int32), tf.constant(offsets, tf.int32)
