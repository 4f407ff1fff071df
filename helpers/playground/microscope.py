"""The microscope: the cells that are pinned, and what has been recorded of each."""

import numpy as np

from helpers.playground.recording import MOST, Trace

POINTS = 256  # of a curve, as it is sent to a browser, at the most


class Microscope:
    """Up to four pinned cells of a run. A cell is a tuple (page, row, column).

    `place` returns the flat index of a cell in the variable. Used on the training thread alone, or
    by whoever holds the step's lock.
    """

    def __init__(self, loop, place):
        self._loop, self._place, self._traces = loop, place, {}

    @property
    def cells(self):
        """The pinned cells, in the order in which they were pinned."""
        return list(self._traces)

    def pin(self, cell):
        """Record a cell from the next step on; a cell that is pinned already stays so. Raises
        ValueError when four are pinned."""
        if cell in self._traces:
            return
        if len(self._traces) == MOST:
            raise ValueError(
                f"{MOST} cells are pinned already, as many as the microscope holds: unpin one of "
                f"{', '.join(f'row {row}, column {column}' for _, row, column in self.cells)}."
            )
        self._traces[cell] = self._empty()
        self._record()

    def unpin(self, cell):
        """Forget a cell and its record; of a cell that is not pinned there is none."""
        self._traces.pop(cell, None)
        self._record()

    def trace(self, cell):
        """Return the Trace of a pinned cell; raises ValueError for another one."""
        if cell not in self._traces:
            _, row, column = cell
            raise ValueError(
                f"Row {row}, column {column} is not pinned, so nothing of it was recorded. "
                f"Call lab.pin({row}, {column}) first, and then train."
            )
        return self._traces[cell]

    def note(self):
        """Keep what the last run of the loop has recorded, if anything."""
        rows = self._loop.recorded
        if rows is None:
            return
        first, choices = self._loop.step - len(rows) + 1, self._loop.choices
        for column, trace in enumerate(self._traces.values()):
            trace.add(first, rows[:, :, column], choices)

    def restart(self):
        """Forget what was recorded, as the steps are counted anew; the same cells stay pinned."""
        self._traces = {cell: self._empty() for cell in self._traces}

    def curves(self, name):
        """Return (header, bytes) for a browser: the header names the cells, by what `name` says of
        them, the quantities and the marks; the bytes are float32 (cells, 1 + quantities, points),
        the first row the steps' numbers. The last quantity is by how much each step changed the
        weight."""
        header, planes = [], []
        for cell, trace in self._traces.items():
            page, row, column = cell
            chosen = _thinned(len(trace.steps))
            rows = trace.rows[chosen].T, trace.changes[chosen]
            planes.append(np.vstack([trace.steps[chosen], *rows]))
            marks = [[int(step), text] for step, text in trace.marks]
            header.append({"page": page, "row": row, "column": column, "marks": marks})
            header[-1]["name"] = name(cell)
            header[-1]["points"] = len(trace.steps[chosen])
        fields = {"cells": header, "quantities": [*self._loop.recorder.quantities, "step taken"]}
        return fields, b"".join(plane.astype(np.float32).tobytes() for plane in planes)

    def _record(self):
        self._loop.recorder.choose([self._place(cell) for cell in self._traces])

    def _empty(self):
        return Trace(self._loop.recorder.quantities, self._loop.task.variable.dtype)


def _thinned(count):
    """Return which of `count` steps are shown: every n-th, n a power of two, so that a curve that
    grows keeps its points; and the last one."""
    every = 1
    while count > every * (POINTS - 1):
        every *= 2
    shown = np.arange(0, count, every)
    return shown if count == 0 or shown[-1] == count - 1 else np.append(shown, count - 1)
