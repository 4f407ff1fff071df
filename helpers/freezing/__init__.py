"""The exact freeze. It needs keras, tensorflow and numpy alone: copy this folder into your project.

kinds       names for types that many signatures share
called      which line of the user's code a warning points at
private     every private name of Keras that this folder relies on
masks       boolean masks over a variable, True = frozen; frozen_rows
places      where picked cells are
slots       what an optimizer keeps for each cell, and whose it is
inside      optimizers inside an optimizer, which make the slots for it
in_use      whether any mask freezes anything: if none does, a step costs nothing more
writes      writes that spare frozen cells
state       masks that come back from files, pickles and copies; Keras saves them with the slots
take_over   what one optimizer remembers, handed over to another
optimizer   an optimizer whose frozen cells keep every bit
picked      the free cells of a variable as a vector: their places, weights and slots
compact     an optimizer that keeps and steps free cells alone
classes     freezable(OptimizerClass): the subclasses
watched     a variable with frozen cells: what they held, and which have changed
ways_in     by which way frozen cells changed: momentum, decay, an average, …
advice      what a warning says of each way, and what helps
report      what is said of frozen cells that have changed: a Leak
leak_check  LeakCheck: a callback that finds frozen cells that changed, beside any recipe
"""

from .classes import freezable
from .compact import CompactCells
from .leak_check import LeakCheck
from .masks import frozen_rows
from .optimizer import FreezesCells
from .report import Leak, LeakError, LeakWarning

__all__ = [
    "CompactCells",
    "FreezesCells",
    "Leak",
    "LeakCheck",
    "LeakError",
    "LeakWarning",
    "freezable",
    "frozen_rows",
]
