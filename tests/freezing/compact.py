"""A compact optimizer beside the plain one: its slots, spread over the cells that they are for."""

import dataclasses
import functools
import warnings

import hypothesis.strategies as st
import numpy as np
import pytest

from helpers.freezing import compact, freezable, picked, slots
from tests.freezing.cases import CLASSES, Case, Pair, cases

EPSILON = {"bfloat16": 2**-7, "float16": 2**-10, "float32": 2**-23, "float64": 2**-52}
FIT = [cls for cls in CLASSES if cls in slots.CELL_BY_CELL - set(compact.UNFIT)]


KINDS = "small", "large", "masked"


def take_for(patch, kind):
    """Take variables of any size for small ones, for large ones, to which XLA writes, or for those
    of which more than a third is free, which get a mask."""
    warnings.filterwarnings("ignore", message=".*more than a third")  # told of each such mask
    patch.setattr(picked, "LARGE", 0 if kind == "large" else 2**60)
    patch.setattr(compact, "LARGE", 0 if kind == "masked" else 2**60)


class Spread:
    """A compact slot as an array of its variable's shape, 0 where the cell is frozen."""

    def __init__(self, read, frozen):
        self.read, self.frozen, self.dtype = read, frozen, read().dtype.name

    @property
    def value(self):
        slot = self.read().numpy()
        values = np.zeros(self.frozen.shape, slot.dtype)
        values[~self.frozen] = slot[~self.frozen] if slot.shape == self.frozen.shape else slot
        return values

    numpy = value.fget


@dataclasses.dataclass(frozen=True)
class CompactCase(Case):
    """A case of variables of one kind; see `take_for`."""

    kind: str = "small"


class CompactPair(Pair):
    """As `Pair`; of a slot it compares what there is."""

    freezable = staticmethod(functools.partial(freezable, compact=True))

    def run(self):
        with pytest.MonkeyPatch.context() as patch:
            take_for(patch, self.case.kind)
            return super().run()

    def slot(self, variable, name):
        return self.ours.slots_of(variable)[name]

    def held(self, variable, old):
        """A frozen cell has no slots, or those of a fresh optimizer."""
        return None if isinstance(variable, Spread) else old

    def differ(self, mine, theirs):
        """A NaN is a NaN, whatever its sign: that depends on where in a vector it is made. And the
        norm of a shorter vector is summed in another order, so that clipping rounds otherwise."""
        differ = super().differ(mine, theirs) & ~(np.isnan(mine) & np.isnan(theirs))
        if {"clipnorm", "global_clipnorm"} & set(self.case.options):
            some = 8 * EPSILON.get(mine.dtype.name, 0)
            differ &= ~np.isclose(mine.astype(float), theirs.astype(float), some, some)
        return differ

    def state(self):
        pairs = list(zip(self.mine, self.theirs, self.frozen))
        theirs = {variable.name: variable for variable in self.plain.variables}
        for variable, frozen in zip(self.mine, self.frozen):
            for name in self.ours.slots_of(variable):
                read = functools.partial(self.slot, variable, name)
                twin = theirs.pop(f"{variable.name}_{name}")
                pairs.append((Spread(read, frozen), twin, frozen))
        # What is left belongs to no cell: the count of steps, the learning rate, Nadam's product.
        kept = {id(piece) for cells in self.ours.registry.cells for piece in cells.pieces}
        others = [variable for variable in self.ours.variables if id(variable) not in kept]
        never = np.zeros((), bool)
        return [*pairs, *((a, b, never) for a, b in zip(others, theirs.values(), strict=True))]


def compact_cases():
    """Cases of `cases` that a compact optimizer takes."""
    refused = dict(wrapper="", constraint=False, on_thaw="reset")

    def accepted(case, kind):
        return CompactCase(**vars(case) | refused, kind=kind)

    return st.builds(accepted, cases(FIT), st.sampled_from(["small", "masked"]))
