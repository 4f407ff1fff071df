"""The exact freeze. It needs keras, tensorflow and numpy alone: copy this folder into your project.

slots      what an optimizer keeps for each cell, and whose it is
in_use     whether any mask freezes anything: if none does, a step costs nothing more
optimizer  freezable(OptimizerClass): frozen cells keep every bit
"""

from .optimizer import FreezesCells, freezable

__all__ = ["FreezesCells", "freezable"]
