"""The free values of a variable as a vector, and an optimizer that trains the vector in its stead.

What `free_values` does in a layer of one's own is fixed when the layer is built. In the leak
laboratory and in the playground the mask changes, so values and slots (momentum and the like) go
to and fro between variables of the whole shape and vectors.
"""

import numpy as np

from helpers.device import keras

NAME = "free_values"  # of the vector, and in the names of its slots


class Packed:
    """A vector that trains in a variable's place, and an optimizer of the same settings for it.

    variable   the Keras variable; the optimizer that trains here never gets it
    variables  those that train, it among them
    whole      the Keras optimizer that was built on these, which gives and takes the slots
    room       the length of the vector; free values stand in front, and zeros behind them

    `free` is the vector; `variables` and `optimizer` are those to train with, and `frozen` is the
    mask that was packed last. An optimizer that takes a mean over a variable, as Adafactor does,
    counts the zeros as well.
    """

    def __init__(self, variable, variables, whole, room):
        self._variable, self._nothing = variable, np.zeros(room, variable.dtype)
        self.free = keras.Variable(self._nothing, dtype=variable.dtype, name=NAME)
        self.variables = [self.free if each is variable else each for each in variables]
        kind = getattr(whole, "keras_class", type(whole))  # this one need not be able to freeze
        self.optimizer = kind.from_config(whole.get_config())
        self.optimizer.build(self.variables)
        self._slots = list(self._paired(whole))

    def _paired(self, whole):
        """For each variable of the optimizer here: its counterpart there or None, itself, and what
        it starts with."""
        there, of_variable = {}, self._variable.path.replace("/", "_")
        for each in whole.variables:
            there.setdefault(_uncounted(each.name), []).append(each)
        for slot in self.optimizer.variables:
            found = there.get(_uncounted(slot.name.replace(NAME, of_variable)))
            yield found.pop(0) if found else None, slot, slot.numpy()

    def pack(self, frozen):
        """Take over the values and slots of free cells, and what belongs to no cell at all.

        `frozen` is a bool array of the variable's shape, True = frozen. What has no counterpart
        begins anew: Muon keeps a velocity of vectors, and none of matrices.
        """
        self.frozen = np.array(frozen)
        self.free.assign(self._in_front(self._variable, self._nothing))
        for whole, slot, start in self._slots:
            if self._is_of_cells(whole, slot):
                slot.assign(self._in_front(whole, start))
            else:
                slot.assign(start if whole is None or NAME in slot.name else whole)

    def unpack(self):
        """Give all of it back. A frozen cell has empty slots then (an average is its weight): after
        a thaw, optimizers that keep the weight in a slot (Ftrl, ScheduleFreeAdamW) lose it."""
        self._variable.assign(self._at_places(self.free, self._variable.numpy()))
        for whole, slot, start in self._slots:
            if self._is_of_cells(whole, slot):
                averages = slot.name.endswith("_average")
                empty = self._variable.numpy() if averages else np.full(whole.shape, start[0])
                whole.assign(self._at_places(slot, empty))
            elif whole is not None and NAME not in slot.name:
                whole.assign(slot)

    def named(self, slots):
        """Return the vectors that belong to `slots`, a dict from names to tf.Variables of the whole
        optimizer: a dict from the same names to tf.Variables."""
        found = {id(whole.value): slot.value for whole, slot, _ in self._slots if whole is not None}
        return {name: found[id(slot)] for name, slot in slots.items() if id(slot) in found}

    def _is_of_cells(self, whole, slot):
        return whole is not None and NAME in slot.name and whole.shape == self._variable.shape

    def _in_front(self, whole, behind):
        cells = whole.numpy()[~self.frozen]
        return np.concatenate([cells, behind[cells.size :]])

    def _at_places(self, vector, cells):
        cells = np.array(cells)
        cells[~self.frozen] = vector.numpy()[: np.count_nonzero(~self.frozen)]
        return cells


def _uncounted(name):
    """Return a variable's name, but for one that Keras counts up because it has none, as in
    Nadam."""
    stem, _, number = name.rpartition("_")
    return stem if stem == "variable" and number.isdecimal() else name
