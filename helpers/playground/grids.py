"""The grid that is painted: its shape, and cells of it named by rows and columns."""

import numpy as np

LARGEST_SIDE = 512


def as_shape(shape):
    """Return `shape` as (rows, columns), or say why it is no grid that can be painted."""
    if len(shape) != 2:
        raise ValueError(
            f"A variable of shape {tuple(shape)} arrived; a grid has two dimensions. "
            "Pick a two-dimensional slice of it, for example cells=np.s_[:, :, 0, 0] for the "
            "first filter of a convolution kernel."
        )
    if min(shape) < 1 or max(shape) > LARGEST_SIDE:
        raise ValueError(
            f"A grid of {shape[0]}×{shape[1]} cells arrived; 1×1 to {LARGEST_SIDE}×{LARGEST_SIDE} "
            "can be painted. Pick a smaller slice, for example cells=np.s_[:512, :512]."
        )
    return tuple(int(side) for side in shape)


def pick(rows, columns, shape):
    """Return a bool array of `shape`, True at the cells that (rows, columns) name.

    Both are integers, lists or slices, paired as NumPy pairs them: [0, 1] and [2, 3] are the
    two cells (0, 2) and (1, 3); slice(0, 2) and slice(0, 3) are a block of six.
    Raises IndexError for a cell outside the grid; negative numbers are outside.
    """
    picked = np.zeros(shape, bool)
    for name, index, side in (("Row", rows, shape[0]), ("Column", columns, shape[1])):
        _check_inside(name, index, side)
    try:
        picked[_as_index(rows), _as_index(columns)] = True
    except IndexError as error:
        raise IndexError(
            f"{np.size(rows)} rows and {np.size(columns)} columns arrived; they are paired one to "
            "one, so their numbers must match. For a block pass slices: slice(0, 2), slice(0, 3)."
        ) from error
    return picked


def _as_index(index):
    return index if isinstance(index, slice) else np.asarray(index, int)


def _check_inside(name, index, side):
    """Raise unless every whole number in `index` lies between 0 and side - 1."""
    numbers = [index.start, index.stop] if isinstance(index, slice) else index
    numbers = np.array([0 if n is None else n for n in np.atleast_1d(numbers).ravel()])
    if numbers.size and numbers.dtype.kind not in "iu":
        raise TypeError(
            f"{name} numbers of type {numbers.dtype} arrived; whole numbers or slices were wanted. "
            "To pass a mask, use lab.frozen = mask."
        )
    last = side if isinstance(index, slice) else side - 1
    outside = numbers[(numbers < 0) | (numbers > last)]
    if outside.size:
        raise IndexError(
            f"{name} {outside[0]} is outside the grid, whose {name.lower()}s run from 0 to "
            f"{side - 1}. Nothing was painted."
        )
