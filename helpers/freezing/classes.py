"""freezable(OptimizerClass): one subclass for each optimizer class and each way to freeze."""

import copyreg
import functools

import keras

from .compact import CompactCells, check
from .optimizer import FreezesCells


def freezable(
    OptimizerClass: type[keras.Optimizer], compact: bool = False
) -> type[keras.Optimizer]:
    """Return the subclass of a Keras optimizer class that can freeze cells; always the same one.

    It is saved, loaded, pickled and copied with its masks; to load a model in a new session, call
    freezable(OptimizerClass) first.

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
    front = CompactCells if compact else FreezesCells
    if issubclass(OptimizerClass, FreezesCells):
        if issubclass(OptimizerClass, CompactCells) == compact:
            return OptimizerClass
        OptimizerClass = OptimizerClass.keras_class
    if compact:
        check(OptimizerClass)
    return _subclass(front, OptimizerClass)


class Freezable(type(keras.Optimizer)):
    """The type of the classes that `freezable` makes: they stand in no module, so a pickle holds
    the call that makes them."""


def _recipe(cls):
    is_compact = issubclass(cls, CompactCells)
    made = "keras_class" in vars(cls)  # not a subclass that somebody wrote, which has its module
    return (freezable, (cls.keras_class, is_compact)) if made else cls.__qualname__


copyreg.pickle(Freezable, _recipe)


@functools.cache
def _subclass(front, OptimizerClass):
    kind = "Compact" if front is CompactCells else "Freezable"
    name, package = f"{kind}{OptimizerClass.__name__}", OptimizerClass.__module__
    attributes = {"__doc__": OptimizerClass.__doc__, "keras_class": OptimizerClass}
    subclass = Freezable(name, (front, OptimizerClass), attributes)
    return keras.saving.register_keras_serializable(package, name)(subclass)


def _check_backend():
    if keras.backend.backend() != "tensorflow":
        told = f"Keras runs on {keras.backend.backend()} here; freezable needs TensorFlow. Set the"
        raise RuntimeError(f"{told} environment variable KERAS_BACKEND=tensorflow before Python.")


def _wanted(arrived):
    kind = arrived if isinstance(arrived, type) else type(arrived)
    if "tf_keras" in kind.__module__ or "keras.src.legacy" in kind.__module__:
        return (
            "that is of tf_keras (Keras 2), and freezable takes optimizers of Keras 3. In tf_keras "
            "a constraint that puts the old values back holds, or a callback that does so after "
            "each batch."
        )
    return "a Keras optimizer class was wanted, as in freezable(keras.optimizers.Adam)(1e-3)."
