"""The compact freeze: an optimizer that keeps slots for free cells alone, and steps only these.

In each step the weights and gradients of the free cells are picked out into vectors, Keras takes
its step on the vectors, and the new weights are written to their places. Cells that are not picked
are never written to, so they stay by construction; and where most cells are frozen, memory and work
are small. Where many are free, picking would cost more than a mask over the weights, so they get
one. It serves optimizers that find the step of a cell from that cell alone.
"""

import contextlib
import threading
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

import keras
import numpy as np
import numpy.typing as npt
import tensorflow as tf

from . import private
from .called import levels_up
from .in_use import InUse
from .kinds import Gradient, Variable
from .masks import as_mask, checked_mask, path_of
from .optimizer import FreezesCells, Masks
from .picked import PickedCells
from .slots import CELL_BY_CELL, LARGE, SlotRegistry, classes, raw

UNFIT = classes(
    Ftrl="computes a weight from its slots, so that a thawed cell would lose it",
    Adafactor="keeps statistics of rows and columns, not of cells",
    Lamb="scales each step by the norm of the whole variable",
    Muon="finds the step of a matrix as a whole",
    LossScaleOptimizer="holds another optimizer: make that one compact",
    MultiOptimizer="holds other optimizers: make these compact",
)

STAYS = (
    "as the last mask before a compiled step had it. Another optimizer, which gets this mask "
    "first, takes less time or memory."
)
MANY = (
    "since to pick more than a third takes longer. So this saves no memory: freeze more cells, or "
    "use freezable without compact, which keeps what it remembers of frozen cells."
)


def check(OptimizerClass: type[keras.Optimizer]) -> None:
    """Raise TypeError for an optimizer whose step of a cell asks for more than that cell."""
    if OptimizerClass not in CELL_BY_CELL - set(UNFIT):
        known = (reason for unfit, reason in UNFIT.items() if issubclass(OptimizerClass, unfit))
        reason = next(known, "may step a cell by what other cells hold")
        name = OptimizerClass.__name__
        raise TypeError(f"{name} {reason}. Use freezable({name}) without compact.")


