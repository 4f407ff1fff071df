"""Boolean masks over a grid of cells. One polarity, everywhere: True = frozen."""

import base64
import math
import zlib

import numpy as np


def as_frozen(mask, shape):
    """Check a mask and return it as a fresh bool array of `shape`; True = frozen.

    `mask` is anything NumPy can read as booleans: nested lists, an array, a tensor.
    Raises TypeError for numbers (a float mask hides its polarity) and ValueError for
    another shape. Neither changes anything.
    """
    mask = np.asarray(mask)
    if mask.dtype != np.bool_:
        raise TypeError(
            f"A mask of dtype {mask.dtype} arrived; a bool mask was wanted, True = frozen. "
            "If its ones mean frozen, pass mask > 0.5; if they mean trainable, pass mask < 0.5."
        )
    if mask.shape != tuple(shape):
        raise ValueError(
            f"A mask of shape {mask.shape} arrived; the cells have shape {tuple(shape)}. "
            "Build it with np.zeros(shape, bool) and set the cells to freeze to True."
        )
    return mask.copy()


def check_one_each(masks, names):
    """Raise ValueError unless there are as many masks as names of variables."""
    if len(masks) != len(names):
        wanted = f"one for each of {len(names)} variables was wanted, in their order"
        raise ValueError(f"{len(masks)} masks arrived; {wanted}: {', '.join(names)}.")


def largest(values, fraction):
    """Freeze the `fraction` (0 to 1, else ValueError) of cells with the largest magnitude.

    Ties go to the first cell, and NaN comes last. Returns a bool array of the shape of `values`,
    True = frozen.
    """
    return _from_indexes(_first(-np.abs(values), fraction), values.shape)


def all_but_largest(scores, fraction):
    """Freeze all cells but the `fraction` with the largest scores, compared over all the arrays.

    `scores` is a list of arrays, one a variable, any shapes; returns as many bool masks, True =
    frozen. For a budget that is the same in each layer, call it with one array at a time.
    """
    sizes = np.cumsum([np.size(s) for s in scores])[:-1]
    together = np.concatenate([np.ravel(s) for s in scores])
    frozen = ~_from_indexes(_first(-together, fraction), together.shape)
    return [part.reshape(np.shape(s)) for part, s in zip(np.split(frozen, sizes), scores)]


def grow(frozen, scores, fraction):
    """Freeze besides `frozen` the `fraction` of its free cells that have the largest scores.

    Masks of tasks learnt one after the other are nested so: each holds the one before. `frozen`
    is a bool array, `scores` one of the same shape; the mask that is returned is a new one.
    """
    frozen = as_frozen(frozen, np.shape(scores))
    free = np.flatnonzero(~frozen)
    frozen.flat[free[_first(-np.ravel(scores)[free], fraction)]] = True
    return frozen


def random(shape, fraction, seed):
    """Freeze a random `fraction` (0 to 1, else ValueError) of the cells: a bool array of `shape`,
    True = frozen. The same seed gives the same cells."""
    size = int(np.prod(shape))
    order = np.random.default_rng(seed).permutation(size)
    return _from_indexes(order[: _count(size, fraction)], shape)


def as_text(frozen):
    """Return a bool mask of any shape as a short word of letters, digits, "-" and "_"; `from_text`
    reads it. Its cells are bits, in rows, deflated, in base64."""
    deflated = zlib.compress(np.packbits(frozen), wbits=-15)
    return base64.urlsafe_b64encode(deflated).decode().rstrip("=")


def from_text(text, shape):
    """Return the bool mask of `shape` that `as_text` made a word of; ValueError for other words."""
    size = math.prod(shape)
    try:
        deflated = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
        # A stranger's word may stand for gigabytes: no more is unpacked than shows that it does.
        packed = zlib.decompressobj(wbits=-15).decompress(deflated, size // 8 + 2)
        if len(packed) != -(-size // 8):
            raise ValueError("another number of cells")
    except (ValueError, zlib.error) as error:
        raise ValueError(
            f"The text {text[:20]!r} arrived; a mask of {size} cells was wanted. Pass what "
            "masks.as_text returned, and the shape of that mask."
        ) from error
    bits = np.unpackbits(np.frombuffer(packed, np.uint8), count=size)
    return bits.reshape(shape).astype(bool)


def _first(values, fraction):
    """Return the flat indexes of the `fraction` of cells that come first when `values` are
    sorted."""
    return np.argsort(values, axis=None, kind="stable")[: _count(np.size(values), fraction)]


def _count(size, fraction):
    """Return the whole number of cells nearest to `fraction` of `size`; int() alone would cut
    28.99."""
    if not 0 <= fraction <= 1:
        raise ValueError(f"A fraction of {fraction} arrived; one from 0 to 1 was wanted.")
    return round(size * fraction)


def _from_indexes(indexes, shape):
    frozen = np.zeros(shape, bool)
    frozen.flat[indexes] = True
    return frozen
