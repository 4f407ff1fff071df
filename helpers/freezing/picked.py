"""The free cells of a variable, picked out into a vector: where they are, and their slots."""

import contextlib
import functools
from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from . import private
from .kinds import Before, Gradient, Update, Variable
from .places import KEPT, cells_at, compressed, counted, free_cells, held_at, pick, places, put
from .slots import LARGE, Cells, Slot, raw


class Piece(private.AnyShape):
    """A part of what is kept of a variable's free cells. What is loaded into it is told to the
    others, for one part alone may not fit them."""

    def __init__(self, value: tf.Tensor, name: str, cells: "PickedCells") -> None:
        self._cells = cells
        super().__init__(value, trainable=False, name=name, dtype=value.dtype.name)

    def assign(self, value: tf.Tensor) -> tf.Tensor:
        """Take what Keras assigns in a step; otherwise, what was loaded."""
        value = tf.cast(tf.convert_to_tensor(value), self.dtype)
        if self._cells.optimizer.is_stepping:
            self.put(value)
        else:
            self._cells.receive(self, value)
        return value


class PickedCells(Cells):
    """The cells of a variable of which the free ones may be picked out, as an array counts them.

    At first Keras trains the variable itself, and slots and the mask have its shape. Where few
    cells are free, they are picked (`is_picked`): Keras trains `weights`, a vector with a number
    for each, and slots and the mask are such vectors. The number of a picked cell is the sum of one
    of `starts` and one of `offsets`, so that rows, columns and blocks need no number a cell. A mask
    that freezes nothing is a single False.

    A slot of a frozen cell is that of a fresh optimizer: for whoever asks, and when the cell is
    thawed. What stands there meanwhile counts nowhere, so a step need not spare it.
    """

    def __init__(self, number: int, given: Variable, optimizer: keras.Optimizer) -> None:
        super().__init__(number, given)
        self.is_picked, self.optimizer = False, optimizer
        self._strategy = private.strategy(optimizer)
        self._arrived: dict[str, tf.Tensor] = {}
        self._is_complete = self._mask_has_fixed_shape = False
        with self._beside():
            nowhere, name = tf.zeros(0, KEPT), self.path.replace("/", "_")
            self.starts = Piece(nowhere, f"{name}_starts", self)
            self.offsets = Piece(nowhere, f"{name}_offsets", self)
            self.mask_variable = Piece(tf.constant(False), f"{name}_frozen", self)
            empty = tf.zeros(0, self.variable.dtype)
            self.weights = private.AnyShape(empty, trainable=False, name=f"{name}_free")
            for vector, start in (
                (self.starts, nowhere),
                (self.offsets, nowhere),
                (self.weights, empty),
            ):
                vector.become(start, [None])
        self._prefix = name

    @property
    def trained(self) -> Variable:
        """What Keras trains: the variable, or the vector of its picked weights."""
        return self.weights if self.is_picked else self.given

    @property
    def mask(self) -> tf.Tensor:
        """The mask of what is trained."""
        return self.mask_variable.value

    @mask.setter
    def mask(self, value: tf.Tensor) -> None:
        pass

    def add_slot(self, name: str, maker: keras.Optimizer, start: Any) -> keras.Variable:
        """Make a slot of Keras' name; it starts with the initializer `start`."""
        slot = Slot(None, name, maker, start)
        with self._beside():
            nothing = tf.zeros(0, self.variable.dtype)
            slot.variable = Piece(nothing, f"{self._prefix}_{name}", self)
            weights, shape = self.variable, self.variable.shape
            if self.is_picked:
                weights, shape = cells_at(self.variable, self.places()), [None]
            slot.variable.become(slot.fresh(weights), shape)
        self.slots.append(slot)
        return slot.variable

    def complete(self) -> None:
        """Note that all slots have been made; take what was loaded meanwhile."""
        self._is_complete = True
        self._take_arrived()

    # --- masks -----------------------------------------------------------------------------

    def hold(self, frozen: np.ndarray, picked: bool) -> None:
        """From now on freeze cells by a mask of the variable's shape, and hold the free ones alone,
        if they are to be `picked`. Slots of cells that were free go along."""
        starts = offsets = np.zeros(0, KEPT.name)
        if picked:
            free = free_cells(frozen)
            mask = np.zeros(len(free), bool)
            if not free.size:  # one cell is held, and frozen
                free, mask = np.zeros(1, KEPT.name), np.ones(1, bool)
            starts, offsets = compressed(free, frozen.shape)
            slots = [self._at(slot, counted(free)) for slot in self.slots]
        else:
            mask = frozen
            slots = [self._whole(slot) for slot in self.slots]
        if not self._mask_has_fixed_shape and not mask.any():
            mask = np.array(False)
        self._put(starts, offsets, mask, slots)

    def paint(self, frozen: tf.Tensor) -> None:
        """Freeze cells by a mask of the variable's shape, and change no shape: so it may be done
        beside a step and in a graph. Cells that have no slots stay frozen."""
        if self.is_picked:
            frozen = cells_at(frozen, self.places())
        self._mask_has_fixed_shape |= not tf.executing_eagerly()  # XLA changes no shapes
        with tf.init_scope():
            whole = tf.shape(raw(self.trained))
            self.mask_variable.put(tf.broadcast_to(self.mask, whole))
        for slot in self.slots:
            if not slot.is_average:
                empty = slot.fresh(raw(self.trained))
                slot.variable.put(tf.where(self.mask, empty, slot.variable.value))
        self._freeze(frozen)

    def without_slots(self, frozen: tf.Tensor) -> tf.Tensor:
        """Return how many cells such a mask would free that have no slots: an int64 tensor."""
        held = cells_at(frozen, self.places()) if self.is_picked else frozen
        return tf.math.count_nonzero(~frozen) - tf.math.count_nonzero(~held)

    def frozen(self) -> tf.Tensor:
        """Return the mask of the variable: a bool tensor of its shape, True = frozen."""
        return self._frozen(self.mask, self.places() if self.is_picked else None)

    def freezes(self) -> bool:
        """Return whether any cell is frozen."""
        with tf.init_scope():
            return bool(tf.reduce_any(self.frozen()))

    def read_mask(self) -> None:
        """Read the mask, once for the step that begins: it may be painted meanwhile."""
        trained = raw(self.trained)
        known = trained.shape.is_fully_defined()
        self.now = tf.broadcast_to(self.mask, trained.shape if known else tf.shape(trained))

    # --- slots -----------------------------------------------------------------------------

    def spares(self, variable: tf.Variable) -> bool:
        """Return whether it is the weight or an average of it."""
        others = (slot for slot in self.slots if not slot.is_average)
        return all(raw(slot.variable) is not variable for slot in others)

    def kept(self, variable: tf.Variable) -> tf.Tensor:
        """Return what frozen cells hold after a step: the weight, which is their average, too."""
        return raw(self.trained)

    def held(self, slot: Slot | None, before: Before) -> tf.Tensor:
        """Return what is put back: the weight, or the slot of a fresh cell."""
        weights = before(raw(self.trained))
        return slot.fresh(weights) if slot else weights

    def whole(self, variable: Variable) -> tf.Tensor:
        """Return a slot of all cells, which is that of a fresh optimizer where they are frozen."""
        return self._whole(next(slot for slot in self.slots if slot.variable is variable))

    def fill(self, variable: Variable, whole: tf.Tensor) -> None:
        """Give a slot the values for those cells that are held."""
        variable.put(cells_at(whole, self.places()) if self.is_picked else whole)

    # --- a step ----------------------------------------------------------------------------

    def gradient(self, grad: Gradient) -> Gradient:
        """Return the gradient of what is trained, from one of the variable whose shape fits."""
        grad = super().gradient(grad)
        if grad is None or not self.is_picked:
            return grad
        if isinstance(grad, tf.IndexedSlices):
            return self._cells_of_rows(grad)
        return _suited(self.variable, pick)(grad, self.starts.value, self.offsets.value)

    def take(self, update: Update) -> None:
        """Assign the picked weights to `weights`; `update` is that of a tf.distribute strategy."""
        places = self.starts.value, self.offsets.value
        update(self.weights.value, _take, (self.variable, *places), group=False)

    def give_back(self, update: Update) -> None:
        """Write `weights` to their places, and nothing else."""
        places = self.starts.value, self.offsets.value
        update(self.variable, _give_back, (self.weights.value, *places), group=False)

    def places(self) -> tf.Tensor:
        """Return the numbers of the picked cells, one after another: an int32 vector."""
        return places(self.starts.value, self.offsets.value)

    def _cells_of_rows(self, grad: tf.IndexedSlices) -> tf.IndexedSlices:
        """Return the rows of a gradient as single cells of the vector; those that are not held are
        0."""
        shape, rows = self.variable.shape, tf.cast(grad.indices, tf.int32)
        starts, offsets = counted(self.starts.value), counted(self.offsets.value)
        if len(shape) == 1:  # a row is a cell
            held, values = self.places(), tf.reshape(grad.values, [-1])
            return tf.IndexedSlices(*held_at(rows, held, values, shape[0]), tf.shape(held))
        lines, columns = shape[1:-1].num_elements(), shape[-1]  # a table has one line in a row
        firsts = tf.reshape(rows[:, None] * lines + tf.range(lines), [-1]) * columns
        values = tf.reshape(grad.values, [-1, columns])

        def of_cells() -> tuple[tf.Tensor, tf.Tensor]:  # `starts` are cells
            cells = tf.reshape(firsts[:, None] + tf.range(columns), [-1])
            values_of_cells = tf.reshape(values, [-1])
            return held_at(cells, starts, values_of_cells, shape.num_elements())

        def of_lines() -> tuple[tf.Tensor, tf.Tensor]:  # `starts` are the first cells of lines
            some = tf.gather(values, offsets, axis=1)
            held, at = held_at(firsts, starts, some, shape.num_elements())
            count = tf.size(offsets)
            return tf.reshape(held, [-1]), tf.reshape(at[:, None] * count + tf.range(count), [-1])

        values, at = tf.cond(tf.size(offsets) == 1, of_cells, of_lines)
        return tf.IndexedSlices(values, at, [tf.size(starts) * tf.size(offsets)])

    # --- what belongs together ---------------------------------------------------------------

    @property
    def pieces(self) -> list[Piece]:
        """All that is kept and saved of these cells."""
        return [self.starts, self.offsets, self.mask_variable, *(s.variable for s in self.slots)]

    def _put(
        self,
        starts: Sequence[int] | np.ndarray,
        offsets: Sequence[int] | np.ndarray,
        mask: np.ndarray,
        slots: list[tf.Tensor],
    ) -> None:
        self.is_picked = len(offsets) > 0
        self.starts.put(starts)
        self.offsets.put(offsets)
        for slot, value in zip(self.slots, slots):
            self._have_shape(slot)
            slot.variable.put(value)
        if self.is_picked:
            count = len(starts) * len(offsets)
            self.weights.put(tf.zeros(count, self.variable.dtype))
        self._freeze(mask)

    def _freeze(self, mask: tf.Tensor) -> None:
        self.was_told = True
        self.mask_variable.put(mask)
        self.optimizer.in_use.note(self.number, tf.reduce_any(mask))

    def _have_shape(self, slot: Slot) -> None:
        """Let a slot be of the variable's shape, or a vector of any length."""
        wanted = tf.TensorShape([None] if self.is_picked else self.variable.shape)
        if slot.variable.value.shape.as_list() != wanted.as_list():
            with self._strategy.scope(), self._beside():
                empty = tf.zeros([1] if self.is_picked else wanted, slot.variable.dtype)
                slot.variable.become(empty, wanted)
            self.optimizer.registry.note(slot.variable, self)

    def receive(self, piece: Piece, value: tf.Tensor) -> None:
        """Take a part that was loaded, with the others, as soon as all have arrived."""
        if tuple(value.shape) == tuple(piece.shape):
            piece.put(value)
        self._arrived[piece.name] = value
        self._take_arrived()

    def _take_arrived(self) -> None:
        names = [piece.name for piece in self.pieces]
        if not self._is_complete or not set(names) <= set(self._arrived):
            return
        starts, offsets, mask, *slots = (self._arrived[name] for name in names)
        self._arrived = {}
        there = places(starts, offsets) if tf.size(offsets) else None
        frozen = self._frozen(mask, there)
        wholes = [self._spread(s, frozen, there, value) for s, value in zip(self.slots, slots)]
        picked = there is not None if self.optimizer.can_choose() else self.is_picked
        self.hold(np.asarray(frozen), picked)
        for slot, whole in zip(self.slots, wholes):
            self.fill(slot.variable, whole)

    def _frozen(self, mask: tf.Tensor, there: tf.Tensor | None) -> tf.Tensor:
        """Return the mask of all cells, from one of the cells `there`, or of all (None)."""
        shape = self.variable.shape
        if there is None:
            return tf.broadcast_to(mask, shape)
        everything = tf.ones(shape.num_elements(), bool)
        mask = tf.broadcast_to(mask, tf.shape(there))
        return tf.reshape(tf.tensor_scatter_nd_update(everything, there[:, None], mask), shape)

    def _spread(
        self, slot: Slot, frozen: tf.Tensor, there: tf.Tensor | None, value: tf.Tensor
    ) -> tf.Tensor:
        """Return a slot of all cells, from one of the cells `there`, or of all (None)."""
        fresh = slot.fresh(tf.convert_to_tensor(self.variable))
        if there is not None:
            flat = tf.tensor_scatter_nd_update(tf.reshape(fresh, [-1]), there[:, None], value)
            value = tf.reshape(flat, fresh.shape)
        return tf.where(frozen, fresh, value)

    def _whole(self, slot: Slot) -> tf.Tensor:
        places = self.places() if self.is_picked else None
        return self._spread(slot, self.frozen(), places, slot.variable.value)

    def _at(self, slot: Slot, numbers: tf.Tensor) -> tf.Tensor:
        """Return a slot of the cells of these numbers; of a large one no second whole is made."""
        if self.is_picked:
            return cells_at(self._whole(slot), numbers)
        values, weights = (cells_at(each, numbers) for each in (slot.variable.value, self.variable))
        return tf.where(cells_at(self.frozen(), numbers), slot.fresh(weights), values)

    def _beside(self) -> contextlib.AbstractContextManager[None]:
        """Return where variables are made: on the devices on which the variable has its copies."""
        return self._strategy.extended.colocate_vars_with(self.variable)


@functools.cache
def _compiled(function: Callable[..., Any], shape: tuple[int, ...]) -> Callable[..., Any]:
    """Return what XLA makes of `pick` or `put`: on a CPU it writes cells in place and many times
    faster than TensorFlow's own kernels. There is one for each shape of variables, since a trace
    that is to serve vectors of any length would serve variables of any shape, too, and does not."""
    return tf.function(function, autograph=False, jit_compile=True, reduce_retracing=True)


def _suited(variable: tf.Variable, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, or its compiled form where that pays for calling it."""
    large = variable.shape.num_elements() >= LARGE and "CPU" in variable.device
    pays = large and not tf.distribute.has_strategy()
    return _compiled(function, tuple(variable.shape)) if pays else function


def _take(
    weights: tf.Variable, variable: tf.Variable, starts: tf.Tensor, offsets: tf.Tensor
) -> None:
    weights.assign(_suited(variable, pick)(variable, starts, offsets))


def _give_back(
    variable: tf.Variable, weights: tf.Tensor, starts: tf.Tensor, offsets: tf.Tensor
) -> None:
    _suited(variable, put)(variable, tf.convert_to_tensor(weights), starts, offsets)
