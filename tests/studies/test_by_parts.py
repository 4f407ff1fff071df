"""Rows that are copied by parts have the bits of those that they are copied from."""

import numpy as np
import pytest

from helpers.device import keras
from helpers.studies.by_parts import copy_rows


@pytest.mark.parametrize("places", [[6, 0, 3, 3], [2], range(7), []])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_every_row_comes_from_its_place(places, dtype):
    rows = np.random.default_rng(0).normal(size=(7, 3)).astype(dtype)
    source = keras.Variable(rows, dtype=dtype)
    target = keras.Variable(np.zeros((len(places), 3)), dtype=dtype, trainable=False)
    copy_rows(source, np.array(places, int), target, rows=3)
    assert np.array_equal(target.numpy(), rows[list(places)])
    assert np.array_equal(source.numpy(), rows)
