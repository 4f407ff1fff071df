"""A table from a file, some rows at a time, so that it is never in memory a second time whole."""

import numpy as np


def fill(variable, file, rows=1_000):
    """Write what `array.tofile(file)` wrote into a variable of the array's shape and dtype.

    Of a variable with rows, `rows` are read and written at a time. The first of them makes
    TensorFlow copy the variable once.
    """
    shape, dtype = tuple(variable.shape), np.dtype(variable.dtype)
    if len(shape) < 2:
        variable.assign(np.fromfile(file, dtype).reshape(shape))
        return
    of_row = int(np.prod(shape[1:]))
    for first in range(0, shape[0], rows):
        count = min(rows, shape[0] - first)
        part = np.fromfile(file, dtype, count * of_row, offset=first * of_row * dtype.itemsize)
        variable.value[first : first + count].assign(part.reshape(count, *shape[1:]))
