"""A short run for the picture of a playground that nobody has touched: no other keeps any of it.

    [60, np.s_[2:5, 2:6], 60]

means: train 60 steps, freeze these cells, and train 60 more.
"""

import numbers

import numpy as np

from helpers import masks
from helpers.playground import grids
from helpers.playground.pages import Pages
from helpers.playground.run import Run
from helpers.playground.trainer import LONGEST_CHUNK


def checked(parts, shape):
    """Return the parts of an example: numbers of steps, and masks of cells to freeze.

    Each part is a number of steps from 0 up, or cells of a grid of this shape: a bool mask of it,
    True = to be frozen, or rows and columns as `Playground.paint` takes them, such as
    `np.s_[2:5, 2:6]`. ValueError, IndexError or TypeError for anything else.
    """
    return [_checked(part, shape) for part in parts]


def _checked(part, shape):
    if isinstance(part, numbers.Integral) and not isinstance(part, bool | np.bool_):
        if part < 0:
            raise ValueError(f"An example of {part} steps arrived; a number from 0 up was wanted.")
        return int(part)
    if isinstance(part, tuple) and len(part) == 2:
        return grids.pick(*part, shape)
    return masks.as_frozen(part, shape)


def played(session, parts):
    """Return what a frame would show after an example, a `driver.Snapshot`; the session's run is
    then where it was. None if that has begun already, or has other weights than it was made with.

    It starts with the masks that are painted. Called between two steps, on the training thread.
    """
    loop = session.loop
    with loop.lock:  # no frame shows anything of it
        if loop.step or not _at_start(loop):
            return None
        frozen = loop.frozen
        try:
            return _played(loop, _copied(session.pages), parts)
        finally:
            loop.reset()
            loop.freeze(frozen)


def _at_start(loop):
    """Return whether no variable of the model has changed since the loop was made."""
    model = loop.task.model
    now = [*model.trainable_variables, *model.non_trainable_variables]
    return all(
        variable.numpy().tobytes() == start.tobytes()
        for variable, start in zip(now, [*loop.start[0], *loop.start[1]], strict=True)
    )


def _copied(pages):
    copied = Pages(pages.task, pages.shape, pages.page)
    copied.replace(np.stack([mask.frozen for mask in pages.masks.values()]))
    return copied


def _played(loop, pages, parts):
    run = Run(loop, pages)
    run.put_in_force()
    for part in parts:
        if isinstance(part, int):
            _train(loop, run, part)
        else:
            pages.mask.replace(pages.mask.frozen | part)
            run.put_in_force()
    run.examine()
    return run.snapshot({}, 0, str)


def _train(loop, run, steps):
    while steps:
        losses = loop.run(min(steps, LONGEST_CHUNK))
        if not len(losses):  # not finite: the picture shows what was before
            return
        run.note(losses, examine=False)
        steps -= len(losses)
