"""The code in README, and in the page on the playground, does what they say, piece after piece."""

import re

import numpy as np
import pytest

from helpers import ROOT
from helpers.device import keras

PIECE = re.compile(r"```python\n(.+?)```", re.DOTALL)
README = (ROOT / "README.md").read_text("utf-8")
(ROWS,) = PIECE.findall(README)
GRID, PAINTING, PAGE, PLAY = PIECE.findall(
    (ROOT / "notebooks" / "the_playground_in_code.md").read_text("utf-8")
)


@pytest.fixture
def names():
    """What the pieces of code take for granted: a model with a table of words, and its data."""
    table = keras.layers.Embedding(1200, 4, name="words")
    rest = [keras.layers.Flatten(), keras.layers.Dense(1)]
    model = keras.Sequential([keras.Input((3,)), table, *rest])
    words = np.random.default_rng(0).integers(0, 1200, (64, 3))
    return dict(keras=keras, model=model, inputs=words, targets=np.ones(64))


def test_rows_of_a_table_are_frozen_to_the_bit(names):
    exec(ROWS, names)
    changed = (names["table"].numpy() != names["before"]).any(axis=1)
    assert names["frozen"].sum() == 4000 and not changed[:1000].any() and changed[1000:].any()


def test_it_is_short_enough_to_be_read():
    assert len(README.split()) <= 1200


def test_a_grid_over_a_model_of_ones_own_and_what_a_playground_can_do(names, closed_later):
    rows = np.random.default_rng(0).normal(size=(64, 6))
    layers = [keras.Input((6,)), keras.layers.Dense(8), keras.layers.Dense(1)]
    names |= dict(model=keras.Sequential(layers), inputs=rows, targets=rows[:, :1])
    exec(GRID, names)
    lab = closed_later(names["lab"])
    exec(PAINTING, names)
    assert lab.frozen.sum() == 32 and lab.leaks().sum() == 0 and lab.steps == 500
    exec(PAGE, names)
    lab = closed_later(names["lab"])
    assert list(lab.goals.values()) == [False, False] and "pin" in lab.painter.controls
    exec(PLAY, names)
    lab = closed_later(names["lab"])
    assert lab.frozen.sum() == 12 and lab.leaks().sum() == 12 and lab.steps == 150
