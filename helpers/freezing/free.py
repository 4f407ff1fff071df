"""The free cells of a variable: where they are, their weights as a vector, and their slots."""

import functools

import keras
import numpy as np
import tensorflow as tf

from . import private
from .slots import LARGE, raw, write_free


class Places(private.AnyLength):
    """As many numbers as are assigned; `changed` is called whenever that happens."""

    def __init__(self, name, dtype, changed):
        self._changed = changed
        super().__init__(tf.zeros(0, dtype), trainable=False, name=name)

    def assign(self, value):
        """As in Keras, and tell of it."""
        value = super().assign(value)
        self._changed()
        return value


class FreeCells:
    """The free cells of one variable, in the order in which the cells of an array are counted.

    At first Keras trains the variable itself, and slots have its shape. Where few cells are free,
    they are picked (`is_picked`): Keras trains `weights`, a vector with a number for each, and a
    slot is such a vector, too. The number of a free cell is the sum of one of `starts` and one of
    `offsets`, so that free rows, columns and blocks need no number a cell. Where many are free,
    there is a mask (`is_masked`), `frozen`: a vector as well, with a bool for each cell.

    `number` is the variable's place among those that the optimizer was built for, and `in_use`
    tells whether any mask freezes a cell.
    """

    def __init__(self, number, variable, strategy, in_use):
        self.given, self.variable = variable, raw(variable)
        self.is_picked = self.is_masked = False
        self._number, self._in_use = number, in_use
        self.slots, self._strategy = [], strategy  # slots: (name, variable, what it starts with)
        with self._beside():
            names = dict(starts=tf.int32, offsets=tf.int32, frozen=bool)
            self.places = [Places(*name, self._follow) for name in names.items()]
            self.starts, self.offsets, self.frozen = self.places
            name = variable.name.replace("/", "_").replace(":", "_")
            nothing = tf.zeros(0, self.variable.dtype)
            self.weights = private.AnyLength(nothing, trainable=False, name=name)

    @property
    def trained(self):
        """What Keras trains: the variable, or the vector of its free weights."""
        return self.weights if self.is_picked else self.given

    @property
    def has_mask(self):
        """Whether a mask has arrived, in whichever form."""
        return self.is_picked or self.is_masked

    def add_slot(self, name, start):
        """Make a slot of Keras' name; it starts with an initializer, or as the "weight" itself."""
        make = keras.initializers.get("zeros" if start == "weight" else start)
        with self._beside():
            value = make(self.variable.shape, dtype=self.variable.dtype)
            slot = private.Flattened(value, trainable=False, name=f"{self.weights.name}_{name}")
        self.slots.append((name, slot, start))
        return slot

    def pick(self, frozen):
        """From now on, hold what belongs to those cells alone where a bool tensor of the variable's
        shape is False. Slots of cells that were free stay; of others they are as in a fresh
        optimizer."""
        if self.is_masked:  # so that cells which it freezes no more start anew
            self.mask(frozen)
        was, (starts, offsets) = self._places() if self.is_picked else None, _where(~frozen)
        now = places(starts, offsets)
        values = [self._moved(slot.value, start, was, now) for _, slot, start in self.slots]
        self._in_use.note(self._number, False)
        self._hold(starts, offsets, tf.zeros(0, bool), values)

    def mask(self, frozen):
        """From now on, hold all cells, and mask those where a bool tensor of the variable's shape
        is True. Of slots as in `pick`."""
        thawed, mask = self.is_frozen() & ~frozen, tf.reshape(frozen, [-1])
        values = [self._spread(slot.value, start, thawed) for _, slot, start in self.slots]
        nowhere = tf.zeros(0, tf.int32)
        self._in_use.note(self._number, tf.reduce_any(mask))
        self._hold(nowhere, nowhere, mask, values)

    def is_frozen(self):
        """The mask: a bool tensor of the variable's shape, True = frozen."""
        shape = self.variable.shape
        if self.is_masked:
            return tf.reshape(self.frozen.value, shape)
        if not self.is_picked:
            return tf.zeros(shape, bool)
        frozen, free = tf.ones(shape.num_elements(), bool), self._places()
        nowhere = tf.zeros_like(free, bool)
        return tf.reshape(tf.tensor_scatter_nd_update(frozen, free[:, None], nowhere), shape)

    def gradient(self, grad, counts):
        """The gradient of what is trained, from one of the variable whose shape fits; an
        IndexedSlices is summed where there is a mask. If the gradient of a frozen cell `counts`
        for others, as in a norm, it is 0."""
        if grad is None or isinstance(grad, tf.IndexedSlices) and not self.has_mask:
            return grad
        whole = tf.ensure_shape(tf.convert_to_tensor(grad), self.variable.shape)
        if self.is_picked:
            return self._pick(whole)
        if not (counts and self.is_masked):
            return whole
        nothing = tf.zeros((), whole.dtype)
        without = lambda: tf.where(self.is_frozen(), nothing, whole)  # noqa: E731
        return tf.cond(self._in_use.any(), without, lambda: whole)

    def write(self, variable, update, value):
        """Assign `update(variable, value)` to the free cells of the variable."""
        variable = raw(variable)

        def to_all():
            variable.assign(update(variable, tf.cast(value, variable.dtype)))

        to_free = lambda: write_free(variable, self.is_frozen(), update, value)  # noqa: E731
        tf.cond(self._in_use.any(), to_free, to_all)

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
        fresh = _fresh(start, tf.gather(tf.reshape(self.variable, [-1]), now))
        was, slot = tf.concat([was, [-1]], 0), tf.concat([slot, tf.zeros(1, slot.dtype)], 0)
        place = tf.searchsorted(was[:-1], now)
        return tf.where(tf.gather(was, place) == now, tf.gather(slot, place), fresh)

    def _spread(self, slot, start, thawed):
        """What a slot holds for all cells; where `thawed` (bool, of the variable's shape) or not
        picked until now, as in a fresh optimizer."""
        fresh = _fresh(start, tf.convert_to_tensor(self.variable))
        if self.is_picked:
            cells, flat = self._places()[:, None], tf.reshape(fresh, [-1])
            slot = tf.reshape(tf.tensor_scatter_nd_update(flat, cells, slot), fresh.shape)
        return tf.where(thawed, fresh, slot)

    def _hold(self, starts, offsets, frozen, slots):
        for place, value in zip(self.places, (starts, offsets, frozen)):
            place.assign(value)
        for (_, slot, _), value in zip(self.slots, slots):
            slot.assign(value)

    def _follow(self):
        """Places have changed, or were loaded: have a vector of as many weights, and vectors for
        slots. Whole slots come back by `assign`, for they may be loaded before the places."""
        if tf.executing_eagerly():
            was_picked, self.is_picked = self.is_picked, bool(tf.size(self.offsets.value))
            self.is_masked = not self.is_picked and bool(tf.size(self.frozen.value))
            with self._strategy.scope(), self._beside():
                for _, slot, _ in self.slots if self.is_picked and not was_picked else ():
                    slot.flatten()
        sizes = (tf.size(each.value, tf.int64) for each in (self.starts, self.offsets))
        # While one of the two is still of the mask before, there would be more than all cells.
        count = tf.minimum(tf.multiply(*sizes), self.variable.shape.num_elements())
        self.weights.assign(tf.zeros([count], self.variable.dtype))


