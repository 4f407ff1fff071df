"""The planes of a frame that draw the grid, as bytes, and the two scales that go with them.

Frames are whole, never differences, so that a lost one costs nothing. Two planes are quantised to
a byte a cell, because a 512×512 grid is sent thirty times a second.
"""

import numpy as np

NOT_FINITE = -128


def of_grid(values, moved_bits, initial, leaked, frozen):
    """Return (header, planes) for a grid; every array has shape (rows, columns).

    values, initial  floating point weights now and at the start
    moved_bits       bool, True where a bit differs from the start
    leaked           bool, True where a frozen cell has changed
    frozen           bool, True = frozen

    weights  int8: value / scale × 127, and -128 where the value is NaN or infinite
    moved    uint8: |value - initial| / moved_scale × 255 rounded up, so that 0 means that not
             one bit has changed
    leaked, frozen  one bit a cell, row by row, the first cell in the lowest bit
    """
    if values.dtype.itemsize < 4:  # half precision overflows on the way to its codes
        values, initial = values.astype(np.float32), initial.astype(np.float32)
    finite = np.isfinite(values)
    known = values if finite.all() else np.where(finite, values, 0)
    scale = _largest(known)
    weights = np.rint(known * (127 / scale)).astype(np.int8)
    weights[~finite] = NOT_FINITE
    moved, moved_scale = _moved(known, finite, moved_bits, initial)
    return {"scale": scale, "moved_scale": moved_scale}, {
        "weights": weights.tobytes(),
        "moved": moved.tobytes(),
        "leaked": pack(leaked),
        "frozen": pack(frozen),
    }


def _moved(known, finite, moved_bits, initial):
    with np.errstate(invalid="ignore", over="ignore"):
        distance = np.abs(known - initial)
    distance[~finite | ~np.isfinite(distance)] = np.inf
    scale = _largest(distance[np.isfinite(distance)])
    codes = np.clip(np.ceil(distance * (255 / scale)), 1, 255).astype(np.uint8)
    return np.where(moved_bits, codes, np.uint8(0)), scale


def _largest(values):
    """Return the largest magnitude, as a float that can be divided by."""
    largest = float(np.max(np.abs(values), initial=0.0))
    return largest if largest > 1e-30 else 1.0


def pack(mask):
    """Bits of a bool array, eight cells a byte, the first cell in the lowest bit."""
    return np.packbits(mask, axis=None, bitorder="little").tobytes()


def unpack(data, shape):
    """Return the bool array of `shape` that `pack` packed."""
    count = int(np.prod(shape))
    bits = np.unpackbits(np.frombuffer(data, np.uint8), count=count, bitorder="little")
    return bits.astype(bool).reshape(shape)
