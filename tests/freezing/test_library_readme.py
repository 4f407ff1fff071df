"""The code in the library's README does what it says, piece after piece, in one run."""

import re
import sys

import numpy as np
import pytest

from helpers import ROOT, freezing
from helpers.device import keras

TEXT = (ROOT / "helpers" / "freezing" / "README.md").read_text("utf-8")
PIECES = re.findall(r"```python\n(.+?)```", TEXT, re.DOTALL)


@pytest.fixture
def run(monkeypatch):
    """A function that runs the pieces of these numbers beside a model with a table of words."""
    monkeypatch.setitem(sys.modules, "freezing_tensors", freezing)
    keras.utils.set_random_seed(0)
    layers = [keras.layers.Embedding(1200, 4, name="words"), keras.layers.Flatten()]
    model = keras.Sequential([keras.Input((3,)), *layers, keras.layers.Dense(1)])
    words = np.random.default_rng(0).integers(0, 1200, (64, 3))
    names = dict(keras=keras, model=model, inputs=words, targets=np.ones((64, 1)))

    def pieces(*numbers, **more):
        names.update(more)
        for number in numbers:
            exec(PIECES[number], names)
        return names

    return pieces


ROWS, CELLS, THAW, CHECK, PUT_BACK, TAKE_OVER, MIXED = range(7)


def test_rows_and_cells_are_frozen_and_the_check_says_that_they_hold(run):
    names = run(ROWS, CELLS)
    before, kernel = names["table"].numpy(), names["kernel"].numpy()
    names = run(CHECK)
    changed = names["table"].numpy() != before
    assert not changed[:1000].any() and changed[1000:].any()
    assert (names["kernel"].numpy() != kernel).any(1).tolist() == [False] + [True] * 11
    assert not names["check"].leaks[0].any()
    thawed = run(THAW)["optimizer"].frozen_cells(names["table"]).numpy().all(1)
    assert np.flatnonzero(thawed).tolist() == [*range(100), *range(120, 1000)]


def test_a_plain_run_leaks_is_repaired_and_handed_over(run):
    names = run()
    model, table = names["model"], names["model"].get_layer("words").embeddings
    saved = table.numpy()
    old = keras.optimizers.AdamW(0.1)
    model.compile(old, "mse")
    with pytest.warns(freezing.LeakWarning, match="frozen cells of .*changed in epoch 1"):
        names = run(CHECK, table=table, frozen_rows=freezing.frozen_rows, saved=saved)
    assert names["check"].leaks[0].any()
    names = run(PUT_BACK, TAKE_OVER, freezable=freezing.freezable)
    assert (table.numpy()[:1000] == saved[:1000]).all()
    ours = {v.path.split("/")[-1]: v.numpy() for v in names["optimizer"].variables}
    for variable in old.variables:
        np.testing.assert_array_equal(ours[variable.path.split("/")[-1]], variable)
    model.fit(names["inputs"], names["targets"], verbose=0)
    assert (table.numpy()[:1000] == saved[:1000]).all()


@pytest.fixture
def half():
    """Mixed precision, for the model of `run` if that comes after."""
    keras.config.set_dtype_policy("mixed_float16")
    yield
    keras.config.set_dtype_policy("float32")


def test_rows_stay_in_mixed_precision(half, run):
    table = run()["model"].get_layer("words").embeddings
    before = table.numpy()
    names = run(MIXED, table=table, **vars(freezing))
    names["model"].fit(names["inputs"], names["targets"], verbose=0)
    assert names["model"].compute_dtype == "float16"
    changed = (table.numpy() != before).any(1)
    assert names["model"].optimizer is names["optimizer"]
    assert not changed[:1000].any() and changed[1000:].any()


def test_every_name_that_is_exported_stands_in_it():
    for name in {"freezable", "frozen_rows", "LeakCheck"}:
        assert name in TEXT and name in freezing.__all__