def _fresh(start, weights):
    """What a slot of cells with these weights starts with."""
    if start == "weight":
        return weights
    return keras.initializers.get(start)(tf.shape(weights), dtype=weights.dtype)


def places(starts, offsets):
    """The numbers of all free cells, one after another; an only offset is 0."""
    starts, offsets = tf.identity(starts), tf.identity(offsets)  # no variables in a branch
    each = lambda: tf.reshape(starts[:, None] + offsets, [-1])  # noqa: E731
    return tf.cond(tf.size(offsets) == 1, lambda: starts, each)


def pick(whole, starts, offsets):
    """The free cells of a tensor or a variable, as a vector."""
    return tf.gather(tf.reshape(whole, [-1]), places(starts, offsets))


def put(variable, weights, starts, offsets):
    """Write a vector to the free cells of a variable."""
    cells = places(starts, offsets)[:, None]
    flat = tf.tensor_scatter_nd_update(tf.reshape(variable, [-1]), cells, weights)
    variable.assign(tf.reshape(flat, variable.shape))


@functools.cache
def _compiled(function, shape):
    """What XLA makes of `pick` or `put`: on a CPU it writes cells in place and many times faster
    than TensorFlow's own kernels. There is one for each shape of variables, since a trace that is
    to serve vectors of any length would serve variables of any shape, too, and does not."""
    return tf.function(function, autograph=False, jit_compile=True, reduce_retracing=True)


def _suited(variable, function):
    """The function, or its compiled form where that pays for calling it."""
    large = variable.shape.num_elements() >= LARGE and "CPU" in variable.device
    pays = large and not tf.distribute.has_strategy()
    return _compiled(function, tuple(variable.shape)) if pays else function


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
    if len(rows) and len(columns) > 1 and table.sum() == len(rows) * len(columns):
        starts, offsets = rows * table.shape[1], columns  # free are all cells of rows and columns
    else:
        starts, offsets = np.flatnonzero(table), [0]
    return tf.constant(starts, tf.int32), tf.constant(offsets, tf.int32)
