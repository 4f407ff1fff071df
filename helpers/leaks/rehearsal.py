"""A run of the leak laboratory on a playground's loop, to find the step that does the harm."""

from dataclasses import dataclass

import numpy as np

from helpers.bits import changed_bits
from helpers.leaks.run import STEPS, with_held

WATCH = "Press Step, and watch the curves of the two pinned cells."
STOPS = (
    " Then the loss is NaN as well, and the playground goes no further; in the verdict the run "
    "goes on, and NaN reaches every cell."
)
NOTHING = "Nothing leaks here: step on and see."
AT_THE_END = (
    "Nothing leaks in these steps. After the last one, as at the end of fit, "
    "optimizer.finalize_variable_values writes the averages over the weights, and that changes {}."
)
CLIPPED = (
    "The next step takes {} elsewhere than it would if the gradient of the frozen cells were 0: "
    "all are shortened by one factor, in which theirs counts. Press Step, and watch the frozen "
    "cell's gradient."
)
NOT_CLIPPED = (
    "The next step takes every free cell where it would go if the gradient of the frozen cells "
    "were 0. Step on and see."
)
WARM_TOO = " (It also changes {}, as in the situation that is called warm.)"
THAWED = "{} cells were frozen for {} steps, and are free again. The next step takes "
LANDS_ELSEWHERE = "{} elsewhere than if they, and what the optimizer keeps for them, had been held."
LANDS_WELL = "them where it would if they had been held: step on and see."


@dataclass(frozen=True)
class Forecast:
    """What a rehearsal has found.

    steps    how many steps with frozen cells come before the one that matters
    harmed   bool (rows, columns): the cells that it harms
    outlook  a sentence on it
    thawed   whether the frozen cells are thawed before it
    """

    steps: int
    harmed: np.ndarray
    outlook: str
    thawed: bool = False


class Rehearsal:
    """The run of a verdict on a Loop, on the loop's thread; it leaves the loop as it was at first.

    frozen     bool, of the variable's shape, the mask; True = frozen
    situation  the verdict's Situation
    """

    def __init__(self, loop, frozen, situation):
        self._loop, self._frozen, self._situation = loop, frozen, situation
        self._free = np.zeros_like(frozen)

    def run(self):
        """Return the Forecast for the situation."""
        # Cells will be pinned: so one graph does for the rehearsal and for what comes after.
        self._loop.recorder.choose([0])
        find = {"frozen": self._moved, "free": self._clipped, "thawed": self._landed}
        try:
            return find[self._situation.watched]()
        finally:
            self._start()

    def _start(self):
        """Take the loop back to its start, with nothing frozen."""
        self._loop.freeze(self._free)
        self._loop.reset()

    def _freeze(self):
        """Go from the start to the moment after the freeze; return the values."""
        self._start()
        self._loop.run(self._situation.warm)
        self._loop.freeze(self._frozen)
        return self._loop.values

    def _moved(self):
        """Frozen cells that change, as `leaks.judge` counts them."""
        held = self._freeze()
        for step in range(STEPS):
            taken, values = len(self._loop.run(1)), self._loop.values
            harmed = self._frozen & changed_bits(held, values)
            harmed |= self._situation.nan & ~np.isfinite(values)
            if harmed.any():
                return Forecast(step, harmed, self._of_moved(harmed, values))
            if not taken:
                break
        return self._at_the_end(held)

    def _of_moved(self, harmed, values):
        alone = not (harmed & ~self._frozen).any()
        among = (self._frozen, "frozen cells") if alone else (~self._free, "cells")
        message = f"The next step changes {_of(harmed, *among)}"
        lost = (~np.isfinite(values)).sum()
        if not lost:
            return f"{message}. {WATCH}"
        stops = "" if len(self._loop.run(1)) else STOPS
        return f"{message}, {lost} of them to NaN.{stops} {WATCH}"

    def _at_the_end(self, held):
        """Return what the last overwrite does after steps in which no frozen cell has changed."""
        self._loop.finalize()
        harmed = self._frozen & changed_bits(held, self._loop.values)
        message = AT_THE_END.format(_of(harmed, self._frozen)) if harmed.any() else NOTHING
        return Forecast(0, harmed, message)

    def _clipped(self):
        """Free cells that go elsewhere than if the frozen cells' gradient were 0."""
        technique, held = self._loop.technique, self._freeze()
        self._loop.run(1)
        found = self._loop.values
        self._loop.use_technique("where_gradient")
        self._freeze()
        self._loop.run(1)
        harmed = ~self._frozen & changed_bits(self._loop.values, found)
        self._loop.use_technique(technique)
        message = CLIPPED.format(_of(harmed, ~self._frozen, "free cells"))
        message, moved = message if harmed.any() else NOT_CLIPPED, changed_bits(held, found)
        if (moved & self._frozen).any():
            message += WARM_TOO.format(_of(moved & self._frozen, self._frozen))
        return Forecast(0, harmed, message)

    def _landed(self):
        """Thawed cells that go elsewhere than if they and their slots had been held."""
        self._freeze()
        held = self._state()
        self._loop.run(STEPS)
        self._loop.freeze(self._free)
        now = self._state()
        self._loop.run(1)
        landed = self._loop.values
        self._loop.unpack()
        for variable, before, after in zip(self._variables, held, now, strict=True):
            variable.assign(with_held(before, after, self._frozen))
        self._loop.run(1)
        harmed = self._frozen & changed_bits(self._loop.values, landed)
        elsewhere = LANDS_ELSEWHERE.format(_of(harmed, self._frozen, "thawed cells"))
        message = f"{elsewhere} {WATCH}" if harmed.any() else LANDS_WELL
        message = THAWED.format(self._frozen.sum(), STEPS) + message
        return Forecast(STEPS, harmed, message, thawed=True)

    @property
    def _variables(self):
        return [self._loop.task.variable, *self._loop.optimizer.variables]

    def _state(self):
        self._loop.unpack()
        return [variable.numpy() for variable in self._variables]


def _of(harmed, watched, kind="frozen cells"):
    """Return how many of how many: 3 of 24 frozen cells."""
    return f"{harmed.sum()} of {watched.sum()} {kind}"
