"""How masks and slots get into files and copies, and out of them."""

import warnings
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import private
from .called import levels_up
from .kinds import InFront, Variable
from .masks import path_of
from .places import KEPT
from .slots import raw

FROZEN = "_frozen"  # how the name of a mask ends


class KeepsState(InFront):
    """What an optimizer that freezes cells does in place of Keras when it is saved, loaded, copied.

    A config has no masks; a file, a pickle and a deep copy have. An optimizer that is not built yet
    waits with what was loaded, and takes it over when it is.
    """

    _waiting: Any = None  # what was loaded before the slots were there, by Keras' names
    _met: Any = None  # what there was by then, such as the rate: values by their variables' paths
    _copy_of = None  # the name of the optimizer with frozen cells that gave the config of this one

    def set_weights(self, weights: Sequence[npt.ArrayLike]) -> None:
        """Set `optimizer.variables`, also those of optimizers inside and of other lengths. Before
        `build`, wait."""
        if not self.built and len(weights) > len(self.variables):
            self._wait({str(n): np.array(value) for n, value in enumerate(weights)})
            return
        if len(weights) != len(self.variables):
            wanted = f"one for each of the {len(self.variables)} optimizer.variables was wanted"
            raise ValueError(f"{len(weights)} arrays arrived; {wanted}. Call build first.")
        for variable, value in zip(self.variables, weights):
            variable.assign(value)

    def load_own_variables(self, store: Any) -> None:
        """As in Keras, which warns and loads nothing if the number of variables has changed; nor is
        anything loaded if their shapes have. A warning says that no mask has come. Before `build`,
        wait."""
        names = store.keys()  # Keras' stores know how to be asked for them, and no more
        if not self.built and len(names) > len(self.variables):
            self._wait({name: store[name][()] for name in names})
            return
        frozen = self._frozen_now()
        as_many = len(names) == len(self.variables)
        fits = as_many and all(_fits(v, store[str(n)]) for n, v in enumerate(self.variables))
        if fits or not as_many:  # of other shapes Keras would load some, and then raise
            super().load_own_variables(store)
        self._warn_of_thaw(frozen)
        if not fits:
            self._say_that_nothing_came([store[name] for name in names], told=not as_many)

    def __reduce__(self) -> tuple[Any, ...]:
        rebuild, arguments = super().__reduce__()
        return _rebuilt, (type(self), rebuild, arguments)

    def get_config(self) -> dict[str, Any]:
        """As in Keras. A config has no masks; see `from_config`."""
        config = super().get_config()
        if self._freezes_any():
            _WITH_MASKS[config["name"]] = self
        return config

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """As in Keras. If the optimizer that gave the config had frozen cells, and the first step
        comes before this one has a mask, a warning says so."""
        name = config.get("name")
        optimizer = super().from_config(config, custom_objects)
        if name in _WITH_MASKS:
            optimizer._copy_of = name
        return optimizer

    def _frozen_now(self) -> list[tuple[Variable, np.ndarray]]:
        """Return which cells are frozen: pairs of a variable and its mask, where there are any."""
        if not self.built or self.registry is None:
            return []
        holding = [each.given for each in self.registry.cells if each.freezes()]
        return [(variable, self.frozen_cells(variable).numpy()) for variable in holding]

    def _say_that_nothing_came(self, saved: list[Any], told: bool) -> None:
        """Warn that what was saved is of an optimizer that is arranged otherwise; but if Keras has
        `told` it, and no cell was frozen there, that will do."""
        masked = any(map(_freezes, saved))
        if told and not masked and any(each.dtype == bool for each in saved):
            return
        cells = f"Cells that were frozen there{'' if masked else ', if any,'} are"
        why = "Nothing was loaded into this optimizer, for what was saved is of one made otherwise"
        as_it_was = "make this one as that one was, also what is inside what"
        warnings.warn(
            f"{why}. {cells} not frozen now: call freeze_cells again, or {as_it_was}.",
            stacklevel=levels_up(),
        )

    def _warn_of_thaw(self, frozen: list[tuple[Variable, np.ndarray]]) -> None:
        """Warn if cells that were frozen before something was loaded are not any more."""
        for variable, before in frozen:
            thawed = int((before & ~self.frozen_cells(variable).numpy()).sum())
            if thawed:
                message = (
                    f"{thawed:,} of {int(before.sum()):,} frozen cells of {path_of(variable)!r} "
                    "are free now, as they were when what has been loaded was saved: "
                    "call freeze_cells again if they are to stay as they are."
                )
                warnings.warn(message, stacklevel=levels_up())

    def _wait(self, values: dict[str, np.ndarray]) -> None:
        self._waiting = values
        self._met = {variable.path: variable.numpy() for variable in self.variables}

    def _take_what_waits(self) -> None:
        """Take over what was loaded before; but a rate that somebody has set since then stays."""
        waiting, met, self._waiting, self._met = self._waiting, self._met, None, None
        if not waiting:
            return
        now = [(each, each.numpy()) for each in self.variables if each.path in met]
        self.load_own_variables(waiting)
        for variable, value in now:
            if (value != met[variable.path]).any():
                variable.assign(value)

    def _miss_masks(self) -> None:
        """Warn in the first step of a copy by config that has been given no mask."""
        name, self._copy_of = self._copy_of, None
        if name and not any(each.was_told or each.holder for each in self.registry.cells):
            message = f"made from the config of {name!r}, which froze cells; a config has no masks"
            again = "call freeze_cells, or take_over(the other optimizer)"
            warnings.warn(
                f"This optimizer was {message}. Nothing is frozen: {again}.", stacklevel=3
            )

    def _freezes_any(self) -> bool:
        return self.registry is not None and any(each.freezes() for each in self.registry.cells)


# Optimizers that froze cells when they gave their config, by its name.
_WITH_MASKS: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()


def _rebuilt(cls: type, rebuild: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Unpickle an optimizer; that `cls` has been unpickled has made Keras know it by its name."""
    return rebuild(*arguments)


def _fits(variable: Any, saved: Any) -> bool:
    """Return whether a variable can be given what was saved, by the shape."""
    return isinstance(variable, private.AnyShape) or tuple(variable.shape) == tuple(saved.shape)


def _freezes(values: Any) -> bool:
    """Return whether an array from a file is a mask that freezes a cell, or has places of free
    ones: whole numbers of 32 bits, which no optimizer of Keras keeps."""
    if values.dtype == bool:
        return values[()].any()
    return values.dtype == KEPT.name and values.size > 0


def mask_name(variable: Any) -> str:
    """Return a name for the mask of a variable as Keras names slots, so that no two are alike."""
    name = getattr(variable, "path", None) or raw(variable).name
    return name.replace("/", "_").replace(":", "_") + FROZEN
