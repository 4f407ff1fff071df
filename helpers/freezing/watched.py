"""A variable with frozen cells: what they held, which hold something else by now, and what the
optimizer that steps the variable keeps for them."""

from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
import numpy.typing as npt
import tensorflow as tf

from .inside import family, slots_of, trains
from .kinds import Variable
from .masks import as_mask, path_of
from .slots import CELL_BY_CELL, K, raw

SAMPLE = 1024  # of so many frozen cells of a variable, at most, the slots are followed
COMPARED = "float16", "bfloat16", "float32", "float64", "complex64", "complex128"
UNSIGNED = {1: tf.uint8, 2: tf.uint16, 4: tf.uint32, 8: tf.uint64, 16: tf.uint64}


class Watched:
    """A variable, and which of its cells are frozen: `count` of them, in the order of an array.

    `held` and the like are lists with a vector for each of the variable's copies, of which there
    are several under tf.distribute.
    """

    def __init__(
        self, variable: Variable, frozen: npt.ArrayLike, values: npt.ArrayLike | None = None
    ) -> None:
        self.given, self.path = variable, path_of(variable)
        self.shape, self.dtype = _checked(variable), raw(variable).dtype
        mask = _mask(variable, frozen, self.shape).ravel()
        self._copies = _copies(raw(variable))
        self.count, self._size = int(mask.sum()), mask.size
        if not self.count:
            message = "a mask in which no cell is True, so there is nothing to check. True = frozen"
            raise ValueError(f"For {about(variable)} {message}.")
        self._values = None if values is None else self._checked_values(values)
        kind = np.int32 if mask.size < 2**31 else np.int64
        self._places = None if mask.all() else tf.constant(np.flatnonzero(mask), kind)
        self._sample = np.unique(
            np.linspace(0, self.count - 1, min(self.count, SAMPLE)).astype(int)
        )
        self.sampled = self._flat_places()[self._sample]

    def __str__(self) -> str:
        return f"{self.count:,} of {self._size:,} cells of {self.path!r}"

    def reference(self) -> list[tf.Tensor]:
        """Return the bits to compare with: of the values that were given, or of this moment."""
        if self._values is None:
            return self.held()
        return [self._bits(self._values)] * len(self._copies)

    def held_where(self, flags: tf.Tensor, others: list[tf.Tensor]) -> list[tf.Tensor]:
        """Return the bits of this moment where a flag is True, and elsewhere those `others`."""
        pairs = zip(self.held(), others)
        return [tf.where(_beside(flags, now), now, old) for now, old in pairs]

    def held(self) -> list[tf.Tensor]:
        """Return the bits of the frozen cells, as unsigned integers."""
        return [self._bits(copy) for copy in self._copies]

    def changed(self, held: list[tf.Tensor]) -> tf.Tensor:
        """Return a bool tensor, one flag a frozen cell: True where bits are not those held."""
        unlike = [tf.not_equal(self._bits(c), bits) for c, bits in zip(self._copies, held)]
        unlike = [each if each.shape.rank == 1 else tf.reduce_any(each, -1) for each in unlike]
        return tf.reduce_any(tf.stack(unlike), 0) if len(unlike) > 1 else unlike[0]

    def values(self, held: list[tf.Tensor], before: Sequence[tf.Tensor] = ()) -> np.ndarray:
        """Return the values that such bits stand for, an array. Of several copies it is the first,
        or for a cell that is there as it was `before` another one."""
        first = held[0].numpy()
        for bits, old in zip(held[1:], before[1:]):
            bits, old = bits.numpy(), old.numpy()
            first = np.where(first == before[0].numpy(), bits, first)
        return np.ascontiguousarray(first).view(self.dtype.as_numpy_dtype).reshape(-1)

    def whole(self, flags: tf.Tensor) -> np.ndarray:
        """Return flags of frozen cells as a bool array of the variable's shape."""
        whole = np.zeros(self._size, bool)
        whole[self._flat_places()] = flags.numpy()
        return whole.reshape(self.shape)

    def cell(self, number: int) -> tuple[int, ...]:
        """Return where in the variable the frozen cell of this number is: a tuple of ints."""
        place = self._flat_places()[number]
        return tuple(int(each) for each in np.unravel_index(place, self.shape))

    def rows(self, flags: np.ndarray) -> str:
        """Return in words in which rows (along the first axis) flagged frozen cells are; "" for a
        variable of fewer than two axes."""
        if len(self.shape) < 2:
            return ""
        found = np.unique(self._flat_places()[flags] // (self._size // self.shape[0])).tolist()
        first, last, count = found[0], found[-1], len(found)
        if count == 1:
            return f"row {first}"
        in_line = f"{first:,} to {last:,}" if last - first + 1 == count else None
        listed = ", ".join(f"{row:,}" for row in found[:5]) + (", …" if count > 5 else "")
        return f"{count:,} rows ({in_line or listed})"

    def judged(
        self, new: np.ndarray, before: np.ndarray, after: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None]:
        """Of the cells that are `new`, return those by which the way in is judged: their flat
        places, their values before and after, and which of the sample they are (None: none is)."""
        in_sample = np.flatnonzero(new[self._sample])
        cells = self._sample[in_sample] if len(in_sample) else np.flatnonzero(new)[:SAMPLE]
        at = in_sample if len(in_sample) else None
        return self._flat_places()[cells], before[cells], after[cells], at

    def _bits(self, variable: Any) -> tf.Tensor:
        value = tf.convert_to_tensor(variable)
        bits = tf.cast(value, tf.uint8) if value.dtype == tf.bool else _as_unsigned(value)
        bits = tf.reshape(bits, [-1, 2] if value.dtype == tf.complex128 else [-1])
        return bits if self._places is None else tf.gather(bits, self._places)

    def _checked_values(self, given: npt.ArrayLike) -> tf.Tensor:
        values = tf.convert_to_tensor(given)
        if tuple(values.shape) != self.shape or values.dtype != self.dtype:
            message = f"values of shape {tuple(values.shape)}, {values.dtype.name}, arrived"
            raise ValueError(
                f"For {about(self.given)} {message}; pass those of the variable itself."
            )
        return values

    def _flat_places(self) -> np.ndarray:
        return np.arange(self._size) if self._places is None else self._places.numpy()


class SteppedBy:
    """The optimizer that steps a variable, among the one that is given and those inside it; None
    if no optimizer does. `slots` maps names to what it keeps for each cell."""

    def __init__(self, optimizer: keras.Optimizer | None, variable: Variable) -> None:
        self._variable = variable
        inside = [one for one in family(optimizer) if one.built] if optimizer is not None else []
        self._freezing = [one for one in inside if hasattr(one, "keeps") and one.keeps(variable)]
        steps = [one for one in inside if trains(one, variable)]
        self.optimizer = steps[-1] if steps else None
        self.slots = slots_of(self.optimizer, variable) if steps else {}

    @property
    def kind(self) -> type:
        """The class of Keras that the optimizer is, made freezable or not."""
        kind = type(self.optimizer)
        return getattr(kind, "keras_class", None) or kind

    @property
    def moves_without_gradient(self) -> bool:
        """Whether such an optimizer may move a cell by what it remembers."""
        remembers = getattr(self.optimizer, "momentum", 0) or hasattr(self.optimizer, "beta_1")
        return bool(remembers) or self.is_coupled

    @property
    def is_coupled(self) -> bool:
        """Whether a step of a cell asks for more than its gradient and its momentum."""
        return self.kind not in CELL_BY_CELL or self.kind is K.Ftrl

    @property
    def can_freeze(self) -> bool:
        """Whether a freezable optimizer trains the variable."""
        return bool(self._freezing)

    def holds(self, places: np.ndarray) -> bool:
        """Return whether a freezable optimizer holds the cells at all of these flat places."""
        masks = [one.frozen_cells(self._variable).numpy() for one in self._freezing]
        return any(mask.ravel()[places].all() for mask in masks)

    def state(self, places: np.ndarray) -> dict:
        """Return, as tensors, the number of steps taken, the rate, and the slots at these flat
        places of the variable."""
        if self.optimizer is None:
            return {}
        slots = {name: _picked(slot, places) for name, slot in self.slots.items()}
        rate = tf.cast(self.optimizer.learning_rate, tf.float64)
        return {"steps": tf.identity(raw(self.optimizer.iterations)), "rate": rate, "slots": slots}


def _picked(slot: Variable, places: np.ndarray) -> tf.Tensor:
    return tf.gather(tf.reshape(tf.convert_to_tensor(slot), [-1]), places)


def _as_unsigned(value: tf.Tensor) -> tf.Tensor:
    wanted = UNSIGNED[value.dtype.size]
    return value if value.dtype == wanted else tf.bitcast(value, wanted)


def distances(before: np.ndarray, after: np.ndarray) -> np.ndarray | None:
    """Return how far cells moved, in units in the last place: a float array of their shape; inf
    where one was or is NaN or infinite. Floating-point arrays of one dtype and shape; None for
    another dtype."""
    if before.dtype.name not in COMPARED[:4]:
        return None
    one, other = _in_order(before), _in_order(after)
    far = (np.maximum(one, other) - np.minimum(one, other)).astype(float)
    return np.where(np.isfinite(before) & np.isfinite(after), far, np.inf)


def farthest(
    before: np.ndarray, after: np.ndarray, ulps: np.ndarray | None, flags: np.ndarray
) -> int:
    """Return which of the flagged cells moved farthest: to or from NaN or infinity, or by the
    largest difference; of equal ones by `ulps`, their `distances`."""
    if ulps is None:
        return int(np.argmax(flags))
    with np.errstate(all="ignore"):
        moved = np.abs(after.astype(np.float64) - before.astype(np.float64))
    moved = np.where(np.isfinite(moved), moved, np.inf)
    return int(np.lexsort((ulps, moved, flags))[-1])


def _in_order(values: np.ndarray) -> np.ndarray:
    """Return the bits, as unsigned integers that grow as the numbers do."""
    bits = values.view(f"u{values.dtype.itemsize}")
    sign = bits.dtype.type(1 << (8 * bits.itemsize - 1))
    return np.where(bits & sign, ~bits, bits | sign)


def _checked(variable: Variable) -> tuple[int, ...]:
    """Return the shape of a variable, if it is one whose bits can be compared."""
    if not isinstance(raw(variable), tf.Variable):
        message = "first in a pair, a keras.Variable or a tf.Variable was wanted"
        if not tf.is_tensor(variable):
            raise TypeError(f"{about(variable)} arrived; {message}: (variable, frozen).")
        message += ". With LoRA or after quantize,"
        ask = "layer.kernel is computed: take the variable itself from layer.variables"
        raise TypeError(f"{about(variable)} arrived; {message} {ask}.")
    dtype = raw(variable).dtype
    if not (dtype.is_integer or dtype.is_bool or dtype.name in COMPARED):
        wanted = f"integers, bools or one of {', '.join(COMPARED)} were wanted. Leave it out"
        raise TypeError(f"{about(variable)} arrived; {wanted}.")
    if not raw(variable).shape.is_fully_defined():
        raise ValueError(f"{about(variable)} arrived; a shape that is known was wanted.")
    return tuple(raw(variable).shape)


def _beside(flags: tf.Tensor, bits: tf.Tensor) -> tf.Tensor:
    """Return flags of cells for their bits, of which a complex number has two words."""
    return flags if bits.shape.rank == 1 else flags[:, None]


def _copies(variable: tf.Variable) -> list[tf.Variable]:
    """Return the variable itself; under tf.distribute, what each device has of it."""
    if not isinstance(variable, tf.distribute.DistributedValues):
        return [variable]
    return list(variable.distribute_strategy.experimental_local_results(variable))


def _mask(variable: Variable, frozen: npt.ArrayLike, shape: tuple[int, ...]) -> np.ndarray:
    if frozen is True or frozen is np.True_:
        return np.ones(shape, bool)
    return as_mask(frozen, variable).numpy()


def about(thing: object) -> str:
    """Return what an error says of a thing: the path, shape and dtype of a variable or an array."""
    shape, dtype = getattr(thing, "shape", None), getattr(thing, "dtype", None)
    if shape is None or dtype is None:
        return f"{type(thing).__name__} {str(thing)[:60]}"
    kind = getattr(dtype, "name", dtype)
    name = repr(path_of(thing)) if isinstance(raw(thing), tf.Variable) else type(thing).__name__
    return f"{name} of shape {tuple(shape)}, {kind},"
