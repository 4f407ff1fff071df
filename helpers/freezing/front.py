"""What stands in front of an optimizer, whichever way it freezes."""

import operator
import warnings

import tensorflow as tf

from . import private
from .slots import CELL_BY_CELL


class Front:
    """What optimizers that mask and compact ones have in common."""

    keras_class = None  # the class that was made freezable
    _ledger = None  # what is known of the cells of each variable; it comes with `build`
    _masks_writes = False  # whether, at this moment, `assign*` and weight decay spare frozen cells

    def assign(self, variable, value):
        """As in Keras; while `_masks_writes`, only to free cells."""
        self._write(super().assign, variable, value, lambda old, new: new)

    def assign_add(self, variable, value):
        """As in Keras; while `_masks_writes`, only to free cells."""
        self._write(super().assign_add, variable, value, operator.add)

    def assign_sub(self, variable, value):
        """As in Keras; while `_masks_writes`, only to free cells."""
        self._write(super().assign_sub, variable, value, operator.sub)

    def _write(self, write, variable, value, update):
        cells = self._ledger.find(variable) if self._masks_writes else None
        if cells is not None and cells.is_masked:
            cells.write(variable, update, value)
        else:
            write(variable, value)

    def _apply_weight_decay(self, variables):
        if not self._masks_writes or self.weight_decay is None:
            return super()._apply_weight_decay(variables)
        for variable in variables:
            if not private.decays(self, variable):
                continue
            decay = variable * tf.cast(self.weight_decay, variable.dtype)  # rounded as in Keras
            self.assign_sub(variable, decay * tf.cast(self.learning_rate, variable.dtype))

    def _writes_can_be_masked(self):
        """Whether this optimizer changes a cell by `assign*` and weight decay alone, and by what
        this cell holds alone."""
        return (
            self.keras_class in CELL_BY_CELL
            and "keras_class" in vars(type(self))  # a subclass may do anything
            and not self.use_ema  # Keras lets averages assign to themselves
            and not self.gradient_accumulation_steps  # and gathered gradients
        )

    def set_weights(self, weights):
        """As in Keras, but for its check of shapes: some variables here change their lengths."""
        if len(weights) != len(self.variables):
            wanted = f"one for each of the {len(self.variables)} optimizer.variables was wanted"
            raise ValueError(f"{len(weights)} arrays arrived; {wanted}. Call build first.")
        for variable, value in zip(self.variables, weights):
            variable.assign(value)

    def load_own_variables(self, store):
        """As in Keras, which warns and loads nothing if the number of variables has changed; if
        the file has frozen cells, a second warning says that they are not frozen now."""
        super().load_own_variables(store)
        names = store.keys()  # Keras' stores know how to be asked for them, and no more
        if len(names) != len(self.variables) and any(_freezes(store[name]) for name in names):
            told = "The frozen cells in this file are not frozen now: call freeze_cells again."
            warnings.warn(told, stacklevel=2)

    def _paired(self, grads, variables):
        """Gradients and variables as two lists of one length; without any variables, they are
        those that the optimizer was built for. What is missing is for Keras to say."""
        grads, variables = list(grads), list(variables or ())
        if self.built and not variables:
            variables = self._ledger.variables
        if grads and variables and len(grads) != len(variables):
            numbers = f"{len(grads)} gradients and {len(variables)} variables"
            raise ValueError(f"{numbers} arrived; one gradient for each variable was wanted.")
        return grads, variables

    def _cells(self, variable):
        if self._ledger is None:
            raise ValueError("Masks come with the slots: call optimizer.build(variables) first.")
        return self._ledger[variable]


def _freezes(values):
    """Whether a NumPy array from a file is a mask that freezes a cell, or has places of free ones:
    whole numbers of 32 bits, which no optimizer of Keras keeps."""
    return values.dtype == bool and values.any() or values.dtype == "int32" and values.size > 0
