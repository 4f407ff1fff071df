"""Boolean masks over a variable, True = frozen: what is taken for one, and what is refused."""

import reprlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import tensorflow as tf

from .kinds import Variable


def as_mask(frozen: npt.ArrayLike, variable: Variable) -> tf.Tensor:
    """Return a mask for a variable as a tensor of its shape; arguments and errors are those of
    `checked_mask`."""
    mask = tf.convert_to_tensor(checked_mask(frozen, variable))
    return tf.ensure_shape(mask, tuple(variable.shape))


def checked_mask(frozen: npt.ArrayLike, variable: Variable) -> tf.Tensor | np.ndarray:
    """Return a mask for a variable, checked; an array is not copied, as it is for a tensor.

    Args:
        frozen: bool array, tensor, variable or lists of the variable's shape; True = frozen. Of a
            tensor in a graph only the type and what is known of its shape can be checked.
        variable: a keras.Variable or tf.Variable.

    Returns:
        A bool array or tensor of the variable's shape.

    Raises:
        TypeError: something else than bools arrived.
        ValueError: the shape is another one.
    """
    path, shape = path_of(variable), tuple(variable.shape)
    mask = _array(frozen)
    if mask is None:
        what = f"{_short(frozen)} ({type(frozen).__name__}) arrived as the mask of {path!r}"
        raise TypeError(f"{what}; {_wanted(shape)}")
    if mask.dtype != bool:
        what = f"A mask of dtype {mask.dtype.name} arrived for {path!r}"
        raise TypeError(f"{what}; {_wanted(shape)} {_remedy(mask, shape)}")
    if not tf.TensorShape(mask.shape).is_compatible_with(shape):
        what = f"A mask of shape {tuple(mask.shape)} arrived for {path!r}"
        raise ValueError(f"{what}, which has shape {shape}; {_wanted(shape)}")
    return mask


def frozen_rows(variable: Any, rows: slice | Sequence[int]) -> np.ndarray:
    """Return the mask of a variable in which whole rows are frozen, and nothing else.

    Args:
        variable: a variable or an array of at least one axis; its first axis counts rows, as in
            the table of an embedding.
        rows: a list, a range or a slice of row numbers, or a bool for each row, True = frozen.

    Returns:
        A bool array of the variable's shape, True = frozen.

    Raises:
        TypeError: one number alone arrived, which may mean a row or a count of rows; numbers that
            are not whole, or text; or something that has no rows.
        ValueError: a 0 or 1 for each row arrived.
        IndexError: the variable has no such row, or none in that slice.
    """
    if getattr(variable, "shape", None) is None:
        message = "a variable was wanted, such as layer.embeddings"
        raise TypeError(f"{type(variable).__name__} {path_of(variable)!r} arrived; {message}.")
    if isinstance(rows, (int, np.integer)):
        message = f"pass [{rows}] for that row, or range({rows}) for the first {rows} rows"
        raise TypeError(f"rows={rows} arrived; {message}.")
    mask = np.zeros(tuple(variable.shape), bool)
    where = rows if isinstance(rows, slice) else np.asarray(rows)
    if isinstance(where, np.ndarray):
        if not where.size:
            return mask
        if where.dtype.kind not in "iub":
            message = "whole numbers were wanted, such as [0, 1, 2], or a bool for each row"
            raise TypeError(f"rows={_short(rows)} arrived; {message}.")
        _refuse_flags(where, mask, rows)
    elif mask.ndim and not len(range(*where.indices(len(mask)))):
        what = f"rows={rows} arrived for {path_of(variable)!r}, which has {len(mask)} rows"
        raise IndexError(f"{what}: none of them is in that slice.")
    try:
        mask[where] = True
    except IndexError as error:
        count = mask.shape[0] if mask.ndim else "no"
        what = f"rows={_short(rows)} arrived for {path_of(variable)!r}, which has {count} rows"
        raise IndexError(f"{what}: {error}.") from None
    return mask


def _refuse_flags(numbers: np.ndarray, mask: np.ndarray, rows: object) -> None:
    """Raise a ValueError if whole numbers look like a 0 or a 1 for each row."""
    a_row_each = mask.ndim and numbers.shape == mask.shape[:1] and len(mask) > 2
    if numbers.dtype != bool and a_row_each and not np.setdiff1d(numbers, [0, 1]).size:
        message = "as numbers of rows, these zeros and ones name rows 0 and 1 alone"
        ask = "If its ones mean frozen, pass rows > 0.5; if trainable, rows < 0.5"
        raise ValueError(f"rows={_short(rows)} arrived; {message}. {ask}.")


def path_of(variable: Any) -> str:
    """Return what Keras calls a variable, with the layers it is in: "sequential/dense/kernel"."""
    name = getattr(variable, "path", None) or getattr(variable, "name", type(variable).__name__)
    return str(name).removesuffix(":0")


def _array(frozen: object) -> tf.Tensor | np.ndarray | None:
    """Return what arrived as an array of bools or a tensor, or None if it is no array."""
    if tf.is_tensor(frozen) or hasattr(frozen, "__tf_tensor__"):
        return tf.convert_to_tensor(frozen)
    if frozen is None or isinstance(frozen, (slice, str)):
        return None
    try:
        array = np.asarray(frozen)
        return array if array.dtype == bool else tf.convert_to_tensor(array)
    except (TypeError, ValueError):
        return None


def _short(thing: object) -> str:
    return reprlib.repr(thing)


def _wanted(shape: tuple[int, ...]) -> str:
    return (
        f"a bool for each of its cells was wanted, True = frozen: mask = np.zeros({shape}, bool), "
        "then mask[…] = True; for whole rows, frozen_rows(variable, rows)."
    )


def _remedy(numbers: tf.Tensor, shape: tuple[int, ...]) -> str:
    if numbers.shape.is_compatible_with(shape):
        return "If its ones mean frozen, pass mask > 0.5; if trainable, mask < 0.5."
    return "If these are numbers of rows, pass frozen_rows(variable, rows)."
