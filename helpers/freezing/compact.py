"""The compact freeze: an optimizer that keeps slots for free cells alone, and steps only these.

In each step the weights and gradients of the free cells are picked out into vectors, Keras takes
its step on the vectors, and the new weights are written to their places. Frozen cells are never
written to, so they stay by construction; and where most cells are frozen, memory and work are
small. Where many are free, picking would cost more than a mask over the weights, so they get one.
It serves optimizers that find the step of a cell from that cell alone.
"""

import contextlib
import warnings

import numpy as np
import numpy.typing as npt
import tensorflow as tf

from . import private
from .free import FreeCells
from .front import Front
from .in_use import InUse
from .slots import CELL_BY_CELL, LARGE, Ledger, Variable, as_mask, classes, start_of

UNFIT = classes(
    Ftrl="computes a weight from its slots, so that a thawed cell would lose it",
    Adafactor="keeps statistics of rows and columns, not of cells",
    Lamb="scales each step by the norm of the whole variable",
    Muon="finds the step of a matrix as a whole",
    LossScaleOptimizer="holds another optimizer: make that one compact",
    MultiOptimizer="holds other optimizers: make these compact",
)


def check(OptimizerClass):
    """Raise TypeError for an optimizer whose step of a cell asks for more than that cell."""
    if OptimizerClass not in CELL_BY_CELL - set(UNFIT):
        known = (reason for unfit, reason in UNFIT.items() if issubclass(OptimizerClass, unfit))
        reason = next(known, "may step a cell by what other cells hold")
        name = OptimizerClass.__name__
        raise TypeError(f"{name} {reason}. Use freezable({name}) without compact.")


