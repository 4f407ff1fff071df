"""Where the picked cells of a variable are, as an array counts them: the number of a picked cell is
the sum of one of `starts` and one of `offsets`, so that rows, columns and blocks need no number a
cell."""

import numpy as np
import tensorflow as tf

# In variables they are kept as numbers of this kind: TensorFlow has int32 variables on the
# processor alone, and a step that XLA compiles for a GPU cannot read them there.
KEPT = tf.uint32

# So many cells of a mask are looked through at a time: their numbers take eight bytes each, and the
# inverse of a whole mask would be one more.
AT_ONCE = 2**20


def place_among(numbers: tf.Tensor, among: tf.Tensor, limit: int) -> tf.Tensor:
    """Return the place of each number `among` ascending ones below a limit: of the last that is not
    larger. (For tf.searchsorted XLA compares each with all: 74 GB for a table of words.)"""
    at, last = tf.zeros_like(numbers), tf.size(among) - 1
    for bit in reversed(range(limit.bit_length())):
        there = at + 2**bit
        larger = tf.gather(among, tf.minimum(there, last)) > numbers
        at = tf.where((there > last) | larger, at, there)
    return at


def held_at(
    numbers: tf.Tensor, held: tf.Tensor, values: tf.Tensor, limit: int
) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the values of numbers below a limit, and where these stand among those that are held;
    of one that is not held, 0 and any place."""
    at = place_among(numbers, held, limit)
    is_held = tf.gather(held, at) == numbers
    is_held = tf.reshape(is_held, [-1] + [1] * (values.shape.rank - 1))
    return tf.where(is_held, values, tf.zeros((), values.dtype)), at


def cells_at(whole: tf.Tensor, numbers: tf.Tensor) -> tf.Tensor:
    """Return the cells of these numbers, as a vector."""
    return tf.gather(tf.reshape(whole, [-1]), numbers)


def counted(kept: tf.Tensor) -> tf.Tensor:
    """Return numbers that are kept in a variable as those with which TensorFlow counts: int32."""
    return tf.bitcast(tf.convert_to_tensor(kept), tf.int32)


def places(starts: tf.Tensor, offsets: tf.Tensor) -> tf.Tensor:
    """Return the numbers of all picked cells, one after another; an only offset is 0."""
    starts, offsets = counted(starts), counted(offsets)  # no variables in a branch
    starts, offsets = (tf.ensure_shape(each, [None]) for each in (starts, offsets))
    each = lambda: tf.reshape(starts[:, None] + offsets, [-1])  # noqa: E731
    return tf.cond(tf.size(offsets) == 1, lambda: starts, each)


def pick(whole: tf.Tensor, starts: tf.Tensor, offsets: tf.Tensor) -> tf.Tensor:
    """Return the picked cells of a tensor or a variable, as a vector."""
    return cells_at(whole, places(starts, offsets))


def put(variable: tf.Variable, weights: tf.Tensor, starts: tf.Tensor, offsets: tf.Tensor) -> None:
    """Write a vector to the picked cells of a variable."""
    cells = places(starts, offsets)[:, None]
    flat = tf.tensor_scatter_nd_update(tf.reshape(variable, [-1]), cells, weights)
    variable.assign(tf.reshape(flat, variable.shape))


def free_cells(frozen: np.ndarray) -> np.ndarray:
    """Return the numbers of a mask's free cells, ascending, in an array of KEPT."""
    flat, found = frozen.reshape(-1), [np.zeros(0, KEPT.name)]
    for start in range(0, flat.size, AT_ONCE):
        free = np.flatnonzero(~flat[start : start + AT_ONCE]) + start
        found.append(free.astype(KEPT.name))
    return np.concatenate(found)


def compressed(cells: np.ndarray, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return what `free_cells` returned as (starts, offsets), in arrays of KEPT."""
    columns = shape[-1] if len(shape) else 1
    rows, of_some = cells // columns, np.zeros(columns, bool)
    rows = rows[np.append(True, rows[1:] != rows[:-1])]
    of_some[cells % columns] = True
    offsets = np.flatnonzero(of_some)
    if len(offsets) < 2 or len(rows) * len(offsets) != len(cells):
        return cells, np.zeros(1, KEPT.name)  # they are not all cells of some rows and columns
    return rows * columns, offsets.astype(KEPT.name)
