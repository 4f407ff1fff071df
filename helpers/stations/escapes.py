"""The ways past a technique: at which station a leak enters, and under which conditions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from helpers.stations.conditions import Conditions


@dataclass(frozen=True)
class Case:
    """A technique under conditions, and what of a frozen cell's gradient it lets through."""

    technique: Any  # a Technique, or None
    conditions: Conditions

    @property
    def holding(self) -> str:
        """Name how frozen cells are held: "unlisted", "exact", "apart", "back", "shown", "masked",
        or "not" by a technique that acts nowhere."""
        technique = self.technique
        if technique is None:
            return "unlisted"
        ways = {"exact": technique.exact, "apart": technique.values, "back": technique.after}
        ways |= {"shown": technique.shadow, "masked": technique.gradient or technique.weights}
        return next((way for way, taken in ways.items() if taken), "not")

    @property
    def penalized(self) -> bool:
        """Tell whether a penalty reaches them past what the technique shows the model."""
        return self.conditions.penalty and not self.technique.gradient

    @property
    def poisoned(self) -> bool:
        """Tell whether a NaN is still there when the gradient has been masked."""
        mask_gradient = self.technique.gradient
        return self.conditions.nan and bool(mask_gradient) and _lets_nan_through(mask_gradient)

    @property
    def arrives(self) -> bool:
        """Tell whether any gradient of theirs arrives at the optimizer."""
        technique = self.technique
        masked = technique.gradient or technique.weights or technique.shadow
        return not masked or self.penalized or self.poisoned

    @property
    def stirs(self) -> bool:
        """Tell whether the optimizer's memory of them changes."""
        given = self.conditions
        return given.coasts or (given.memory is not None and self.arrives)


@dataclass(frozen=True)
class Escape:
    """A way past a technique, which enters at a station.

    station  its key in NAMES
    holding  how the technique holds frozen cells, as in `Case.holding`
    enters   whether there is this way in a Case
    arrow    the way in a word or two
    text     the same in a sentence
    """

    station: str
    holding: str
    enters: Callable[[Case], bool]
    arrow: str
    text: str


UNSEEN = "a thaw shows the model where it has gone."
NAN = "0 × NaN", "0 times NaN is NaN, so the NaN of a frozen cell goes on to the optimizer."
NORM = (
    "shared norm",
    "The frozen cells' gradients count in the length, and so change the steps of free cells.",
)
ESCAPES = (
    Escape(
        "loss",
        "masked",
        lambda case: case.penalized,
        "penalty",
        "The penalty reads the variable itself, so its gradient reaches the frozen cells.",
    ),
    Escape(
        "loss",
        "shown",
        lambda case: case.penalized and case.conditions.thaw,
        "penalty, unseen",
        f"The penalty moves the cell behind its copy; {UNSEEN}",
    ),
    Escape(
        "gradient",
        "not",
        lambda case: True,
        "no technique",
        "Nothing holds the frozen cells: their gradient goes on to the optimizer.",
    ),
    *(Escape("gradient", held, lambda case: case.poisoned, *NAN) for held in ("masked", "shown")),
    *(
        Escape("clip", held, lambda case: case.conditions.clip and case.arrives, *NORM)
        for held in ("masked", "shown", "back")
    ),
    Escape(
        "memory",
        "apart",
        lambda case: case.conditions.coasts and case.conditions.thaw,
        "empty at the thaw",
        "A thawed cell begins with an empty memory, so it goes elsewhere than after a pause.",
    ),
    Escape(
        "memory",
        "masked",
        lambda case: case.conditions.coasts,
        "coasts on",
        "The memory still holds gradients from before the freeze, and moves the cell on.",
    ),
    Escape(
        "memory",
        "shown",
        lambda case: case.stirs and case.conditions.thaw,
        "coasts, unseen",
        f"The memory moves the cell behind its copy; {UNSEEN}",
    ),
    Escape(
        "memory",
        "back",
        lambda case: case.stirs and case.conditions.thaw,
        "jump at the thaw",
        "The memory goes on changing while the cell is put back, so a thaw starts with a jump.",
    ),
    Escape(
        "step",
        "masked",
        lambda case: case.conditions.decays,
        "decay",
        "Weight decay pulls the cell towards 0, and needs no gradient for it.",
    ),
    Escape(
        "step",
        "shown",
        lambda case: case.conditions.decays and case.conditions.thaw,
        "decay, unseen",
        f"Weight decay moves the cell behind its copy; {UNSEEN}",
    ),
    Escape(
        "average",
        "unlisted",
        lambda case: case.conditions.average,
        "past the list",
        "The averages overwrite all that the optimizer was built on; at the end they go by place.",
    ),
    Escape(
        "average",
        "masked",
        lambda case: case.conditions.average,
        "overwrite",
        "The average overwrites the cell with older weights, or with a rounded one.",
    ),
    Escape(
        "average",
        "shown",
        lambda case: case.conditions.average and case.conditions.thaw,
        "overwrite, unseen",
        f"The average overwrites the cell behind its copy; {UNSEEN}",
    ),
    Escape(
        "end",
        "masked",
        lambda case: case.conditions.average,
        "last overwrite",
        "After the last step the average overwrites the cell once more.",
    ),
    Escape(
        "end",
        "back",
        lambda case: case.conditions.average,
        "last overwrite",
        "The overwrite after the last step comes when nothing is put back any more.",
    ),
)


def _lets_nan_through(mask_gradient):
    """Return whether a frozen cell's NaN is still there when a recipe has masked the gradient."""
    masked = mask_gradient(np.array([np.nan], np.float32), np.array([True]))
    return not np.isfinite(np.asarray(masked)).all()