class CompactCells(Front):
    """What `freezable(OptimizerClass, compact=True)` puts in front of an optimizer."""

    _traced = False  # whether a step has been compiled

    def freeze_cells(self, variable: Variable, frozen: npt.ArrayLike, on_thaw: str = "reset"):
        """Freeze the cells of `variable` where `frozen` is True, and thaw its other cells.

        As `FreezesCells.freeze_cells`, but for the slots: a frozen cell has none, so a thawed one
        starts with empty ones (an average starts at the weight), and on_thaw="keep" raises
        ValueError. Before the first compiled step a large variable of which more than a sixth is
        free gets a mask, with slots for all cells, and any other one slots for free cells alone.
        That stays so in a compiled step, which needs a first mask, therefore; a warning says if it
        is the dearer way for a later one. With jit_compile, or in a large variable, another number
        of free cells costs one compilation (0.1 s and 1 MB).
        """
        cells = self._cells(variable)
        frozen = as_mask(frozen, cells.variable.shape)
        if on_thaw != "reset":
            told = 'frozen cells have no slots here: pass "reset", or make it without compact'
            raise ValueError(f"on_thaw={on_thaw!r} arrived; {told}.")
        can_choose = tf.executing_eagerly() and not self._traced
        if not cells.has_mask and not can_choose:
            raise ValueError(
                f"The first mask of {cells.given.name!r} arrived in a compiled step or after "
                "one. Freeze cells before the first step; a mask may be np.zeros(shape, bool)."
            )
        pays = self._pays_to_pick(cells, frozen) if tf.executing_eagerly() else cells.is_picked
        if cells.is_picked != pays and not can_choose:
            _advise(cells, frozen)
            pays = cells.is_picked
        (cells.pick if pays else cells.mask)(frozen)

    def frozen_cells(self, variable: Variable) -> tf.Tensor:
        """Return the mask of `variable`: a bool tensor of its shape, True = frozen."""
        return self._cells(variable).is_frozen()

    def slots_of(self, variable: Variable) -> dict[str, tf.Variable]:
        """Return what the optimizer keeps for the free cells of `variable`: a dict from Keras'
        names to tf.Variables, with a number for each cell of `variable[~frozen]`; of the variable's
        shape where it has a mask or nothing is frozen yet. Not to be written to."""
        return {name: slot.value for name, slot, _ in self._cells(variable).slots}

    def bytes_kept(self) -> int:
        """How many bytes are kept between two steps: slots, masks or places of free cells, and a
        working copy of their weights."""
        kept = [each.weights for each in self._ledger.cells] if self.built else []
        kept += [variable for variable in self.variables if variable.ndim]
        return sum(variable.numpy().nbytes for variable in kept)

    def build(self, variables):
        """Let Keras make the slots."""
        if self.built:
            return
        _check_variables(variables)
        self._in_use, strategy = InUse(len(variables)), private.strategy(self)
        cells = [FreeCells(*v, strategy, self._in_use) for v in enumerate(variables)]
        self._ledger = Ledger(cells, super()._var_key)
        for each in cells:
            self._ledger.note(each.weights, each)
        # As attributes they are saved; places first, for slots follow them when they are loaded.
        self._places = [each.places for each in cells]
        super().build(variables)
        self._slots = [[slot for _, slot, _ in each.slots] for each in cells]
        self._masks_writes = self._writes_can_be_masked() and not private.replicated(self)

    def add_variable_from_reference(self, reference_variable, name=None, initializer="zeros"):
        """As in Keras; but the slot takes any shape."""
        start = start_of(self, name, initializer)
        return self._cells(reference_variable).add_slot(name, start)

    def apply(self, grads, trainable_variables=None):
        """Take one step. If it raises (in a graph: over a gradient's shape), nothing changes."""
        grads, variables = self._paired(grads, trainable_variables)
        if not grads or not variables:
            return super().apply(grads, trainable_variables)
        self.build(variables)
        self._traced = self._traced or not tf.executing_eagerly()
        cells = [self._cells(variable) for variable in variables]
        counts = bool(self.clipnorm or self.global_clipnorm)
        grads = [each.gradient(grad, counts) for each, grad in zip(cells, grads)]
        # What can only be checked while a graph runs is checked before its first write.
        first = tf.control_dependencies([grad for grad in grads if tf.is_tensor(grad)])
        with first, self._picked(self._ledger.cells if self.use_ema else cells):
            super().apply(grads, [each.trained for each in cells])

    def finalize_variable_values(self, var_list):
        """Overwrite free cells with their moving averages, if the optimizer keeps any."""
        if not self.built:  # `fit` found nothing to train
            return
        cells = [self._cells(variable) for variable in var_list]
        with self._picked(cells):
            super().finalize_variable_values([each.trained for each in cells])

    @property
    def _trainable_variables(self):
        """Of which Keras keeps averages; it sets them as well."""
        return [each.trained for each in self._ledger.cells] if self._ledger else []

    @_trainable_variables.setter
    def _trainable_variables(self, variables):
        pass

    def _backend_reset_gradient_accumulators(self):
        """As in Keras, which must know how long they are."""
        for name, slot, _ in (slot for cells in self._ledger.cells for slot in cells.slots):
            if name == "gradient_accumulator":
                slot.assign(tf.zeros_like(slot.value))

    def _var_key(self, variable):
        """As in Keras; the vector of a variable's free weights goes by the variable's key."""
        cells = self._ledger and self._ledger.find(variable)
        return super()._var_key(cells.variable if cells else variable)

    def _pays_to_pick(self, cells, frozen):
        """Whether free cells alone are to be held; `python3 -m helpers bench compact` measures it.
        In a graph it pays below half of the cells, under XLA below a sixth."""
        size = cells.variable.shape.num_elements()
        few = size < LARGE or 6 * tf.math.count_nonzero(~frozen) <= size
        return bool(few) or not self._masks_writes

    @contextlib.contextmanager
    def _picked(self, cells):
        """Have the free weights in their vectors, and afterwards at their places. If anything
        raises while Python runs the step, all is as it was."""
        picked = [each for each in cells if each.is_picked]
        self._on_each_device(picked, FreeCells.take)
        eager = tf.executing_eagerly() and not tf.distribute.has_strategy()
        noted = [*self.variables, *(each.trained for each in cells)] if eager else []
        before = [tf.identity(variable) for variable in noted]
        try:
            yield
            self._on_each_device(picked, FreeCells.give_back)
        except BaseException:  # an interrupt, too
            for variable, value in zip(noted, before):
                variable.assign(value)
            if eager:
                self._on_each_device(picked, FreeCells.give_back)
            raise

    def _on_each_device(self, cells, method):
        def everywhere(strategy):
            for each in cells:
                method(each, strategy.extended.update)

        if tf.distribute.has_strategy() and not tf.distribute.in_cross_replica_context():
            tf.distribute.get_replica_context().merge_call(everywhere)
        else:
            everywhere(private.strategy(self))


def _advise(cells, frozen):
    """Warn that the other way to hold a variable would cost less for this mask."""
    free = np.mean(~frozen.numpy())
    kept = "for free cells alone" if cells.is_picked else "for all cells"
    told = f"slots are kept {kept}, as the last mask before a compiled step had it"
    again = "Another optimizer, which gets this mask first, takes less time or memory"
    warnings.warn(
        f"{free:.0%} of the cells of {cells.given.name!r} are free; {told}. {again}.", stacklevel=3
    )


def _check_variables(variables):
    """Raise ValueError for a variable to which something else than a step writes."""
    for variable in variables:
        if getattr(variable, "constraint", None) is not None:
            told = "has a constraint, which may change frozen cells. Use freezable without compact"
            raise ValueError(f"{variable.name!r} {told}, or take the constraint away.")
        if getattr(variable, "overwrite_with_gradient", False):
            told = "is overwritten by its gradient. Leave it out, or use freezable without compact."
            raise ValueError(f"{variable.name!r} {told}")
