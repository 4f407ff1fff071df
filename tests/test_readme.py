"""README's code does what README says, piece after piece."""

import re
import textwrap

import numpy as np
import pytest

from helpers import ROOT
from helpers.device import keras

PIECE = re.compile(r"```python\n(.+?)```", re.DOTALL)
PIECES = PIECE.findall((ROOT / "README.md").read_text("utf-8"))
ROWS, REPAIR, SWAP, GRID, PAINTING, PLAY = (textwrap.dedent(piece) for piece in PIECES)


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


def test_rows_that_have_drifted_are_put_back(names):
    table = names["model"].get_layer("words").embeddings
    frozen = np.arange(1200)[:, None] < [1000] * 4
    now, saved = table.numpy(), table.numpy() + 1
    exec(REPAIR, dict(table=table, frozen=frozen, saved=saved))
    np.testing.assert_array_equal(table, np.where(frozen, saved, now))


def test_an_optimizer_hands_over_what_it_remembers(names):
    """The run goes on as it would have, bit for bit."""
    exec("from helpers.freezing import freezable", names)
    model, data = names["model"], dict(x=names["inputs"], y=names["targets"])
    model.compile(keras.optimizers.AdamW(0.01), "mse")
    model.fit(**data, shuffle=False, verbose=0)
    start = [v.numpy() for v in model.trainable_variables]
    exec(SWAP, names)
    model.fit(**data, shuffle=False, verbose=0)
    wanted = [v.numpy() for v in model.trainable_variables]
    for variable, value in zip(model.trainable_variables, start):
        variable.assign(value)
    model.compile(names["optimizer"], "mse")
    model.fit(**data, shuffle=False, verbose=0)
    assert names["optimizer"].iterations == 4
    for variable, value in zip(model.trainable_variables, wanted):
        np.testing.assert_array_equal(variable, value)


def test_a_grid_over_a_model_of_ones_own_and_what_a_playground_can_do(names, closed_later):
    rows = np.random.default_rng(0).normal(size=(64, 6))
    layers = [keras.Input((6,)), keras.layers.Dense(8), keras.layers.Dense(1)]
    names |= dict(model=keras.Sequential(layers), inputs=rows, targets=rows[:, :1])
    exec(GRID, names)
    lab = closed_later(names["lab"])
    exec(PAINTING, names)
    assert lab.frozen.sum() == 32 and lab.leaks().sum() == 0 and lab.steps == 500
    exec(PLAY, names)
    lab = closed_later(names["lab"])
    assert lab.frozen.sum() == 12 and lab.leaks().sum() == 12 and lab.steps == 150