class CompactCells(FreezesCells):
    """What `freezable(OptimizerClass, compact=True)` puts in front of an optimizer."""

    _thread = None  # in which steps are taken
    _is_traced = False  # whether a step has been compiled
    is_stepping = False  # whether Keras is asking, and not somebody else

    def freeze_cells(
        self, variable: Variable, frozen: npt.ArrayLike, on_thaw: str | None = None
    ) -> None:
        """Freeze the cells of `variable` where `frozen` is True, and thaw its other cells.

        As `FreezesCells.freeze_cells`, but for the slots: a frozen cell has none, so a thawed one
        starts with empty ones (an average starts at the weight), and on_thaw="keep" raises
        ValueError. A first mask takes least memory in `build(variables, frozen=[(variable,
        frozen)])`. Before the first compiled step a large variable of which more than a third is
        free gets a mask, with slots for all cells, and a warning says so; any other one gets slots
        for free cells alone. That stays so in a compiled step; a warning says if it is the dearer
        way for a later mask.
        With jit_compile, or in a large variable, another number of free cells costs one compilation
        (0.1 s and 1 MB).

        In a tf.function, and in another thread than the one that trains, no slots can be made: a
        mask may free the cells that have slots, or fewer. More raise ValueError (in a graph without
        XLA: InvalidArgumentError; with XLA they stay frozen, and a warning says so after `fit`).
        """
        cells = self._cells(variable)
        frozen = checked_mask(frozen, cells.given)
        if on_thaw not in (None, "reset"):
            message = 'frozen cells have no slots here: pass "reset", or make it without compact'
            raise ValueError(f"on_thaw={on_thaw!r} arrived; {message}.")
        if not tf.executing_eagerly():
            self._paint_in_graph(cells, as_mask(frozen, cells.given))
        elif self._thread not in (None, threading.get_ident()):
            self._paint_beside(cells, as_mask(frozen, cells.given))
        else:
            self._hold(cells, np.asarray(frozen))

    def _hold(self, cells: PickedCells, frozen: np.ndarray) -> None:
        """Hold the free cells alone if they are few; once a step is compiled, as it was then."""
        pays = _pays_to_pick(cells, frozen)
        picked = cells.is_picked if self._is_traced else pays
        if cells.variable.shape.num_elements() >= LARGE:
            if pays != picked:
                _tell(cells, frozen, STAYS, picked)
            elif not (picked or self._is_traced) and frozen.any():
                _tell(cells, frozen, MANY, picked)
        cells.hold(frozen, picked)

    def frozen_cells(self, variable: Variable) -> tf.Tensor:
        """Return the mask of `variable`: a bool tensor of its shape, True = frozen."""
        return self._cells(variable).frozen()

    def slots_of(self, variable: Variable) -> dict[str, tf.Variable]:
        """Return what the optimizer keeps for the free cells of `variable`: a dict from Keras'
        names to variables, with a number for each cell of `variable[~frozen]`; of the variable's
        shape where all cells have slots. Not to be written to."""
        cells = self._cells(variable)
        slots = {slot.name: slot.variable.value for slot in cells.slots}
        if not cells.is_picked or (tf.executing_eagerly() and not tf.reduce_any(cells.mask)):
            return slots
        free = ~tf.broadcast_to(cells.mask, tf.shape(cells.places()))  # of those that have slots
        return {name: tf.boolean_mask(slot, free) for name, slot in slots.items()}

    def bytes_kept(self) -> int:
        """Return how many bytes are kept between two steps: slots, masks or places of free cells,
        and a working copy of their weights."""
        kept = [each.weights for each in self.registry.cells] if self.built else []
        kept += [variable for variable in self.variables if variable.ndim]
        return sum(variable.numpy().nbytes for variable in kept)

    def add_variable_from_reference(
        self, reference_variable: Variable, name: str | None = None, initializer: Any = "zeros"
    ) -> keras.Variable:
        """As in Keras; but the slot takes any shape."""
        cells = self._cells(reference_variable)
        with keras.name_scope(self.name, caller=self):
            slot = cells.add_slot(name, self, initializer)
        private.track(self, slot)
        self.registry.note(slot, cells)
        return slot

    def apply(
        self, grads: Iterable[Gradient], trainable_variables: Iterable[Variable] | None = None
    ) -> None:
        """Take one step. If it raises (in a graph: over a gradient's shape), nothing changes."""
        if not tf.distribute.has_strategy():  # whose replicas step in threads of their own
            self._thread = threading.get_ident()
        self._is_traced = self._is_traced or not tf.executing_eagerly()
        super().apply(grads, trainable_variables)

    def finalize_variable_values(self, var_list: list[Variable]) -> None:
        """Overwrite free cells with their moving averages, if the optimizer keeps any."""
        super().finalize_variable_values(var_list)
        if self.built:
            self._tell_refused()

    def read_slot(self, slot: keras.Variable) -> tf.Tensor:
        """Return a slot of all cells, fresh where they are frozen."""
        return self.registry.find(slot).whole(slot)

    def write_slot(self, slot: keras.Variable, value: tf.Tensor) -> None:
        """Give a slot values for all cells, of which it keeps those of free ones."""
        self.registry.find(slot).fill(slot, value)

    # --- what Keras asks for ---------------------------------------------------------------

    @property
    def _trainable_variables(self) -> list[Variable]:
        """For Keras, what it trains, and of which it keeps averages; for others, the variables."""
        cells = self.registry.cells if self.registry else []
        return [each.trained if self.is_stepping else each.given for each in cells]

    @_trainable_variables.setter
    def _trainable_variables(self, variables: list[Variable]) -> None:
        pass

    @property
    def _model_variables_moving_average(self) -> list[Any]:
        """The averages; for others than Keras, as SwapEMAWeights, each of the variable's shape."""
        try:
            averages = vars(self)[private.AVERAGES]
        except KeyError:
            raise AttributeError(private.AVERAGES) from None
        if self.is_stepping or not self.built:
            return averages
        found = [(self.registry.find(each), each) for each in averages]
        return [WholeAverage(*pair) if pair[0].is_picked else pair[1] for pair in found]

    @_model_variables_moving_average.setter
    def _model_variables_moving_average(self, averages: list[Any]) -> None:
        self.__dict__[private.AVERAGES] = averages

    def _backend_reset_gradient_accumulators(self) -> None:
        """As in Keras, which must know how long they are."""
        for slot in (slot for cells in self.registry.cells for slot in cells.slots):
            if slot.gathers:
                raw(slot.variable).assign(tf.zeros_like(raw(slot.variable)))

    def _var_key(self, variable: Variable) -> Any:
        """As in Keras; the vector of a variable's free weights goes by the variable's key."""
        return super()._var_key(self._given(variable))

    def _use_weight_decay(self, variable: Variable) -> bool:
        """As in Keras, which excludes variables by their names."""
        return super()._use_weight_decay(self._given(variable))

    def _given(self, variable: Variable) -> Variable:
        """Return the variable of which Keras trains a vector; others are returned as they are."""
        cells = self.registry and self.registry.find(variable)
        return cells.variable if cells else variable

    # --- what FreezesCells asks for ----------------------------------------------------------

    def _make_cells(self, variables: list[Variable], frozen: Masks) -> Masks:
        _check_variables(variables)
        self.in_use = InUse(len(variables))
        self._refused = tf.Variable(0, trainable=False, dtype=tf.int64)
        registry = SlotRegistry([], super()._var_key)
        with keras.name_scope(self.name, caller=self):
            for number, variable in enumerate(variables):
                cells = PickedCells(number, variable, self)
                registry.add(cells)
                registry.note(cells.weights, cells)
        # What waits to be loaded has masks, too, which come first.
        now, later = ([], frozen) if self._waiting else (frozen, [])
        for variable, mask in now:
            self._hold(registry[variable], np.asarray(mask))
        self.registry = registry
        for cells in registry.cells:
            for piece in cells.pieces:
                private.track(self, piece)
        return later

    def _add_masks(self, inside: list[Any]) -> None:
        for cells in self.registry.cells:
            cells.complete()

    def _counts_for_others(self, grad: Gradient) -> bool:
        """Also that of rows: it goes into the slots of frozen cells, too, and by a slot with a NaN
        Keras divides a gradient of rows in another way."""
        return isinstance(grad, tf.IndexedSlices) or super()._counts_for_others(grad)

    def freezes(self) -> tf.Tensor:
        """Return whether any cell may be frozen: a bool tensor. Of free cells that are picked out,
        no mask tells so."""
        picked = any(cells.is_picked for cells in self.registry.cells)
        return tf.constant(True) if picked else super().freezes()

    def can_choose(self) -> bool:
        """Return whether it is still open how the cells of a variable are held."""
        return tf.executing_eagerly() and not self._is_traced

    @contextlib.contextmanager
    def _trained(self, cells: list[Any]) -> Iterator[None]:
        """Have the free weights in their vectors, and afterwards at their places."""
        cells = self.registry.cells if self.use_ema else cells
        picked = [each for each in cells if each.is_picked]
        give_back = lambda update: [each.give_back(update) for each in picked]  # noqa: E731
        self._everywhere(lambda update: [each.take(update) for each in picked])
        self.is_stepping = True
        try:
            yield
        finally:
            self.is_stepping = False
        try:
            self._everywhere(give_back)
        except BaseException:  # an interrupt: the step is over, so it ends here, too
            self._everywhere(give_back)
            raise

    def _paint_beside(self, cells: PickedCells, frozen: tf.Tensor) -> None:
        more = int(cells.without_slots(frozen))
        if more:
            raise ValueError(f"{more} {_no_room(cells)}")
        cells.paint(frozen)

    def _paint_in_graph(self, cells: PickedCells, frozen: tf.Tensor) -> None:
        more = cells.without_slots(frozen)
        fits = tf.debugging.assert_equal(more, tf.zeros_like(more), _no_room(cells))
        with tf.control_dependencies([fits]):  # which XLA leaves out
            cells.paint(tf.identity(frozen))
            self._refused.assign_add(more)

    def _tell_refused(self) -> None:
        """Warn of cells that were freed in a step compiled by XLA, and had no slots."""
        refused = int(self._refused.numpy())  # of which each replica has a copy
        if refused:
            self._refused.assign(0)
            message = "cells were thawed in compiled steps that have no slots, and stayed frozen"
            warnings.warn(f"{refused} {message}: give a first mask that frees them.", stacklevel=3)


