"""A table from a file, some rows at a time, so that it is never in memory a second time whole."""

import numpy as np

from helpers.device import tf


def fill(variable, file, rows=1_000):
    """Write what `array.tofile(file)` wrote into a variable of the array's shape and dtype.

    Of a variable with rows, `rows` are read and written at a time. They are scattered into it: to
    assign to a slice of it would read the variable first, and so copy it once. From then on
    TensorFlow copies the variable whenever it is read as a whole, and not where rows are gathered.
    """
    shape, dtype = tuple(variable.shape), np.dtype(variable.dtype)
    if len(shape) < 2:
        variable.assign(np.fromfile(file, dtype).reshape(shape))
        return
    of_row = int(np.prod(shape[1:]))
    for first in range(0, shape[0], rows):
        count = min(rows, shape[0] - first)
        part = np.fromfile(file, dtype, count * of_row, offset=first * of_row * dtype.itemsize)
        part, places = part.reshape(count, *shape[1:]), tf.range(first, first + count)
        variable.value.scatter_update(tf.IndexedSlices(part, places))
