"""A grid of two by two cells, and what a figure looks like, for tests of pictures."""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

VALUES = np.array([[-2.0, 0.0], [1.0, 2.0]])


def mask(*cells):
    """A mask of 2×2 cells, True at these."""
    frozen = np.zeros((2, 2), bool)
    for cell in cells:
        frozen[cell] = True
    return frozen


def drawn(figure):
    """A figure as an image of floats from 0 to 1, (height, width, RGB), top first."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3] / 255
