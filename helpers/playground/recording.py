"""What happens in chosen cells, step by step: written down inside the compiled loop, kept here.

`Recorder` is in the graph: what it writes of a step is a small table, a row for each quantity and a
column for each chosen cell. `Trace` keeps one cell's columns, step after step.
"""

import numpy as np

from helpers.device import tf

MOST = 4  # cells that can be recorded at a time
LONGEST = 20_000  # steps that are kept of each cell
FIRST = ("weight", "seen", "gradient", "frozen")


class Recorder:
    """Writes down chosen cells of a variable; while none are chosen, nothing is done for it.

    `cells` is the tf.Variable with their flat indexes. `quantities` names the rows: the weight,
    what the model sees in its place, the gradient as the optimizer gets it, whether the cell was
    frozen (1 or 0), and the slots of every optimizer by their names in Keras; NaN in those that the
    optimizer in use does not have. All are as they stand when the step is over.
    """

    def __init__(self, variable, optimizers):
        self._variable = variable
        self.cells = tf.Variable(np.zeros(MOST, np.int64), trainable=False)
        self.recording = False
        names = [name for o in optimizers for name in o.slots_of(variable)]
        self._slots = list(dict.fromkeys(names))
        self.quantities = [*FIRST, *self._slots]

    def choose(self, cells):
        """Record these cells from the next step on: a list of flat indexes, at most `MOST`; what is
        written of the columns beyond them means nothing."""
        self.cells.assign(np.array([*cells, *[0] * (MOST - len(cells))], np.int64))
        self.recording = bool(len(cells))

    def log(self, steps):
        """Return the array into which a graph writes the rows of up to `steps` steps."""
        shape = [len(self.quantities), MOST]
        return tf.TensorArray(self._variable.dtype, steps, element_shape=shape)

    def row(self, seen, gradient, frozen, slots):
        """Return what is to be written of a step: (quantities, cells), in the variable's dtype.

        seen, gradient, frozen have the variable's shape; `gradient` may be None. `slots` is a dict
        from names to what the optimizer that took the step keeps, of that shape.
        """
        slots = [slots.get(name) for name in self._slots]
        rows = [self._variable, seen, gradient, frozen, *slots]
        return tf.stack([self._at(each) for each in rows])

    def _at(self, values):
        dtype = self._variable.dtype
        if values is None:
            return tf.fill([MOST], tf.constant(np.nan, dtype))
        flat = tf.reshape(tf.convert_to_tensor(values), [-1])
        return tf.cast(tf.gather(flat, self.cells), dtype)


class Trace:
    """One cell's record: the last `LONGEST` steps of it, in the order in which they were taken.

    `marks` are (step, text) pairs: what began with that step.
    """

    def __init__(self, quantities, dtype):
        self._names = list(quantities)
        self._steps = np.zeros(2 * LONGEST, np.int64)
        self._rows = np.zeros((2 * LONGEST, len(self._names)), dtype)
        self._count, self.marks, self._under = 0, [], None

    def add(self, first, rows, under):
        """Add steps: the number of the first one, their rows (steps, quantities), and a text that
        says under which choices they were taken."""
        for start in range(0, len(rows), LONGEST):
            self._add(first + start, rows[start : start + LONGEST])
        if len(rows) and under != self._under:
            if self._under is not None:
                self.marks.append((first, under))
            self._under = under

    def _add(self, first, rows):
        if self._count + len(rows) > len(self._rows):
            for kept in (self._steps, self._rows):
                kept[:LONGEST] = kept[self._count - LONGEST : self._count]
            self._count = LONGEST
        new = slice(self._count, self._count + len(rows))
        self._steps[new] = np.arange(first, first + len(rows))
        self._rows[new] = rows
        self._count += len(rows)

    @property
    def steps(self):
        """The numbers of the steps, int64 (steps,), counted from 1."""
        return self._steps[max(0, self._count - LONGEST) : self._count]

    @property
    def rows(self):
        """What was recorded, (steps, quantities)."""
        return self._rows[max(0, self._count - LONGEST) : self._count]

    @property
    def changes(self):
        """By how much each step changed the weight, (steps,); NaN for the first one."""
        weight = self.rows[:, FIRST.index("weight")]
        return np.diff(weight, prepend=np.nan)

    def arrays(self):
        """Return a dict of 1-D arrays, a number a step: "step" (int64), "frozen" (bool), and the
        other quantities in the variable's dtype. Slots that no optimizer in use had are left out,
        and so is "seen" where the model saw the weight itself in every step."""
        fields = {"step": self.steps.copy()}
        for name, values in zip(self._names, self.rows.T.copy()):
            if name not in FIRST and np.isnan(values).all():
                continue
            fields[name] = values.astype(bool) if name == "frozen" else values
        if np.array_equal(fields["seen"], fields["weight"], equal_nan=True):
            del fields["seen"]
        return fields
