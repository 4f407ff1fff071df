"""The board as a static picture: a row for each layer, in it the tiles of its variables."""

import textwrap

from matplotlib.font_manager import FontProperties
from matplotlib.patches import Rectangle
from matplotlib.textpath import TextPath

from helpers.pictures import plots

LIT, INK, SOFT, FACE, LINE = "#d6701b", "#202020", "#616161", "#ffffff", "#bdbdbd"
LABELS = {True: "● trainable", False: "○ not trainable", None: ""}
SIGNS = {"right": "✓", "missed": "!", "wrong": "✗", "": ""}
WIDTH, LEFT, MARGIN = 800, 210, 10  # pixels, as all that follows; tiles begin at LEFT
TILE, FOOT, GAP, INDENT, STEP = (132, 46), 18, 8, 18, 18
COLUMNS = (WIDTH - LEFT - MARGIN + GAP) // (TILE[0] + GAP)
INSIDE = 7  # between a tile's edge and its text
NAME = 9  # points, of a name that has room
LONG = 16  # letters; a longer name stands in two lines
SHOWN = 8  # lines of the log, the last ones


def draw(state):
    """Return a Figure, 800 pixels wide, of what a board's `state` tells.

    A filled tile has moved; below each stands its label. A bet is marked with ✓ if it came true,
    with ✗ if not, and ! stands where a tile moved without one.
    """
    rows, log = state["rows"], state["log"][-SHOWN:]
    heights = [_height(row) for row in rows]
    height = sum(heights) + 2 * MARGIN + (STEP * (len(log) + 0.8) if log else 0)
    figure, axes = plots.canvas(WIDTH, height)
    top = MARGIN
    for row, tall in zip(rows, heights):
        _row(axes, row, top)
        top += tall
    _log(axes, log, top)
    return figure


def _height(row):
    """Return how high a row is: one or more lines of tiles, or its name alone."""
    lines = -(-len(row["tiles"]) // COLUMNS)
    return lines * (TILE[1] + FOOT + GAP) + GAP if lines else STEP + GAP


def _row(axes, row, top):
    axes.plot([MARGIN, WIDTH - MARGIN], [top, top], color=LINE, linewidth=0.8)
    left, middle = MARGIN + INDENT * row["depth"], top + GAP + STEP / 2
    _text(axes, left, middle, row["name"], weight="bold")
    texts = [row["about"], LABELS[row["trainable"]]]
    if row["tiles"]:
        for line, text in enumerate(texts, 1):
            _text(axes, left, middle + 16 * line, text, size=7.5, color=SOFT)
    else:
        text = "   ".join(filter(None, texts))
        _text(axes, left + 9 * len(row["name"]) + 10, middle, text, size=7.5, color=SOFT)
    for number, tile in enumerate(row["tiles"]):
        line, column = divmod(number, COLUMNS)
        place = LEFT + column * (TILE[0] + GAP), top + GAP + line * (TILE[1] + FOOT + GAP)
        _tile(axes, tile, *place)


def _tile(axes, tile, left, top):
    width, height = TILE
    moved = bool(tile["moved"])
    edge = dict(edgecolor=LIT if moved else LINE, linewidth=1.2)
    axes.add_patch(Rectangle((left, top), width, height, facecolor=LIT if moved else FACE, **edge))
    soft = INK if moved else SOFT
    first, second = _two_lines(tile["name"])
    size = _size_that_fits(first, second)
    left += INSIDE
    _text(axes, left, top + (10 if second else 11), first, size=size, weight="bold")
    _text(axes, left, top + 24, second, size=size, weight="bold")
    if not second:
        _text(axes, left, top + 24, tile["about"], size=7, color=soft)
    did = {None: "", True: "moved", False: "stayed"}[tile["moved"]]
    _text(axes, left, top + 37, did, size=8, color=soft, weight="bold" if moved else "normal")
    sign = SIGNS[tile["mark"]] or ("?" if tile["bet"] else "")
    _text(axes, left + width - 21, top + 35, sign, size=12, weight="bold")
    _text(axes, left, top + height + 8, LABELS[tile["trainable"]], size=7, color=SOFT)


def _two_lines(name):
    """Return a long name in two parts, such as that of a slot; else all of it, and nothing."""
    cut = name.rfind("_", 0, LONG) + 1 if len(name) > LONG else len(name)
    return name[:cut], name[cut:]


def _size_that_fits(*lines):
    """Return the size in points at which bold lines have room on a tile, NAME at the most."""
    bold = FontProperties(weight="bold")
    widths = [TextPath((0, 0), line, NAME, prop=bold).get_extents().width for line in lines if line]
    room = (TILE[0] - 3 * INSIDE) * 72 / plots.DPI  # points; letters are rounded to whole pixels
    return min(NAME, NAME * room / max(widths))


def _log(axes, log, top):
    """Draw the lines that were run last, and what each led to; changed flags stand out."""
    for number, entry in enumerate(log):
        middle = top + STEP * (number + 0.8)
        _text(axes, MARGIN, middle, entry["line"], size=8, family="monospace")
        text = textwrap.shorten(entry["told"], 60, placeholder=" …")
        style = dict(color=INK, weight="bold") if entry["turned"] else dict(color=SOFT)
        _text(axes, WIDTH - MARGIN, middle, text, size=8, ha="right", **style)


def _text(axes, x, y, text, size=9, color=INK, **style):
    axes.text(x, y, text, size=size, color=color, va="center", **style)
