"""The pictures that notebooks keep, and how two of them are compared."""

import io
import re

import matplotlib.image
import numpy as np

from helpers.tools import notebooks

GRID = re.compile(r"\blab(\.picture\(\))?\s*$")
CLEARLY = 0.2  # of the way from black to white, in the channel that differs most
# Noise of 6e-4 on the weights, as another processor makes it, changes 0.03 % of the pixels at the
# most: a digit in a title. One hatched cell of 8×8 is 0.3 % of a picture, one of 16×16 is 0.08 %.
LIMIT = 0.0005


def code(notebook):
    """The code cells of a notebook."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def pictures(notebook):
    """Every PNG of a notebook, as an array (rows, columns, 4) from 0 to 1."""
    return [decoded(png) for _, png in notebooks.pictures(notebook)]


def grids(notebook):
    """Which of them show a playground's grid, bools: the cell ends with `lab` or its picture."""
    return [bool(GRID.search(cell.source)) for cell, _ in notebooks.pictures(notebook)]


def decoded(png):
    """The bytes of a PNG as an array (rows, columns, 4) from 0 to 1."""
    return matplotlib.image.imread(io.BytesIO(png))


def difference(one, other):
    """The share of clearly different pixels, 0 to 1, of two pictures; 1 if their sizes differ."""
    if one.shape != other.shape:
        return 1.0
    return float(np.mean(np.abs(one - other).max(axis=-1) > CLEARLY))


def alike(one, other):
    """Whether two pictures show the same; rounding may shade a cell, but not move a hatch."""
    return difference(one, other) <= LIMIT
