"""The exact freeze: chosen cells of a variable stay as they are, bit for bit; the rest trains on.

`freezable(keras.optimizers.Adam)` is Adam with boolean masks among its variables; True = frozen,
everywhere. In each step it puts 0 for a frozen cell's gradient before anything is clipped, lets
Keras take the step, and keeps frozen cells and their slots (momentum, velocity, …) as they stood.
So a free cell moves as it would have, had the frozen cells' gradient been 0. The moving average of
a frozen cell is the cell.

Limits. `assign` and `set_weights` pass the optimizer by, and callbacks that use them: EarlyStopping
with restore_best_weights brings earlier weights back, SpectralNormalization assigns its kernel;
`LeakCheck` finds it. SwapEMAWeights swaps by adding and subtracting, which NaN, inf and −0.0 do not
survive. A mask saves no compute; where few cells are free, compact=True does. What belongs to no
single cell goes on for all: Adafactor's statistics of rows and columns, Adam's count of steps.
Custom optimizers must make slots with Keras' `add_optimizer_variables`. Once a cell is frozen, XLA
may round a free one's last bit differently. In float16 use `freezable(LossScaleOptimizer)`: the one
that `compile` adds sees raw gradients, and is asked by `model.optimizer.inner_optimizer`.
"""

import contextlib
import functools
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import keras
import numpy as np
import numpy.typing as npt
import tensorflow as tf

from . import private
from .in_use import InUse
from .inside import reporting
from .kinds import Gradient, Update, Variable
from .masks import as_mask, checked_mask, path_of
from .slots import Cells, SlotRegistry, in_branch, raw, without_frozen
from .state import KeepsState, mask_name
from .take_over import take_over
from .writes import SparingWrites

Masks = list[tuple[Variable, tf.Tensor | np.ndarray]]


