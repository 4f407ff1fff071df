"""A variable that is filled from a file by parts has the file's bits."""

import numpy as np
import pytest

from helpers.device import keras
from helpers.studies.by_parts import fill


@pytest.mark.parametrize("shape", [(7, 3), (6, 2, 2), (5,), ()])
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_every_value_comes_from_the_file(tmp_path, shape, dtype):
    wanted = np.arange(1, 1 + np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    wanted.tofile(tmp_path / "rows")
    variable = keras.Variable(np.zeros(shape, dtype), dtype=dtype, trainable=False)
    fill(variable, tmp_path / "rows", rows=3)
    assert np.array_equal(variable.numpy(), wanted)
