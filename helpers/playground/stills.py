"""Pictures of a playground that stay as they are, for readers without a kernel."""

import itertools

import numpy as np
from IPython.display import Image

from helpers.pictures import microscope, pixels, plots


def picture(lab):
    """Return what the cells held when they were frozen, hold now, and how far they have moved."""
    lab.session.settle()
    at_freeze = lab.session.pages.grid(lab.session.when_frozen())
    grids, names = (at_freeze, lab.weights, lab.frozen, lab.leaks()), lab.task.names
    return Image(plots.png(plots.frozen_now_moved(*grids, **names.beside(), words=names.words)))


def traces(lab):
    """Return what the pinned cells went through; ValueError if nothing was recorded."""
    return Image(plots.png(microscope.draw(*lab.session.records())))


def animation(lab, steps, frames):
    """Train `steps` steps, and return the grid at up to `frames` moments as a moving picture."""
    shown = [(lab.weights, lab.frozen, lab.leaks())]
    for now, until in itertools.pairwise(np.linspace(0, steps, frames).round().astype(int)):
        lab.train(until - now)
        shown.append((lab.weights, lab.frozen, lab.leaks()))
    return Image(pixels.animation(*map(np.stack, zip(*shown)), **lab.task.names.beside()))
