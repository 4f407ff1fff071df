"""README's code does what README says, piece after piece."""

import re

import numpy as np
import pytest

from helpers import ROOT
from helpers.device import keras, tf

CODE = re.findall(r"```python\n(.+?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)


@pytest.fixture
def names():
    """What the pieces of code take for granted: a model with a table of words, its data, a recipe
    of one's own."""
    table = keras.layers.Embedding(1200, 4, name="words")
    rest = [keras.layers.Flatten(), keras.layers.Dense(1)]
    model = keras.Sequential([keras.Input((3,)), table, *rest])
    words = np.random.default_rng(0).integers(0, 1200, (64, 3))
    return dict(model=model, inputs=words, targets=np.ones(64), my_recipe=halved)


def halved(gradient, frozen):
    """A frozen cell takes half of its step."""
    return tf.where(frozen, gradient / 2, gradient)


def test_rows_of_a_table_are_frozen_to_the_bit(names):
    exec(CODE[0], names)
    changed = (names["table"].numpy() != names["before"]).any(axis=1)
    assert names["frozen"].sum() == 4000 and not changed[:1000].any() and changed[1000:].any()


def test_a_grid_over_a_model_of_ones_own_and_what_a_playground_can_do(names, closed_later):
    rows = np.random.default_rng(0).normal(size=(64, 6))
    layers = [keras.Input((6,)), keras.layers.Dense(8), keras.layers.Dense(1)]
    names |= dict(model=keras.Sequential(layers), inputs=rows, targets=rows[:, :1])
    exec(CODE[1], names)
    lab = closed_later(names["lab"])
    assert lab.frozen.sum() == 32 and lab.leaks().sum() == 0 and lab.steps == 500
    exec(CODE[2], names)
    lab = closed_later(names["lab"])
    assert lab.frozen.sum() == 12 and lab.leaks().sum() == 12 and lab.steps == 150
