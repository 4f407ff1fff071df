"""What a grid's cells look like, in whole pixels, each an entry of one palette of 256 colours.

Frozen and leaked cells look as on the live grid (`playground/painter/browser/pixels.mjs`): a block
of frozen cells has an outline, and a leaked one is red, with stripes both ways. The hatch is wider
than there, for a picture has nothing but its colours to tell the weights.
"""

import numpy as np
from matplotlib import colors

from helpers.pictures import plots

ODD, PAPER, RED, FIRST, ZERO, LAST, WHITE, INK = 0, 1, 2, 3, 123, 243, 244, 255
REACH = LAST - ZERO  # entries on each side of zero
CROSS, EDGE = 12, 3  # pixels: from stripe to stripe of a leaked cell; of the widest outline
NARROW, WIDE = 8, 12  # from stripe to stripe of a hatch
LARGE = 24  # pixels a cell, for the wide one


def _palette():
    """Return the colours: what is not finite, paper, red, the weights, and shades from white to
    ink."""
    weights = plots.WEIGHTS(np.linspace(0, 1, LAST - FIRST + 1))[:, :3]
    greys = np.linspace(1, 0x20 / 255, INK - WHITE + 1)[:, None].repeat(3, 1)
    odd = [colors.to_rgb(each) for each in (plots.NOT_FINITE, "white", "#e1141e")]
    return np.rint(255 * np.vstack([odd, weights, greys])).astype(np.uint8)


PALETTE = _palette()


def drawn(values, frozen, leaked, scale, side):
    """Return a heatmap, uint8 (rows · side, columns · side), of entries of PALETTE.

    values  float (rows, columns)
    frozen  bool mask of it, True = frozen
    leaked  bool mask of it: frozen cells that have changed
    scale   the magnitude at both ends of the colours
    side    pixels of a cell's side
    """
    shades = np.clip(np.nan_to_num(values, nan=0.0) / scale, -1, 1)
    shades = np.where(np.isfinite(values), np.rint(ZERO + REACH * shades), ODD)
    if not frozen.any():  # as a grid is at first, which somebody waits for
        return _enlarged(shades.astype(np.uint8), side)
    leaked = frozen & leaked
    edge = max(1, min(EDGE, round(side / 16)))
    outline, beside = _outline(frozen, side, edge), _outline(frozen, side, edge + 1)
    shades, frozen, leaked = (_enlarged(each, side) for each in (shades, frozen, leaked))
    stripe, halo = _stripes(shades.shape, frozen & ~leaked, leaked, side)
    ink = frozen & (outline | (stripe & ~beside))
    paper = frozen & (beside | halo) & ~ink
    return np.select([ink & leaked, ink, paper], [RED, INK, PAPER], shades).astype(np.uint8)


def _enlarged(cells, side):
    return np.kron(cells, np.ones((side, side), cells.dtype))


def _stripes(shape, held, leaked, side):
    """Return the pixels of stripes, bool, and those beside them, which stay white."""
    y, x = np.indices(shape)
    hatch = (x + y) % (WIDE if side >= LARGE else NARROW)
    ways = (x + y) % CROSS, (x - y) % CROSS
    cross = (ways[0] < 2) | (ways[1] < 2)
    along = np.any([(way == 2) | (way == CROSS - 1) for way in ways], axis=0)
    return (held & (hatch == 0)) | (leaked & cross), (held & (hatch == 1)) | (leaked & along)


def _outline(frozen, side, edge):
    """Return the pixels, bool, at the sides of frozen cells beyond which no cell is frozen."""
    free = ~np.pad(frozen, 1)
    y, x = np.indices((frozen.shape[0] * side, frozen.shape[1] * side)) % side
    sides = [
        (free[:-2, 1:-1], y < edge),
        (free[2:, 1:-1], y >= side - edge),
        (free[1:-1, :-2], x < edge),
        (free[1:-1, 2:], x >= side - edge),
    ]
    return np.any([_enlarged(frozen & beyond, side) & near for beyond, near in sides], axis=0)
