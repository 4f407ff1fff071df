"""Writes that spare frozen cells: a step leaves a cell alone while it changes its neighbours."""

import operator
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from . import private
from .kinds import InFront, Variable
from .slots import CELL_BY_CELL, raw


class SparingWrites(InFront):
    """What stands between an optimizer and the variables to which it writes.

    While `_spares` is set, whatever the optimizer assigns reaches free cells alone. That gives the
    same bits as putting frozen cells back after the step, and moves less memory.
    """

    registry: Any = None  # the SlotRegistry; it comes with `build`
    _spares = False

    def assign(self, variable: Variable, value: tf.Tensor) -> None:
        """As in Keras; while `_spares`, only to free cells."""
        self._write(super().assign, variable, value, lambda old, new: new)

    def assign_add(self, variable: Variable, value: tf.Tensor) -> None:
        """As in Keras; while `_spares`, only to free cells."""
        self._write(super().assign_add, variable, value, operator.add)

    def assign_sub(self, variable: Variable, value: tf.Tensor) -> None:
        """As in Keras; while `_spares`, only to free cells."""
        self._write(super().assign_sub, variable, value, operator.sub)

    def _write(
        self,
        write: Callable[..., None],
        variable: Variable,
        value: tf.Tensor,
        update: Callable[..., tf.Tensor],
    ) -> None:
        cells = self.registry.find(variable) if self._spares else None
        if cells is None or not cells.spares(raw(variable)):
            write(variable, value)
        elif isinstance(value, tf.IndexedSlices):
            cells.spare_rows(raw(variable), value.indices, lambda: write(variable, value))
        else:
            cells.spare(raw(variable), update, value)

    def _apply_weight_decay(self, variables: list[Variable]) -> None:
        if not self._spares or self.weight_decay is None:
            return super()._apply_weight_decay(variables)
        for variable in variables:
            variable = raw(variable)  # by whose name Keras excludes variables
            if private.decays(self, variable):
                decay = variable * tf.cast(self.weight_decay, variable.dtype)  # rounded as in Keras
                self.assign_sub(variable, decay * tf.cast(self.learning_rate, variable.dtype))

    def _update_model_variables_moving_average(
        self, trainable_variables: list[Variable] | None
    ) -> None:
        super()._update_model_variables_moving_average(trainable_variables)
        for cells in self.registry.cells if self._spares else ():
            cells.settle(cells.now)

    def _writes_can_be_spared(self) -> bool:
        """Return whether this optimizer changes a cell by `assign*`, weight decay and averages
        alone, and by what this cell holds alone."""
        of_keras = "keras_class" in vars(type(self))  # a subclass may do anything
        gathers = self.gradient_accumulation_steps  # which Keras assigns by other ways
        return self.keras_class in CELL_BY_CELL and of_keras and not gathers
