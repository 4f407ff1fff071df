"""The exact freeze. It needs keras, tensorflow and numpy alone: copy this folder into your project.

private     every private name of Keras that this folder relies on
slots       what an optimizer keeps for each cell, and whose it is
inside      optimizers inside an optimizer, which make the slots for it
in_use      whether any mask freezes anything: if none does, a step costs nothing more
front       what both ways of freezing have in common
free        the free cells of a variable: their places, weights and slots
compact     an optimizer that keeps and steps free cells alone
optimizer   freezable(OptimizerClass): frozen cells keep every bit
watched     a variable with frozen cells: what they held, and which have changed
ways_in     by which way frozen cells changed: momentum, decay, an average, …
leak_check  LeakCheck: a callback that finds frozen cells that changed, beside any recipe
"""

from .compact import CompactCells
from .leak_check import Leak, LeakCheck, LeakError, LeakWarning
from .optimizer import FreezesCells, freezable

__all__ = [
    "CompactCells",
    "FreezesCells",
    "Leak",
    "LeakCheck",
    "LeakError",
    "LeakWarning",
    "freezable",
]
