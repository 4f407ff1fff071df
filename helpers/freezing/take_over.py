"""Hand over what one optimizer remembers to another, matched by the variable it belongs to."""

import warnings
from collections import defaultdict

import keras

from . import private
from .inside import family, is_leaf, slots_by_variable
from .masks import path_of


def take_over(new, old):
    """Give `new`, a freezable optimizer, what `old` remembers; see `FreezesCells.take_over`."""
    if not isinstance(old, keras.Optimizer):
        told = "an optimizer of Keras 3 was wanted. Of others nothing is taken over: go on without"
        raise TypeError(f"{old!r} arrived; {told}.")
    if not new.built:
        told = "call build(model.trainable_variables) first, then take_over(old)"
        raise ValueError(f"{new.name!r} is not built yet: {told}.")
    known, missing = _Memory(old), _Missing()
    if not any(known.keeper(variable) for variable in private.built_for(new)):
        told = "it was not built, or for another model"
        raise ValueError(f"{old.name!r} has trained none of the variables of {new.name!r}: {told}.")
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

    def __init__(self, optimizer):
        self.parts = [part for part in family(optimizer) if part.built]
        self._key = lambda variable: private.key(optimizer, variable)
        self._kept = {
            self._key(variable): (part, slots)
            for part in self.parts
            for variable, slots in slots_by_variable(part)
        }

    def keeper(self, variable):
        """Return the optimizer that trained a variable, or None."""
        return self._kept.get(self._key(variable), (None, {}))[0]

    def slots(self, variable):
        """Return its slots: a dict from the names of Keras' attributes to variables."""
        return self._kept.get(self._key(variable), (None, {}))[1]

    def like(self, part):
        """Return the optimizers whose counts a part of the new one goes on with."""
        if not is_leaf(part):
            return [one for one in self.parts if not is_leaf(one) and _alike(one, part)]
        keepers = [self.keeper(variable) for variable in private.built_for(part)]
        return [one for one in dict.fromkeys(keepers) if one is not None]


class _Missing:
    """What could not be handed over, and for which variables."""

    def __init__(self):
        self._paths = defaultdict(list)

    def note(self, what, variable=None):
        """Note that something is missing, of a variable or altogether."""
        self._paths[what] += [] if variable is None else [repr(path_of(variable))]

    def tell(self, old):
        """Warn of everything that was noted, if there is anything."""
        told = [what + _of(paths) for what, paths in self._paths.items()]
        if told:
            warnings.warn(f"Not taken over from {old.name!r}: {'; '.join(told)}.", stacklevel=4)


def _of(paths):
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return f" of {', '.join(paths[:3])}{more}" if paths else ""


def _alike(one, other):
    """Whether the numbers that two optimizers keep mean the same, as in Adam and AdamW."""
    kinds = [getattr(each, "keras_class", None) or type(each) for each in (one, other)]
    return issubclass(*kinds) or issubclass(*reversed(kinds))


def _take_masks(new, known):
    """Freeze what was frozen. It comes first, for a compact optimizer makes room by its masks."""
    for variable in private.built_for(new):
        for part in known.parts:
            if hasattr(part, "frozen_cells") and part.keeps(variable):
                new.freeze_cells(variable, part.frozen_cells(variable) | new.frozen_cells(variable))


def _take_slots(part, known, missing):
    for variable, slots in slots_by_variable(part):
        keeper, theirs = known.keeper(variable), known.slots(variable)
        if keeper is None:
            missing.note("anything (it has not trained this)", variable)
        elif not _alike(part, keeper):
            missing.note(f"the slots of {type(keeper).__name__}", variable)
        else:
            for name in {**slots, **theirs}:
                if _fits(name, slots, theirs, part, keeper):
                    _write(part, slots[name], _read(keeper, theirs[name]))
                else:
                    missing.note(name.strip("_").replace("_", " "), variable)


def _fits(name, slots, theirs, part, keeper):
    """Whether both keep such a slot. A gathered gradient is of a round of one length."""
    of_one_round = part.gradient_accumulation_steps == keeper.gradient_accumulation_steps
    return name in slots and name in theirs and (name != private.GATHERED or of_one_round)


def _take_numbers(part, known, missing):
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


def _read(part, slot):
    return part.read_slot(slot) if hasattr(part, "read_slot") else slot.value


def _write(part, slot, value):
    part.write_slot(slot, value) if hasattr(part, "write_slot") else slot.assign(value)
