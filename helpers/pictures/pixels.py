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
NAMED = 10  # pixels a cell, for a name beside it
LONGEST = 90  # pixels of a name
GAP = 4  # pixels between a name and the grid
INK = 255  # the entry of the palette for hatches, crosses and the bar
HALO = 1  # and the one beside a hatch, for dark cells; weights are drawn from 2 to 254
PALETTE = COLOURS[0].copy()
PALETTE[[HALO, INK]] = [[255], [0x30]]


def still(values, frozen, title, rows=(), columns=()):
    """Return a heatmap of weights, a PNG as bytes, with its title above.

    `values` is float (rows, columns), `frozen` a bool mask of it, True = frozen, hatched. Of a grid
    that has more cells than there are pixels, every n-th is shown. `rows` and `columns` are names,
    which stand beside the grid where a cell is large enough.
    """
    thin = np.s_[:: -(-len(values) // WIDE), :: -(-values.shape[1] // WIDE)]
    values, frozen = values[thin], frozen[thin]
    side = WIDE // max(values.shape)
    page = _page(values, frozen, np.zeros_like(frozen), largest(values), side)
    ink = tuple(PALETTE[INK])
    grid = _named(
        Image.fromarray(PALETTE[page].astype(np.uint8)), rows, columns, side, "white", ink
    )
    image = Image.new("RGB", (max(WIDE, grid.width), TITLE + grid.height), "white")
    image.paste(grid, (0, TITLE))
    ImageDraw.Draw(image).text((4, 4), title, ink, ImageFont.load_default(14))
    return _png(image)


def animation(values, frozen, leaked=None, side=None, milliseconds=300, *, rows=(), columns=()):
    """Return an animated PNG, as bytes, that repeats for ever: one heatmap a frame, on one scale.

    `values` is float (frames, rows, columns), `frozen` and `leaked` bool of that shape: frozen
    cells are hatched, those of them that have leaked are crossed. A cell is `side` pixels wide,
    24 without it, or fewer if there are many; a bar below grows from the first frame to the last.
    Who shows no animations shows the last frame. `rows` and `columns` are names, as for `still`.
    """
    leaked = np.zeros_like(frozen) if leaked is None else leaked
    scale, side = largest(values), side or max(1, min(24, WIDE // max(values.shape[1:])))
    pages = [_page(*frame, scale, side) for frame in zip(values, frozen, leaked)]
    frames = [_with_bar(page, number / len(pages)) for number, page in enumerate(pages, 1)]
    frames = [_named(frame, rows, columns, side, 128, INK) for frame in frames]
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


def _named(image, rows, columns, side, paper, ink):
    """Return the image of a grid with names beside its rows and above its columns, if there are
    names, and a cell of `side` pixels has room for one."""
    if side < NAMED or not (rows or columns):
        return image
    font = ImageFont.load_default(min(12, side - 1))
    rows, columns = ([_short(name, font) for name in names] for names in (rows, columns))
    widths = [max([0, *map(font.getlength, names)]) for names in (rows, columns)]
    upright = widths[1] > side
    left = int(widths[0]) + 2 * GAP if rows else 0
    above = int(widths[1] if upright else 12) + 2 * GAP if columns else 0
    named = Image.new(image.mode, (image.width + left, image.height + above), paper)
    named.paste(image, (left, above))
    for row, name in enumerate(rows):
        _write(named, (left - GAP, above + (row + 0.5) * side), name, font, ink, "rm")
    for column, name in enumerate(columns):
        where = left + (column + 0.5) * side, above - GAP
        _write(named, where, name, font, ink, "lm" if upright else "mb", upright)
    return named


def _short(name, font):
    """Return a name, or as much of it as there is room for."""
    cut = name
    while font.getlength(cut) > LONGEST:
        name = name[:-1]
        cut = f"{name}…"
    return cut


def _write(image, where, text, font, ink, anchor, upright=False):
    """Write a text; `where` is in pixels, and an upright one begins there and goes up."""
    shades = image.mode == "RGB"  # a palette has none between ink and paper
    if not upright:
        pen = ImageDraw.Draw(image)
        pen.fontmode = "L" if shades else "1"
        pen.text(where, text, ink, font, anchor)
        return
    letters = Image.new("L" if shades else "1", (LONGEST + 2 * GAP, 16))
    ImageDraw.Draw(letters).text((0, 8), text, 255, font, anchor)
    letters = letters.rotate(90, expand=True)
    image.paste(ink, (int(where[0]) - 8, int(where[1]) - letters.height), letters)


def _with_bar(page, share):
    """Return a page as an image, with a bar below that is drawn to a share of the width."""
    page = np.pad(page, [(0, BAR), (0, 0)], constant_values=128)
    page[-BAR:, : int(page.shape[1] * share)] = INK
    return Image.fromarray(page)


def _png(image, **options):
    data = io.BytesIO()
    image.save(data, "PNG", **options)
    return data.getvalue()
