"""Pictures of a grid in whole pixels: drawn in milliseconds, and the same on every machine.

A stand-in for the live grid, which is on the way to its first display, and an animation of a run.
"""

import io

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from helpers.pictures.plots import COLOURS, largest

WIDE = 400  # pixels, of the longer side of a still picture, or a little less
TITLE = 26  # pixels above it
BAR = 6  # pixels below an animation
INK = 255  # the entry of the palette for hatches, crosses and the bar
HALO = 1  # and the one beside a hatch, for dark cells; weights are drawn from 2 to 254
PALETTE = COLOURS[0].copy()
PALETTE[[HALO, INK]] = [[255], [0x30]]


def still(values, frozen, title):
    """Return a heatmap of weights, a PNG as bytes, with its title above.

    `values` is float (rows, columns), `frozen` a bool mask of it, True = frozen, hatched. Of a grid
    that has more cells than there are pixels, every n-th is shown.
    """
    thin = np.s_[:: -(-len(values) // WIDE), :: -(-values.shape[1] // WIDE)]
    values, frozen = values[thin], frozen[thin]
    page = _page(values, frozen, np.zeros_like(frozen), largest(values), WIDE // max(values.shape))
    picture = np.full((page.shape[0] + TITLE, WIDE, 3), 255, np.uint8)
    picture[TITLE:, : page.shape[1]] = PALETTE[page]
    image = Image.fromarray(picture)
    ImageDraw.Draw(image).text((4, 4), title, tuple(PALETTE[INK]), ImageFont.load_default(14))
    return _png(image)


def animation(values, frozen, leaked=None, side=None, milliseconds=300):
    """Return an animated PNG, as bytes, that repeats for ever: one heatmap a frame, on one scale.

    `values` is float (frames, rows, columns), `frozen` and `leaked` bool of that shape: frozen
    cells are hatched, those of them that have leaked are crossed. A cell is `side` pixels wide,
    24 without it, or fewer if there are many; a bar below grows from the first frame to the last.
    Who shows no animations shows the last frame.
    """
    leaked = np.zeros_like(frozen) if leaked is None else leaked
    scale, side = largest(values), side or max(1, min(24, WIDE // max(values.shape[1:])))
    pages = [_page(*frame, scale, side) for frame in zip(values, frozen, leaked)]
    frames = [_with_bar(page, number / len(pages)) for number, page in enumerate(pages, 1)]
    for frame in frames:
        frame.putpalette(PALETTE.ravel().tolist())
    last = dict(append_images=frames, default_image=True)
    return _png(frames[-1], save_all=True, duration=milliseconds, loop=0, **last)


def _page(values, frozen, leaked, scale, side):
    """Return a heatmap as entries of the palette: 128 is a weight of zero, 0 one that is not
    finite."""
    with np.errstate(invalid="ignore"):
        shades = np.rint(128 + 126 * np.asarray(values, float) / scale)
    shades = np.where(np.isfinite(shades), shades, 0)
    shades, held, leaked = (
        np.kron(a, np.ones((side, side), a.dtype)) for a in (shades, frozen & ~leaked, leaked)
    )
    y, x = np.indices(shades.shape)
    stripe = np.where(held, (x + y) % 8, 4)
    x, y = x % side, y % side
    cross = leaked & ((abs(x - y) < 2) | (abs(x + y - side + 1) < 2))
    choices = [cross | (stripe < 2), (stripe == 2) | (stripe == 7)]
    return np.select(choices, [INK, HALO], shades).astype(np.uint8)


def _with_bar(page, share):
    """Return a page as an image, with a bar below that is drawn to a share of the width."""
    page = np.pad(page, [(0, BAR), (0, 0)], constant_values=128)
    page[-BAR:, : int(page.shape[1] * share)] = INK
    return Image.fromarray(page)


def _png(image, **options):
    data = io.BytesIO()
    image.save(data, "PNG", **options)
    return data.getvalue()
