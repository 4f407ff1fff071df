"""Prepared playgrounds for teachers to hand out: each a link that opens the start page's grid."""

import dataclasses
from pathlib import Path

import jinja2
import numpy as np

from helpers import masks
from helpers.playground import Playground, grids
from helpers.techniques import TECHNIQUES

TEMPLATE = Path(__file__).parent / "page" / "prepared.html.j2"
NAME = "prepared.html"
GRID = (8, 8)
BLOCK = grids.pick(slice(2, 5), slice(2, 6), GRID)
ROW = grids.pick(4, slice(None), GRID)
SCATTERED = masks.random(GRID, 0.25, seed=0)


@dataclasses.dataclass(frozen=True)
class Prepared:
    """A playground of the digits, on the page of the 3.

    technique, optimizer  names, as for Playground
    frozen   bool (8, 8), True = frozen
    sentence what a class sees there
    warm     whether it is played warm: the cells are thawed, all train, and then they are frozen
    leaks    whether frozen cells leak then
    knobs    numbers to which the optimizer's knobs are turned, by their names
    """

    technique: str
    optimizer: str
    frozen: np.ndarray
    sentence: str
    warm: bool
    leaks: bool
    knobs: dict = dataclasses.field(default_factory=dict)

    @property
    def line(self):
        """The line that opens it, as `Playground.code` writes it."""
        lab = Playground("digits", self.optimizer, self.technique, device="cpu", page="3")
        try:
            lab.use(**self.knobs)
            lab.frozen = self.frozen
            return lab.code()
        finally:
            lab.close()

    @property
    def label(self):
        """What the technique is called on screen."""
        return TECHNIQUES[self.technique].label

    @property
    def cells(self):
        """How many cells are frozen."""
        return int(self.frozen.sum())


PREPARED = (
    Prepared(
        *("gradient_times_mask", "sgd", BLOCK),
        "Plain gradient descent remembers nothing: the meter stays at zero, cold and warm.",
        warm=True,
        leaks=False,
    ),
    Prepared(
        *("gradient_times_mask", "adam", BLOCK),
        "Adam, and a block that is frozen before the first step: its memory holds nothing of these "
        "cells, and the meter stays at zero.",
        warm=False,
        leaks=False,
    ),
    Prepared(
        *("gradient_times_mask", "adam", BLOCK),
        "The same block under Adam, frozen after some 60 steps: the meter leaves zero at once.",
        warm=True,
        leaks=True,
    ),
    Prepared(
        *("gradient_times_mask", "adam", BLOCK),
        "Adam with the slider Momentum at 0: it keeps no average of the gradients, and the meter "
        "stays at zero, also when the block is frozen late.",
        warm=True,
        leaks=False,
        knobs={"momentum": 0.0},
    ),
    Prepared(
        *("gradient_times_mask", "momentum", ROW),
        "A whole row under SGD with momentum, frozen after some 60 steps: it rolls on.",
        warm=True,
        leaks=True,
    ),
    Prepared(
        *("where_gradient", "adamw", SCATTERED),
        "AdamW, and 16 scattered cells: weight decay needs no gradient, so they leak from the "
        "first step on.",
        warm=False,
        leaks=True,
    ),
    Prepared(
        *("stop_gradient", "adam", BLOCK),
        "The gradient is stopped before it reaches the block, and Adam's memory moves it all the "
        "same.",
        warm=True,
        leaks=True,
    ),
    Prepared(
        *("restore", "adamw", BLOCK),
        "Each step is followed by putting the old values back: the meter stays at zero, whatever "
        "the optimizer does. Choose any other optimizer, and try to make it leak.",
        warm=True,
        leaks=False,
    ),
    Prepared(
        *("shadow_copy", "adamw", ROW),
        "The model is shown a copy of the row: the meter stays at zero. Thaw the row while it "
        "trains, and the weights jump.",
        warm=True,
        leaks=False,
    ),
    Prepared(
        *("free_values", "adam", SCATTERED),
        "Only the free values are a variable; the 16 scattered cells are constants, which nothing "
        "can move.",
        warm=True,
        leaks=False,
    ),
    Prepared(
        *("exact", "adamw", BLOCK),
        "The exact freeze: the optimizer leaves the cells alone, and what it remembers of them. "
        "Thaw them, and they go on where they stood.",
        warm=True,
        leaks=False,
    ),
)


def write(folder):
    """Write the page into the site's folder."""
    text = TEMPLATE.read_text(encoding="utf-8")
    template = jinja2.Environment(autoescape=True, trim_blocks=True).from_string(text)
    (folder / NAME).write_text(template.render(prepared=PREPARED), encoding="utf-8")
