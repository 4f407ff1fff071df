"""freezable(OptimizerClass): one subclass for each optimizer class and each way to freeze."""

import copyreg
import functools
from typing import Any

import keras
import tensorflow as tf

from .compact import UNFIT, CompactCells, check
from .optimizer import FreezesCells
from .slots import CELL_BY_CELL, of_tf_keras


def freezable(
    OptimizerClass: type[keras.Optimizer], compact: bool = False
) -> type[keras.Optimizer]:
    """Return the subclass of a Keras optimizer class that can freeze cells; always the same one.

    It is saved, loaded, pickled and copied with its masks. To load a model in a new session, import
    this package before; if the optimizer is one of your own, call freezable(OptimizerClass), too.

    Args:
        OptimizerClass: a class such as keras.optimizers.Adam, or one of your own.
        compact: keep slots for free cells alone; see `compact`.

    Raises:
        TypeError: something else than an optimizer class of Keras 3 arrived, or, with compact=True,
            one whose step of a cell depends on other cells.
        RuntimeError: Keras runs on something else than TensorFlow.
    """
    _check_backend()
    if not isinstance(OptimizerClass, type) or not issubclass(OptimizerClass, keras.Optimizer):
        raise TypeError(f"{OptimizerClass!r} arrived; {_wanted(OptimizerClass)}")
    kind: Any = OptimizerClass
    if issubclass(kind, FreezesCells):
        if issubclass(kind, CompactCells) == compact:
            return kind
        kind = kind.keras_class
    if compact:
        check(kind)
    return _subclass(CompactCells if compact else FreezesCells, kind)


class Freezable(type(keras.Optimizer)):  # type: ignore[misc]
    """The type of the classes that `freezable` makes: they stand in no module, so a pickle holds
    the call that makes them."""


def _recipe(cls: Any) -> Any:
    is_compact = issubclass(cls, CompactCells)
    made = "keras_class" in vars(cls)  # not a subclass that somebody wrote, which has its module
    return (freezable, (cls.keras_class, is_compact)) if made else cls.__qualname__


copyreg.pickle(Freezable, _recipe)


@functools.cache
def _subclass(front: Any, OptimizerClass: Any) -> type[keras.Optimizer]:
    kind = "Compact" if front is CompactCells else "Freezable"
    name, package = f"{kind}{OptimizerClass.__name__}", OptimizerClass.__module__
    attributes = {"__doc__": OptimizerClass.__doc__, "keras_class": OptimizerClass}
    subclass = Freezable(name, (front, OptimizerClass), attributes)
    return keras.saving.register_keras_serializable(package, name)(subclass)


def _check_backend() -> None:
    if keras.backend.backend() != "tensorflow":
        raise RuntimeError(
            f"Keras runs on {keras.backend.backend()} here; freezable needs TensorFlow. "
            "Set the environment variable KERAS_BACKEND=tensorflow before Python."
        )


def _wanted(arrived: object) -> str:
    """Say what was wanted, and what to do with an optimizer that is none of Keras 3."""
    kind = arrived if isinstance(arrived, type) else type(arrived)
    if of_tf_keras(kind):
        return f"that is of tf_keras (Keras 2), and {TAKEN}. {KERAS_2}"
    if kind is getattr(getattr(keras.optimizers, "legacy", None), "Adam", None):
        return f"of keras.optimizers.legacy, Keras 3 has only the names left. {LEGACY}"
    if issubclass(kind, tf.compat.v1.train.Optimizer):
        return f"that is of TensorFlow 1, and {TAKEN}. {TENSORFLOW_1}"
    return f"a Keras optimizer class was wanted, as in {EXAMPLE}."


EXAMPLE = "freezable(keras.optimizers.Adam)(1e-3)"
TAKEN = "freezable takes optimizers of Keras 3"
# What holds in their place; tests/freezing/in_tf_keras.py tries it.
KERAS_2 = (
    "In the fit of tf_keras a callback holds that assigns tf.where(frozen, old_values, variable) "
    "after each batch and when training ends; without use_ema, also a constraint that returns "
    "tf.where(frozen, old_values, weights). In a loop of your own, assign that after each "
    f"apply_gradients, or give the model's variables to {EXAMPLE}."
)
LEGACY = f"Pass the class of the same name in keras.optimizers, as in {EXAMPLE}."
TENSORFLOW_1 = (
    f"Use {EXAMPLE}, whose apply takes any tf.Variable; or assign "
    "tf.where(frozen, old_values, variable) after each apply_gradients."
)


def _register() -> None:
    """Let Keras know the classes of its own optimizers, so that `load_model` finds them."""
    kinds = [kind for kind in vars(keras.optimizers).values() if isinstance(kind, type)]
    for kind in kinds:
        if issubclass(kind, keras.Optimizer) and kind is not keras.Optimizer:
            freezable(kind)
            if kind in CELL_BY_CELL - set(UNFIT):
                freezable(kind, compact=True)


if keras.backend.backend() == "tensorflow":
    _register()
