"""A grid of two by two cells, for tests of pictures."""

import numpy as np

VALUES = np.array([[-2.0, 0.0], [1.0, 2.0]])


def mask(*cells):
    """A mask of 2×2 cells, True at these."""
    frozen = np.zeros((2, 2), bool)
    for cell in cells:
        frozen[cell] = True
    return frozen
