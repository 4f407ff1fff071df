"""Small goals that a page gives: each a sentence, and a condition on how a run stands.

A condition is a name and its parameters, so that a page without a kernel can judge it, too: the
site has the same names in `trainer/goals.mjs`, and a test compares what the two say.
"""

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from helpers.playground.painter import checks


@dataclass(frozen=True)
class State:
    """How things stand on the grid between two steps; arrays are (rows, columns)."""

    frozen: np.ndarray  # bool, True = frozen
    leaked: np.ndarray  # bool, True where a frozen cell has changed since it was frozen
    since: np.ndarray  # int, how many steps had been taken when each frozen cell was frozen
    step: int  # how many steps have been taken
    accuracy: float | None  # the share of held-out data that is right, 0 to 1; None if not measured
    examined: int  # how many steps had been taken when it was measured


@dataclass(frozen=True)
class Goal:
    """A sentence that asks for something, and the condition under which it is reached."""

    text: str
    condition: str  # a name in CONDITIONS
    parameters: dict[str, Any] = field(default_factory=dict)

    def reached(self, state: State) -> bool:
        """Return whether the condition is true of this state."""
        return bool(CONDITIONS[self.condition](state, **self.parameters))


def leak(cells: int = 1) -> Goal:
    """Ask for a number of frozen cells that have changed since they were frozen."""
    cells = _count("cells", cells)
    many = f"{cells} frozen cells" if cells > 1 else "a frozen cell"
    return Goal(f"Make {many} leak.", "leak", {"cells": cells})


def hold(row: int | None = None, steps: int = 100) -> Goal:
    """Ask for a frozen row, or this one, of which no cell has changed in so many steps."""
    row, steps = None if row is None else _count("row", row, 0), _count("steps", steps)
    which = "a whole row" if row is None else f"all of row {row}"
    text = f"Freeze {which}, train {steps} steps, and let no cell of it leak."
    return Goal(text, "hold", {"row": row, "steps": steps})


def stay_above(accuracy: float = 0.9, frozen: float = 0.5, steps: int = 100) -> Goal:
    """Ask for more than this share of the held-out data right, after so many steps in which at
    least the share `frozen` of the grid's cells was frozen."""
    accuracy, frozen = _share("accuracy", accuracy), _share("frozen", frozen)
    wanted = {"accuracy": accuracy, "frozen": frozen, "steps": _count("steps", steps)}
    cells = "half" if frozen == 0.5 else f"{100 * frozen:g} %"
    text = f"Freeze {cells} of the cells, train {steps} steps, and have more than "
    return Goal(f"{text}{100 * accuracy:g} % right on held-out data.", "stay_above", wanted)


def _leak(state, cells):
    return state.leaked.sum() >= cells


def _hold(state, row, steps):
    held = state.frozen & ~state.leaked & (state.step - state.since >= steps)
    rows = held.all(axis=1)
    return rows.any() if row is None else rows[row]


def _stay_above(state, accuracy, frozen, steps):
    """By the steps that had been taken when the accuracy was measured, which is a little ago."""
    if state.accuracy is None:
        return False
    trained = state.frozen & (state.examined - state.since >= steps)
    wanted = frozen * trained.size - 0.5  # of whole cells the nearest, as masks have them
    return trained.sum() >= wanted and state.accuracy > accuracy


CONDITIONS: dict[str, Callable] = {"leak": _leak, "hold": _hold, "stay_above": _stay_above}


class Reached:
    """Which of some goals have been reached; a goal stays reached.

    goals     Goals, in the order in which they are shown
    rows      of the grid
    accuracy  whether it is measured

    ValueError for what is no Goal, or none that can be reached on such a grid.
    """

    def __init__(self, goals, rows, accuracy):
        self.goals = [_fitting(goal, rows, accuracy) for goal in goals]
        self.ticks = [False] * len(self.goals)

    @property
    def open(self):
        """Whether there is one that has not been reached."""
        return not all(self.ticks)

    def judge(self, state):
        """Tick off what is reached in this state."""
        both = zip(self.ticks, self.goals)
        self.ticks = [ticked or goal.reached(state) for ticked, goal in both]


def _fitting(goal, rows, accuracy):
    if not isinstance(goal, Goal):
        raise checks.refused("The goal", goal, "one of helpers.playground.goals, such as leak(),")
    row = goal.parameters.get("row")
    if row is not None and row >= rows:
        raise checks.refused(f"The goal {goal.text!r} with row", row, f"one from 0 to {rows - 1}")
    if "accuracy" in goal.parameters and not accuracy:
        wanted = "a task with held-out data"
        raise checks.refused("No held-out data, and the goal", goal.text, wanted)
    return goal


def _count(name, value, low=1):
    """Return a whole number from `low` up; ValueError for any other thing."""
    try:
        count = operator.index(value)
    except TypeError:
        count = low - 1
    if isinstance(value, bool) or count < low:
        raise checks.refused(f"The goal's {name}", value, f"a whole number from {low} up")
    return count


def _share(name, value):
    """Return a number from 0 to 1; ValueError for any other thing."""
    if not checks.is_number(value) or not 0 <= value <= 1:
        raise checks.refused(f"The goal's {name}", value, "a number from 0 to 1")
    return float(value)


FIRST = leak(), hold(), stay_above()  # of the first page of the course, and of the site
