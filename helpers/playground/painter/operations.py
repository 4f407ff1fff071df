"""What a browser may ask of a painted mask: one short function each.

Each gets the painter, the message and its buffers; it checks all of them before it changes
anything. They run under the link's lock, so none may wait for another thread.
"""

import numpy as np

from helpers import masks
from helpers.playground.painter import checks


def paint(painter, message, buffers):
    """Freeze or thaw the cells that the buffer lists, as a part of a stroke."""
    mask, frozen = painter.mask_of(message), checks.truth(message, "frozen")
    stroke = message["client"], checks.whole(message, "stroke")
    mask.paint(_cells(buffers, mask), frozen, stroke)


def _cells(buffers, mask):
    """Return the flat indexes in an operation's only buffer, int32."""
    sizes = [len(memoryview(buffer).cast("B")) for buffer in buffers]
    if len(sizes) != 1 or sizes[0] % 4:
        raise checks.refused("Cells in buffers of", sizes, "one buffer of four bytes a cell")
    cells, count = np.frombuffer(buffers[0], np.int32), mask.frozen.size
    outside = cells[(cells < 0) | (cells >= count)]
    if outside.size:
        raise checks.refused("Cell", int(outside[0]), f"one from 0 to {count - 1}")
    return cells


def undo(painter, message, _):
    """Take back the last stroke."""
    painter.mask_of(message).undo()


def redo(painter, message, _):
    """Paint the last undone stroke again."""
    painter.mask_of(message).redo()


def invert(painter, message, _):
    """Freeze what is free, and thaw what is frozen."""
    mask = painter.mask_of(message)
    mask.replace(~mask.frozen)


def clear(painter, message, _):
    """Thaw every cell."""
    mask = painter.mask_of(message)
    mask.replace(np.zeros(mask.shape, bool))


def largest(painter, message, _):
    """Freeze the fraction of cells with the largest weights."""
    mask, fraction = painter.mask_of(message), checks.share(message, "fraction")
    if mask is not painter.mask:
        raise ValueError(
            "The largest weights were asked for of a grid that is no longer shown, and nothing "
            "was frozen. Turn back to it, and ask again."
        )
    mask.replace(masks.largest(painter.driver.snapshot()["values"], fraction))


def random(painter, message, _):
    """Freeze a random fraction of the cells, another one each time."""
    mask, fraction = painter.mask_of(message), checks.share(message, "fraction")
    mask.replace(masks.random(mask.shape, fraction, seed=message["seq"]))


OPERATIONS = {
    "paint": paint,
    "undo": undo,
    "redo": redo,
    "invert": invert,
    "clear": clear,
    "largest": largest,
    "random": random,
}
