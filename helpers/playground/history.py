"""What was chosen and painted since the start, and from which step on it held."""

import numpy as np

from helpers import masks


class History:
    """The changes of a run, in order; those of one kind at the same step are one change.

    `changes` maps (step, kind) to a value, which holds from the step after `step` steps on:

    "technique"  a name; "optimizer" too, whose state is then empty, even if it was in use already
    "knobs"      the numbers of the optimizer in use that are not its usual ones, by their names
    "thawed"     a mask to put in force just before the step's "frozen", where these two differ
                 from "frozen" alone: it leaves out cells that were thawed and frozen once more
    "frozen"     the mask; masks have the whole variable's `shape`, and are kept as `masks.as_text`
    """

    def __init__(self, shape):
        self._frozen = self._before = self._held = np.zeros(shape, bool)
        self.changes = {}

    @property
    def now(self):
        """What is in force: the last value of every kind but "thawed"."""
        last = {kind: value for (_, kind), value in self.changes.items()}
        last.pop("thawed", None)
        return last

    def choose(self, step, kind, name):
        """Note that a technique, an optimizer or what of it is turned, as `kind` says, is in use
        after `step` steps."""
        self.changes[step, kind] = name

    def freeze(self, step, frozen):
        """Note that a bool mask is in force after `step` steps; True = frozen."""
        if (step, "frozen") not in self.changes:
            self._before = self._held = self._frozen
        self._frozen = np.array(frozen)
        self._held = self._held & frozen  # frozen before this step, and never thawed during it
        self.changes.pop((step, "thawed"), None)
        self.changes.pop((step, "frozen"), None)
        if (self._before & frozen & ~self._held).any():
            self.changes[step, "thawed"] = masks.as_text(self._held)
        self.changes[step, "frozen"] = masks.as_text(frozen)

    def restart(self):
        """Begin anew, at step 0, with what is in force."""
        self.changes = {(0, kind): value for kind, value in self.now.items()}
        self._before = self._held = np.zeros_like(self._frozen)
