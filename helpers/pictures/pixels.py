"""Pictures of a grid in whole pixels: drawn in milliseconds, and the same on every machine.

A stand-in for the live grid, with its leak meter and bars, and an animation of a run.
"""

import io

import numpy as np
from PIL import Image

from helpers.pictures import cells, lettering
from helpers.pictures.cells import INK, PALETTE, PAPER, WHITE
from helpers.pictures.plots import largest

HIGH, WIDE = 400, 640  # pixels: a grid is not higher, and not wider
SIDE = 50  # pixels of a cell at the most
PANEL = 210  # pixels: how wide what stands beside a grid is
ROOM = 800  # pixels: what a page of GitHub has
MARGIN = 10  # pixels around everything
BAR = 6  # pixels: the height of the bar below an animation
NARROWEST = 320  # pixels: the width of an animation, at least
BARS = 60  # pixels: the height of a bar at 100 %
SHOWN = 300  # ms: how long a frame of an animation stands
SHADE = WHITE + 5  # of a bar; that of the page on the grid is black


def still(values, frozen, title, leaked=None, *, rows=(), columns=(), words=("", ""), shares=None):
    """Return a picture of a grid with its title above and a legend, a PNG as bytes.

    values   float (rows, columns)
    frozen   bool mask of it, True = frozen: such cells are outlined as a block, and hatched
    leaked   bool mask of it: those frozen cells that have changed are crossed and outlined in red
    rows, columns, words  names, as for `lettering.framed`
    shares   what is right of the held-out data, if anything is: a dict with "all", a share from 0
             to 1, with "by_page", a dict of such from pages, and with the "page" on the grid; of
             several tasks it has that of each by its name, too

    Of a grid that has more cells than there are pixels, every n-th is shown.
    """
    leaked = np.zeros_like(frozen) if leaked is None else leaked & frozen
    thin = np.s_[:: -(-len(values) // HIGH), :: -(-values.shape[1] // WIDE)]
    values, frozen, leaked = values[thin], frozen[thin], leaked[thin]
    scale, side = largest(values), _side(*values.shape)
    grid = cells.drawn(values, frozen, leaked, scale, side)
    grid = lettering.framed(grid, side, rows, columns, words)
    panel = _panel(scale, (frozen & ~leaked).any(), leaked.any(), shares or {})
    fits = grid.shape[1] + PANEL + 4 * MARGIN <= ROOM
    both = lettering.beside if fits else lettering.below
    body = both(grid, panel, gap=2 * MARGIN)
    return _png([_bordered(_titled(title, body))])


def bare(values):
    """Return the cells of a small grid of weights and nothing else, a PNG as bytes."""
    none = np.zeros(values.shape, bool)
    return _png([cells.drawn(values, none, none, largest(values), SIDE)])


def animation(values, frozen, leaked=None, side=None, *, scale=None, captions=(), **names):
    """Return an animated PNG, as bytes, that repeats for ever: one heatmap a frame, on one scale.

    `values` is float (frames, rows, columns), `frozen` and `leaked` bool of that shape; cells look
    as in `still`. A cell is `side` pixels wide, and without it as wide as there is room for; a bar
    below grows from the first frame to the last. `scale` is the magnitude at both ends of the
    colours, the largest one in `values` without it: give films that are compared the same one.
    `captions` has a line for each frame, and `names` are those for `lettering.framed`. Who shows no
    animations shows the last frame.
    """
    leaked = np.zeros_like(frozen) if leaked is None else leaked
    scale, side = scale or largest(values), side or _side(*values.shape[1:])
    frames = [
        lettering.framed(cells.drawn(*frame, scale, side), side, **names)
        for frame in zip(values, frozen, leaked)
    ]
    frames = [lettering.below(frame, _ramp(scale), gap=MARGIN) for frame in frames]
    if captions:
        frames = [_titled(caption, frame) for caption, frame in zip(captions, frames)]
    frames = [lettering.padded(frame, 0, NARROWEST - 2 * MARGIN) for frame in frames]
    width, count = max(frame.shape[1] for frame in frames), len(frames)
    frames = [
        _bordered(lettering.below(frame, _progress(width, number / count), gap=MARGIN))
        for number, frame in enumerate(frames, 1)
    ]
    return _png(frames, film=True)


def _side(rows, columns):
    """Return how many pixels wide a cell is: as wide as there is room for."""
    return max(1, min(SIDE, HIGH // rows, WIDE // columns))


def _titled(title, body):
    """Return pixels with a title above them, in lines as wide as they are."""
    width = max(body.shape[1], NARROWEST - 2 * MARGIN)
    return lettering.below(lettering.text(title, width=width), body, gap=MARGIN)


def _bordered(pixels):
    return np.pad(pixels, MARGIN, constant_values=PAPER)


def _progress(width, share):
    """Return a bar that is drawn to a share of the width."""
    bar = np.full((BAR, width), WHITE + 1, np.uint8)
    bar[:, : int(width * share)] = INK
    return bar


# --- beside the grid -------------------------------------------------------------------------


def _panel(scale, held, leaked, shares):
    """Return what stands beside a grid: what its colours and marks mean, and what is right."""
    parts = [_ramp(scale)]
    if held:
        parts.append(_mark(False, "frozen, as it was"))
    if leaked:
        parts.append(_mark(True, "frozen, yet changed"))
    parts += [lettering.text(told, lettering.SMALL, PANEL) for told in _rights(shares)]
    if len(shares.get("by_page", ())) > 1:
        parts.append(_bars(shares["by_page"], shares["page"]))
    return lettering.below(*parts, gap=MARGIN)


def _rights(shares):
    """Return lines that say how much is right: of each task, or of all where there is one."""
    tasks = {name: shares[name] for name in shares if name not in ("all", "page", "by_page")}
    if not tasks and shares.get("all") is not None:
        return [f"{100 * shares['all']:.0f} % right on held-out data"]
    return [f"{name}: {100 * share:.0f} % right" for name, share in tasks.items()]


def _ramp(scale):
    """Return the colours of the weights, and the numbers that they stand for."""
    width = PANEL - MARGIN
    ramp = np.linspace(cells.FIRST, cells.LAST, width).round().astype(np.uint8)
    ends = [
        lettering.text(each, lettering.SMALL) for each in (f"−{scale:.2g}", "0", f"{scale:.2g}")
    ]
    numbers = np.full((len(ends[0]), width), PAPER, np.uint8)
    for share, end in zip((0, 0.5, 1), ends):
        left = int(share * (width - end.shape[1]))
        numbers[:, left : left + end.shape[1]] = end
    return lettering.below(np.tile(ramp, (12, 1)), numbers, gap=2)


def _mark(leaked, words):
    """Return a cell as frozen ones look, and what that means."""
    one = np.ones((1, 1), bool)
    cell = cells.drawn(np.zeros((1, 1)), one, one & leaked, 1, 20)
    label = np.pad(lettering.text(words, lettering.SMALL), [(2, 0), (0, 0)], constant_values=PAPER)
    return lettering.beside(cell, label, gap=8)


def _bars(by_page, page):
    """Return a bar for each page, its name below: how much is right of its own examples."""
    pitch = PANEL // len(by_page)
    bars = [
        _bar(name, share or 0, INK if name == page else SHADE, pitch)
        for name, share in by_page.items()
    ]
    return lettering.beside(*bars)


def _bar(name, share, shade, pitch):
    bar = np.full((BARS, pitch), PAPER, np.uint8)
    bar[:, : pitch - 4] = WHITE + 1
    bar[BARS - round(share * BARS) :, : pitch - 4] = shade
    name = lettering.text(name, lettering.SMALL)[:, :pitch]
    left = max(0, (pitch - 4 - name.shape[1]) // 2)
    return lettering.below(bar, np.pad(name, [(0, 0), (left, 0)], constant_values=PAPER), gap=2)


def _png(frames, film=False):
    """Return pixels as a PNG, bytes; those of a film are its frames, of which the last one is shown
    first where nothing moves."""
    images = [Image.fromarray(frame) for frame in frames]
    for image in images:
        image.putpalette(PALETTE.ravel().tolist())
    moving = dict(save_all=True, append_images=images, default_image=True, loop=0, duration=SHOWN)
    data = io.BytesIO()
    images[-1].save(data, "PNG", optimize=True, **(moving if film else {}))
    return data.getvalue()
