"""Arrays that a page brings along, to be viewed as heat in place of the weights."""

from collections.abc import Mapping

import numpy as np

from helpers.playground.painter import checks

TAKEN = ("weights", "moved", "leaked")  # what a grid can be viewed as without them
LONGEST_NAME = 40


def checked(overlays, task):
    """Return for each overlay's name a dict from all pages to float32 arrays (rows, columns).

    overlays  a dict from names to numbers from 0 up: arrays of the grid's shape, or, where the task
              has several pages, of its variable's shape; None for none

    ValueError says which name or array is none, and what was wanted.
    """
    overlays = {} if overlays is None else overlays
    if not isinstance(overlays, Mapping):
        wanted = "a dict from names to arrays, such as {'Fisher': fisher},"
        raise checks.refused("The overlays", overlays, wanted)
    return {_name(name): _pages(name, array, task) for name, array in overlays.items()}


def on_screen(overlays):
    """Return what a page is told of checked overlays: for each its name, its largest number on any
    page, and its numbers on each page as bytes."""
    return [
        {
            "name": name,
            "largest": max(float(numbers.max()) for numbers in pages.values()),
            "pages": {page: numbers.tobytes() for page, numbers in pages.items()},
        }
        for name, pages in overlays.items()
    ]


def _name(name):
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME or name.lower() in TAKEN:
        others = ", ".join(map(repr, TAKEN))
        wanted = f"a text of 1 to {LONGEST_NAME} letters other than {others}"
        raise checks.refused("The name of an overlay", name, wanted)
    return name


def _pages(name, array, task):
    pages, shape = list(task.pages), tuple(task.variable.shape)
    if len(pages) > 1:
        whole = _numbers(name, array, shape)
        return {page: np.ascontiguousarray(task.grid(whole, page)) for page in pages}
    return {pages[0]: _numbers(name, array, task.grid(np.empty(shape, bool), pages[0]).shape)}


def _numbers(name, array, shape):
    """Return an array as float32, if it has this shape and nothing but numbers from 0 up."""
    given = np.asarray(array)
    if given.shape != shape:
        what = f"The overlay {name!r} of shape"
        raise checks.refused(what, given.shape, f"{shape}, a number for each cell,")
    wanted = "a finite number from 0 up"
    if given.dtype.kind not in "biuf":
        raise checks.refused(f"The overlay {name!r} of", given.dtype.name, f"{wanted} in each cell")
    with np.errstate(over="ignore"):  # what float32 cannot hold is refused as infinite
        numbers = given.astype(np.float32, order="C")
    wrong = np.argwhere(~(np.isfinite(numbers) & (numbers >= 0))).tolist()
    if wrong:
        what = f"The overlay {name!r} with, in cell {tuple(wrong[0])},"
        raise checks.refused(what, float(given[tuple(wrong[0])]), wanted)
    return numbers
