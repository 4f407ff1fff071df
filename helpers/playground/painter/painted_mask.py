"""A mask under editing: strokes go in, and can be undone and redone one by one."""

import numpy as np

from helpers.playground import locks

LONGEST_HISTORY = 200


class PaintedMask:
    """The mask that a person paints on. True = frozen. Safe to use from several threads.

    `frozen` is read as a copy; `version` counts its changes. Each undo takes back one stroke: all
    edits in a row that carry the same `stroke` name.
    """

    def __init__(self, shape):
        self.shape = tuple(shape)
        self._frozen = np.zeros(self.shape, bool)
        self._done, self._undone, self.version = [], [], 0
        self._lock = locks.make("mask")

    @property
    def frozen(self):
        """A copy of the mask, bool (rows, columns)."""
        with self._lock:
            return self._frozen.copy()

    def paint(self, cells, frozen, stroke=None):
        """Freeze (or thaw) the cells at the flat indexes `cells`, an int array."""
        with self._lock:
            after = self._frozen.copy()
            after.flat[cells] = frozen
            self.replace(after, stroke)

    def replace(self, frozen, stroke=None):
        """Make `frozen`, bool (rows, columns), the mask, as an edit that undo takes back."""
        with self._lock:
            flipped = np.flatnonzero(self._frozen != frozen)
            if not flipped.size:
                return
            self._flip(flipped)
            self._undone.clear()
            if stroke is not None and self._done and self._done[-1][0] == stroke:
                # Flipping a cell twice within a stroke leaves it as it was: a symmetric difference.
                flipped = np.setxor1d(self._done.pop()[1], flipped, assume_unique=True)
            if flipped.size:
                self._done.append((stroke, flipped))
            del self._done[:-LONGEST_HISTORY]

    def undo(self):
        """Take back the last stroke; with nothing to take back, do nothing."""
        self._move(self._done, self._undone)

    def redo(self):
        """Paint the last undone stroke again; with none, do nothing."""
        self._move(self._undone, self._done)

    def forget(self):
        """Begin a new history: what has been painted so far cannot be undone any more."""
        with self._lock:
            self._done.clear()
            self._undone.clear()

    def _move(self, source, target):
        with self._lock:
            if source:
                _, flipped = source.pop()
                self._flip(flipped)
                # Without its name, a redone stroke cannot grow by what is painted next.
                target.append((None, flipped))

    def _flip(self, cells):
        self._frozen.flat[cells] ^= True
        self.version += 1