class WholeAverage:
    """The average of a variable of which cells are picked, as a whole: that of a frozen cell is the
    cell, as it stood when this was made. SwapEMAWeights reads and assigns it."""

    def __init__(self, cells: PickedCells, average: keras.Variable) -> None:
        self._cells, self._average = cells, average
        self._whole = tf.convert_to_tensor(cells.variable)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        free = self._cells.whole(self._average)
        whole = np.where(self._cells.frozen(), self._whole, free)
        return whole if dtype is None else whole.astype(dtype)

    def assign(self, value: tf.Tensor) -> None:
        """Take the averages of picked cells."""
        self._cells.fill(self._average, tf.convert_to_tensor(value))


def _pays_to_pick(cells: PickedCells, frozen: np.ndarray) -> bool:
    """Return whether free cells alone are to be held; `python3 -m helpers bench compact` measures
    it. With a third free they keep 0.6 of the bytes of a mask, and their step takes on a CPU less
    time in a graph, and up to a fifth more under XLA; with half free they save next to nothing."""
    size = cells.variable.shape.num_elements()
    few = size < LARGE or 3 * (size - np.count_nonzero(frozen)) <= size
    return bool(few) and size > 0


def _tell(cells: PickedCells, frozen: np.ndarray, why: str, picked: bool) -> None:
    """Warn that a large variable is held in the way that takes more for this mask."""
    free = 1 - np.mean(frozen)
    kept = "for free cells alone" if picked else "for all cells"
    warnings.warn(
        f"{free:.0%} of the cells of {cells.path!r} are free; slots are kept {kept}, {why}",
        stacklevel=levels_up(),
    )


def _no_room(cells: PickedCells) -> str:
    return (
        f"cells of {cells.path!r} would be free that have no slots, and in a compiled step or "
        "beside one none can be made. Call freeze_cells in the thread that trains, as in a "
        "callback, or give a first mask that frees them."
    )


def _check_variables(variables: list[Variable]) -> None:
    """Raise ValueError for a variable to which something else than a step writes."""
    for variable in variables:
        if getattr(variable, "constraint", None) is not None:
            raise ValueError(
                f"{path_of(variable)!r} has a constraint, which may change frozen cells. "
                "Use freezable without compact, or take the constraint away."
            )
        if getattr(variable, "overwrite_with_gradient", False):
            raise ValueError(
                f"{path_of(variable)!r} is overwritten by its gradient. "
                "Leave it out, or use freezable without compact."
            )
