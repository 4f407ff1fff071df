"""Slots: what a Keras optimizer keeps for each cell of a variable, such as momentum or an average.

A slot has the shape of its variable. `Ledger` knows which slots belong to which variable; `Cells`
is one entry. Sources: keras.io/api/optimizers; Shazeer and Stern 2018 (Adafactor); McMahan et al.
2013 (Ftrl); Defazio et al. 2024 (schedule-free).
"""

import keras
import numpy as np
import tensorflow as tf

K = keras.optimizers
Variable = keras.Variable | tf.Variable


def classes(**reasons):
    """Return a dict from those optimizer classes that this Keras has to a text about each."""
    return {getattr(K, name): text for name, text in reasons.items() if hasattr(K, name)}


# Each finds a cell's step from that cell alone, and writes by self.assign* and weight decay only.
CELL_BY_CELL = {K.SGD, K.RMSprop, K.Adam, K.AdamW, K.Adadelta, K.Adagrad, K.Adamax, K.Nadam}
CELL_BY_CELL |= {K.Ftrl, K.Lion}
NO_RESET = classes(
    Adafactor="keeps statistics of rows and columns, shared with cells that were never frozen",
    Ftrl="computes the weight from its slots, so that empty ones would throw the weight away",
    ScheduleFreeAdamW="keeps the weight's own path in a slot, which cannot be empty",
)
# From so many cells on, XLA's one pass over memory in place of two pays for calling it.
LARGE = 2**18


def raw(variable):
    """Return the tf.Variable inside a keras.Variable; anything else is returned as it is."""
    return variable.value if isinstance(variable, keras.Variable) else variable


def as_mask(frozen, shape):
    """Return a mask for a variable of this shape as a tensor, checked; of one in a graph all that
    can be seen is its type and what is known of its shape. TypeError: not bool. ValueError: another
    shape."""
    frozen = tf.convert_to_tensor(frozen if tf.is_tensor(frozen) else np.asarray(frozen))
    if frozen.dtype != tf.bool:
        raise TypeError(
            f"A mask of dtype {frozen.dtype.name} arrived; a bool mask was wanted, True = "
            "frozen. If its ones mean frozen, pass mask > 0.5; if trainable, mask < 0.5."
        )
    if not frozen.shape.is_compatible_with(shape):
        raise ValueError(
            f"A mask of shape {tuple(frozen.shape)} arrived; the variable has shape "
            f"{tuple(shape)}. Build it with np.zeros(shape, bool)."
        )
    return tf.ensure_shape(frozen, shape)


def start_of(maker, name, initializer):
    """What a slot starts with: an initializer, or "weight" for a copy of the variable, as which
    Keras fills an average in its first step."""
    return "weight" if maker.use_ema and name == "average" else initializer


def write_free(variable, frozen, update, value):
    """Assign `update(variable, value)` to the cells of a tf.Variable where `frozen` is False."""

    def masked():
        new = update(variable, tf.cast(value, variable.dtype))
        variable.assign(tf.where(frozen, variable, new))

    in_graph = not tf.executing_eagerly() and "CPU" in variable.device
    if in_graph and variable.shape.num_elements() >= LARGE:
        masked = tf.function(masked, autograph=False, jit_compile=True)
    masked()


class Cells:
    """A variable and its slots, and the mask over them all: bool, True = frozen.

    `number` is the variable's place among those that the optimizer was built for.
    """

    is_masked = True

    def __init__(self, number, variable):
        self.number, self.given, self.variable = number, variable, raw(variable)
        self.slots, self.mask = [], None
        self.names, self._makers, self._starts = [], [], []

    def add_slot(self, slot, maker, name, start):
        """Enter a slot, the optimizer that made it, Keras' name for it, and what it starts with: an
        initializer, or "weight" for one that starts as a copy of the variable."""
        self.slots.append(raw(slot))
        self.names.append(name)
        self._makers.append(maker)
        self._starts.append(start)

    def write(self, variable, update, value):
        """Assign `update(variable, value)` to the free cells of the variable or a slot of it."""
        write_free(raw(variable), self.mask, update, value)

    def reset_slots(self, where):
        """Make the slots those of a fresh optimizer where `where` (bool, of the variable's shape)
        is True. Raises ValueError for an optimizer to which that would do harm."""
        for unsound, reason in NO_RESET.items():
            if any(isinstance(maker, unsound) for maker in self._makers):
                raise ValueError(f'{unsound.__name__} {reason}: thaw with on_thaw="keep".')
        for slot, start in zip(self.slots, self._starts):
            fresh = self.variable
            if start != "weight":
                fresh = keras.initializers.get(start)(slot.shape, dtype=slot.dtype)
            slot.assign(tf.where(where, fresh, slot))


class Ledger:
    """The Cells of each variable, in `cells`; `key` is a function that tells variables apart, and
    takes the copies of a mirrored variable for one."""

    def __init__(self, cells, key):
        self._key, self.cells = key, list(cells)
        self._of = {key(each.variable): each for each in self.cells}

    @property
    def variables(self):
        """The variables that the optimizer was built for, as they were given: Keras looks up the
        constraint of its own ones."""
        return [each.given for each in self.cells]

    def enter(self, slot, reference, maker, name, initializer):
        """Enter a slot that the optimizer `maker` made for the variable `reference`, by the
        arguments of its `add_variable_from_reference`; of other variables, nothing."""
        cells = self.find(reference)
        if cells is not None:
            cells.add_slot(slot, maker, name, start_of(maker, name, initializer))
            self.note(slot, cells)

    def note(self, variable, cells):
        """Note that a variable beside the trained one belongs to its Cells, too."""
        self._of[self._key(variable)] = cells

    def find(self, variable):
        """Return the Cells to which a variable or a slot belongs, or None."""
        return self._of.get(self._key(variable))

    def __getitem__(self, variable):
        try:
            return self._of[self._key(variable)]
        except (KeyError, AttributeError):
            name = getattr(variable, "name", type(variable).__name__)
            held = ", ".join(cells.variable.name for cells in self.cells)
            message = f"{name!r} arrived; this optimizer was built for {held} alone."
            raise ValueError(message) from None

    def put_back(self, strategy, before):
        """Give frozen cells and their slots the values in `before`, a dict from key to tensor.

        Under tf.distribute each replica writes its own: the mean of equal numbers would round.
        """
        for cells in self.cells:
            for variable in (cells.variable, *cells.slots):
                arguments = cells.mask, before[self._key(variable)]
                strategy.extended.update(variable, _keep, arguments, group=False)


def _keep(variable, mask, old):
    variable.assign(tf.where(mask, old, variable))