class FreezesCells(KeepsState, SparingWrites):
    """What `freezable` puts in front of an optimizer."""

    keras_class: Any = None  # the class that was made freezable

    def freeze_cells(
        self, variable: Variable, frozen: npt.ArrayLike, on_thaw: str | None = None
    ) -> None:
        """Freeze the cells of `variable` where `frozen` is True, and thaw its other cells.

        It holds from the next step on, without a new trace (with jit_compile, the first frozen cell
        costs one compilation), and may be called in a tf.function; under tf.distribute outside
        `strategy.run`, and with the same mask on every worker.

        Args:
            variable: one of the variables that the optimizer was built for.
            frozen: bool, of its shape: array, lists or tensor; for whole rows, `frozen_rows`.
            on_thaw: "keep", as by default: a thawed cell goes on with its slots as they were;
                "reset": with empty ones (Adam's first step is then about three rates long). Its
                average starts at the weight in both.

        Raises:
            TypeError: `frozen` is not of bools.
            ValueError: another shape, an unknown variable, an optimizer that is not built yet, or a
                reset that would do harm.
        """
        cells = self._cells(variable)
        if cells.holder:
            return cells.holder.freeze_cells(variable, frozen, on_thaw)
        mask = as_mask(frozen, cells.given)
        if cells.divides_by_zero(mask):
            warnings.warn(_of_means(cells), stacklevel=2)
        if on_thaw == "reset":
            cells.reset_slots(cells.mask & ~mask)
        elif on_thaw not in (None, "keep"):
            raise ValueError(f'on_thaw={on_thaw!r} arrived; pass "keep" or "reset".')
        cells.settle(mask)
        cells.mask_variable.assign(mask)

    def frozen_cells(self, variable: Variable) -> tf.Tensor:
        """Return the mask of `variable`: a bool tensor of its shape, True = frozen."""
        cells = self._cells(variable)
        return cells.holder.frozen_cells(variable) if cells.holder else tf.identity(cells.mask)

    def slots_of(self, variable: Variable) -> dict[str, tf.Variable]:
        """Return what the optimizer keeps for each cell of `variable`: a dict from Keras' names
        ("momentum", "velocity", …) to tf.Variables of its shape. Not to be written to."""
        cells = self._cells(variable)
        if cells.holder:
            return cells.holder.slots_of(variable)
        return {slot.name: raw(slot.variable) for slot in cells.slots}

    def take_over(self, old: keras.Optimizer) -> None:
        """Go on where `old` stopped: take over what it remembers of each variable, and its masks.

        What belongs to a variable is matched by the variable, never by its place. Taken over are
        slots, masks, counts of steps, loss scales and what is excluded from weight decay; options
        such as the learning rate are not. A warning names what could not be taken over.

        Args:
            old: an optimizer that has trained variables of this one: of Keras or freezable, of this
                class, compact or not, alone or inside a LossScaleOptimizer or MultiOptimizer.

        Raises:
            ValueError: this optimizer is not built, or `old` has trained none of its variables.
        """
        take_over(self, old)

    def build(
        self, variables: Iterable[Variable], frozen: Iterable[tuple[Variable, npt.ArrayLike]] = ()
    ) -> None:
        """Let Keras make the slots, and note whose they are; add masks, all False, and freeze.

        Args:
            variables: what is to be trained. Of none nothing is built: Keras does that as it loads
                an .h5 file, before there are any.
            frozen: pairs of a variable and its mask, as for `freeze_cells`. With compact=True the
                slots are then never there for all cells, and so building takes less memory.
        """
        variables = list(variables)
        frozen = [(variable, checked_mask(mask, variable)) for variable, mask in frozen]
        if not self.built and variables:
            self._check_scope(variables)
            # A step that is traced may build: what was loaded is then there before the graph is.
            with contextlib.nullcontext() if tf.distribute.has_strategy() else tf.init_scope():
                frozen = self._make_cells(variables, frozen)
                with reporting(self, self.registry.enter) as inside:
                    super().build(variables)
                self.optimizers_inside = inside  # for checkpoints: a MultiOptimizer hides them
                self._add_masks([one for one in inside if isinstance(one, FreezesCells)])
                self._take_what_waits()
        for variable, mask in frozen:
            self.freeze_cells(variable, mask)

    def add_variable_from_reference(
        self, reference_variable: Variable, name: str | None = None, initializer: Any = "zeros"
    ) -> keras.Variable:
        """As in Keras; and note that the new slot belongs to `reference_variable`."""
        slot = super().add_variable_from_reference(reference_variable, name, initializer)
        if self.registry is not None:
            self.registry.enter(slot, reference_variable, self, name, initializer)
        return slot

    def apply(
        self, grads: Iterable[Gradient], trainable_variables: Iterable[Variable] | None = None
    ) -> None:
        """Take one step. If it raises (in a graph: over a gradient's shape), nothing changes."""
        step, (grads, variables) = super().apply, self._paired(grads, trainable_variables)
        if not grads or not variables:
            return step(grads, trainable_variables)
        self.build(variables)
        self._miss_masks()
        cells = [self._cells(variable) for variable in variables]
        sound = [each.gradient(grad) for each, grad in zip(cells, grads)]
        # What can only be checked while a graph runs is checked before its first write.
        checks = [new for old, new in zip(grads, sound) if new is not old]
        take = functools.partial(self._take, step, sound, cells)
        with tf.control_dependencies(checks), self._trained(cells):
            if tf.distribute.has_strategy():  # which allows no branch around a step
                take(masked=True)
            else:
                tf.cond(self._masked(), lambda: take(masked=True), take)

    def finalize_variable_values(self, var_list: list[Variable]) -> None:
        """Overwrite free cells with their moving averages, if the optimizer keeps any.

        Keras pairs variables with averages by their places, and `fit` leaves out what is not
        trainable any more. So Keras gets all variables, and what was left out is put back."""
        if not self.built:  # `fit` found nothing to train
            return
        everyone: list[Cells] = self.registry.cells
        asked = [self._cells(variable).number for variable in var_list]
        left_out = [each for each in everyone if each.number not in asked]
        with self._untouched(left_out), self._trained(everyone), self._kept(everyone):
            super().finalize_variable_values([each.trained for each in everyone])

    def _take(
        self,
        step: Callable[..., Any],
        grads: list[Gradient],
        cells: list[Cells],
        masked: bool = False,
    ) -> None:
        """Take a step, in which frozen cells are spared, or put back where that cannot serve."""
        everyone: list[Cells] = self.registry.cells
        kept: list[Cells] = []
        if masked:
            for each in everyone:
                each.read_mask()
            spares = self._writes_can_be_spared() and not tf.distribute.has_strategy()
            kept = [each for each in cells if each.changes_itself] if spares else everyone
            grads = [
                without_frozen(grad, each.now)
                if self._counts_for_others(grad) or not spares
                else grad
                for grad, each in zip(grads, cells)
            ]
            self._spares = spares
        try:
            with self._kept(kept):
                if masked:  # what a frozen cell has gathered would count in norms
                    self._everywhere(self._hide_gathered)
                trained = [each.trained for each in cells]
                step([in_branch(*pair) for pair in zip(grads, trained)], trained)
        finally:
            self._spares = False
            for each in everyone:  # a mask that was read is a tensor of the graph, and holds it
                each.now = None

    def _hide_gathered(self, update: Update) -> None:
        for cells in self.registry.cells:
            cells.hide_gathered(update)

    def _counts_for_others(self, grad: Gradient) -> bool:
        """Return whether what it has for a frozen cell would reach other cells, by a norm."""
        return bool(self.clipnorm or self.global_clipnorm)

    @contextlib.contextmanager
    def _kept(self, cells: list[Cells]) -> Iterator[None]:
        """Afterwards, put frozen cells back; or everything, if something raised. That happens
        eagerly alone: a graph has run to its end by the time Python hears of an error."""
        key = self.registry.key
        everything = {key(v): v for v in (*map(raw, self.variables), *self.registry.everything)}
        noted = everything if cells or tf.executing_eagerly() else {}
        before = {name: tf.identity(variable) for name, variable in noted.items()}
        replicated = tf.distribute.has_strategy()
        try:
            yield
            if cells:
                put_back = self.registry.put_back
                self._everywhere(lambda update: put_back(update, cells, before))
        except BaseException:  # an interrupt, too
            if tf.executing_eagerly() and not replicated:
                for name, variable in everything.items():
                    variable.assign(before[name])
            raise

    @contextlib.contextmanager
    def _untouched(self, cells: list[Cells]) -> Iterator[None]:
        """Afterwards, put back whole variables."""
        before = [tf.identity(each.variable) for each in cells]
        yield

        def put_back(update: Update) -> None:
            for each, old in zip(cells, before):
                update(each.variable, _assign, (old,), group=False)

        self._everywhere(put_back)

    def _everywhere(self, write: Callable[[Update], object]) -> None:
        """Call `write(update)`, which changes variables by `update`, for all of their copies."""

        def on_all(strategy: tf.distribute.Strategy) -> None:
            write(strategy.extended.update)

        if tf.distribute.has_strategy() and not tf.distribute.in_cross_replica_context():
            tf.distribute.get_replica_context().merge_call(on_all)
        else:
            on_all(private.strategy(self))

    @contextlib.contextmanager
    def _trained(self, cells: list[Cells]) -> Iterator[None]:
        """Have ready what Keras trains of these cells, and see to it afterwards."""
        yield

    def _make_cells(self, variables: list[Variable], frozen: Masks) -> Masks:
        """Make `registry`; return those masks that can only be given once there are slots."""
        self.in_use = InUse(len(variables))
        cells = [Cells(number, variable) for number, variable in enumerate(variables)]
        self.registry = SlotRegistry(cells, functools.partial(private.key, self))
        return frozen

    def _add_masks(self, inside: list[Any]) -> None:
        """Add a mask for each variable, unless a freezable optimizer inside keeps its cells."""
        for cells in self.registry.cells:
            keeps = (one for one in inside if one.keeps(cells.variable))
            cells.holder = next(keeps, None)
            if not cells.holder:
                self._add_mask(cells)

    def _add_mask(self, cells: Cells) -> None:
        def told(frozen: tf.Tensor) -> None:
            cells.was_told = True
            self.in_use.note(cells.number, tf.reduce_any(frozen))

        beside = private.strategy(self).extended.colocate_vars_with(cells.variable)
        options = {"shape": cells.variable.shape, "name": mask_name(cells.given), "dtype": "bool"}
        with keras.name_scope(self.name, caller=self), beside:
            cells.mask_variable = private.Told("zeros", told, **options)
        cells.mask = cells.mask_variable.value
        private.track(self, cells.mask_variable)

    def keeps(self, variable: Variable) -> bool:
        """Return whether this optimizer was built for `variable`."""
        return self.registry is not None and self.registry.find(variable) is not None

    def freezes(self) -> tf.Tensor:
        """Return whether any cell may be frozen: a bool tensor."""
        return self._masked()

    def _masked(self) -> tf.Tensor:
        """Return whether a step needs masks, those inside included: a bool tensor."""
        inside = {cells.holder for cells in self.registry.cells if cells.holder}
        freeze = [self.in_use.any(), *(one.freezes() for one in inside)]
        return functools.reduce(tf.logical_or, freeze)

    def _check_scope(self, variables: list[Variable]) -> None:
        """Raise ValueError if the variables have copies and the optimizer was made without."""
        copies = tf.distribute.DistributedValues
        copied = [variable for variable in variables if isinstance(raw(variable), copies)]
        if copied and not private.replicated(self):
            raise ValueError(
                f"{path_of(copied[0])!r} has a copy on each replica, and {self.name!r} was made "
                "outside of strategy.scope(): each step would count once for every replica. "
                "Make it within `with strategy.scope():`."
            )

    def _paired(
        self, grads: Iterable[Gradient], variables: Iterable[Variable] | None
    ) -> tuple[list[Gradient], list[Variable]]:
        """Gradients and variables as two lists of one length; without any variables, they are
        those that the optimizer was built for. What is missing is for Keras to say."""
        paired, of = list(grads), list(variables or ())
        if self.built and not of:
            of = self.registry.variables
        if paired and of and len(paired) != len(of):
            numbers = f"{len(paired)} gradients and {len(of)} variables"
            raise ValueError(f"{numbers} arrived; one gradient for each variable was wanted.")
        return paired, of

    def _cells(self, variable: Variable) -> Any:
        if self.registry is None:
            raise ValueError(
                f"{self.name!r} is not built, so it has no masks yet: call "
                "optimizer.build(model.trainable_variables) first, of a model that is built."
            )
        return self.registry[variable]


def _of_means(cells: Cells) -> str:
    return (
        f"In {cells.path!r} a whole row and a whole column are frozen. Adafactor divides by the "
        "mean squares of both, which go to 0: free cells become NaN. Use another optimizer."
    )


def _assign(variable: tf.Variable, value: tf.Tensor) -> None:
    variable.assign(value)
