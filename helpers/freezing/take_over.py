"""Hand over what one optimizer remembers to another, matched by the variable it belongs to."""

import warnings
from collections import defaultdict

import keras
import tensorflow as tf

from . import private
from .inside import family, is_leaf, slots_by_variable
from .kinds import Variable
from .masks import path_of


def take_over(new: keras.Optimizer, old: keras.Optimizer) -> None:
    """Give `new`, a freezable optimizer, what `old` remembers; see `FreezesCells.take_over`."""
    if not isinstance(old, keras.Optimizer):
        raise TypeError(
            f"{old!r} arrived; an optimizer of Keras 3 was wanted. "
            "Of others nothing is taken over: go on without."
        )
    if not new.built:
        message = "call build(model.trainable_variables) first, then take_over(old)"
        raise ValueError(f"{new.name!r} is not built yet: {message}.")
    known, missing = _Memory(old), _Missing()
    if not any(known.keeper(variable) for variable in private.built_for(new)):
        raise ValueError(
            f"The optimizer that arrived, {old.name!r}, has trained none of the variables of this "
            f"one, {new.name!r}: it was not built, or for another model. "
            "Pass the optimizer of the run that is to go on, or go on without."
        )
    _take_masks(new, known)
    for part in family(new):
        if part.built:
            _take_slots(part, known, missing)
            _take_numbers(part, known, missing)
    for variable in private.built_for(new):  # the average of a frozen cell is the cell
        new.freeze_cells(variable, new.frozen_cells(variable))
    missing.tell(old)


class _Memory:
    """What an optimizer and those inside it keep for each variable."""

    def __init__(self, optimizer: keras.Optimizer) -> None:
        self.parts = [part for part in family(optimizer) if part.built]
        self._optimizer = optimizer
        self._kept = {
            private.key(optimizer, variable): (part, slots)
            for part in self.parts
            for variable, slots in slots_by_variable(part)
        }

    def keeper(self, variable: Variable) -> keras.Optimizer | None:
        """Return the optimizer that trained a variable, or None."""
        return self._of(variable)[0]

    def slots(self, variable: Variable) -> dict[str, Variable]:
        """Return its slots: a dict from the names of Keras' attributes to variables."""
        return self._of(variable)[1]

    def like(self, part: keras.Optimizer) -> list[keras.Optimizer]:
        """Return the optimizers whose counts a part of the new one goes on with."""
        if not is_leaf(part):
            return [one for one in self.parts if not is_leaf(one) and _alike(one, part)]
        keepers = [self.keeper(variable) for variable in private.built_for(part)]
        return [one for one in dict.fromkeys(keepers) if one is not None]

    def _of(self, variable: Variable) -> tuple[keras.Optimizer | None, dict[str, Variable]]:
        return self._kept.get(private.key(self._optimizer, variable), (None, {}))


class _Missing:
    """What could not be handed over, and for which variables."""

    def __init__(self) -> None:
        self._paths: defaultdict[str, list[str]] = defaultdict(list)

    def note(self, what: str, variable: Variable | None = None) -> None:
        """Note that something is missing, of a variable or altogether."""
        self._paths[what] += [] if variable is None else [repr(path_of(variable))]

    def tell(self, old: keras.Optimizer) -> None:
        """Warn of everything that was noted, if there is anything."""
        texts = [what + _of(paths) for what, paths in self._paths.items()]
        if texts:
            warnings.warn(f"Not taken over from {old.name!r}: {'; '.join(texts)}.", stacklevel=4)


def _of(paths: list[str]) -> str:
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return f" of {', '.join(paths[:3])}{more}" if paths else ""


def _alike(one: keras.Optimizer, other: keras.Optimizer) -> bool:
    """Return whether the numbers that two optimizers keep mean the same, as in Adam and AdamW."""
    kinds = [getattr(each, "keras_class", None) or type(each) for each in (one, other)]
    return issubclass(*kinds) or issubclass(*reversed(kinds))


def _take_masks(new: keras.Optimizer, known: _Memory) -> None:
    """Freeze what was frozen. It comes first, for a compact optimizer makes room by its masks."""
    for variable in private.built_for(new):
        for part in known.parts:
            if hasattr(part, "frozen_cells") and part.keeps(variable):
                new.freeze_cells(variable, part.frozen_cells(variable) | new.frozen_cells(variable))


def _take_slots(part: keras.Optimizer, known: _Memory, missing: _Missing) -> None:
    for variable, slots in slots_by_variable(part):
        keeper, theirs = known.keeper(variable), known.slots(variable)
        if private.AVERAGES in slots:  # Keras starts one at the weight in the first step alone
            _write(part, slots[private.AVERAGES], variable.value)
        if keeper is None:
            missing.note("anything (it has not trained this)", variable)
        elif not _alike(part, keeper):
            new, old = type(part).__name__, type(keeper).__name__
            missing.note(f"the slots of {old} (those of {new} begin empty)", variable)
        else:
            for name in {**slots, **theirs}:
                if _fits(name, slots, theirs, part, keeper):
                    _write(part, slots[name], _read(keeper, theirs[name]))
                else:
                    missing.note(_called(name, slots), variable)


def _called(name: str, slots: dict[str, Variable]) -> str:
    """Return what a slot is called that was not handed over, and where it begins instead."""
    if name == private.AVERAGES and name in slots:
        return "the average (it begins at the weight)"
    return name.strip("_").replace("_", " ")


def _fits(
    name: str,
    slots: dict[str, Variable],
    theirs: dict[str, Variable],
    part: keras.Optimizer,
    keeper: keras.Optimizer,
) -> bool:
    """Return whether both keep such a slot. A gathered gradient is of a round of one length."""
    of_one_round = part.gradient_accumulation_steps == keeper.gradient_accumulation_steps
    return name in slots and name in theirs and (name != private.GATHERED or of_one_round)


def _take_numbers(part: keras.Optimizer, known: _Memory, missing: _Missing) -> None:
    """Take over what belongs to no variable: the count of steps, the scale of a loss, and what is
    excluded from weight decay."""
    alike = known.like(part)
    if not alike:
        return
    old = max(alike, key=lambda one: int(one.iterations))
    if len({int(one.iterations) for one in alike}) > 1:
        missing.note("different counts of steps (the largest is taken)")
    theirs = private.numbers(old)
    for name, number in private.numbers(part).items():
        if _alike(part, old) and name in theirs:
            number.assign(theirs[name])
    private.continue_count(part, old)
    if not private.exclusions(part):
        private.exclude(part, private.exclusions(old))


def _read(part: keras.Optimizer, slot: keras.Variable) -> tf.Tensor:
    return part.read_slot(slot) if hasattr(part, "read_slot") else slot.value


def _write(part: keras.Optimizer, slot: keras.Variable, value: tf.Tensor) -> None:
    part.write_slot(slot, value) if hasattr(part, "write_slot") else slot.assign(value)
