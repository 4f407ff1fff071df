"""Letters and names in pictures of whole pixels; all of them are entries of `cells.PALETTE`."""

import functools
from pathlib import Path

import matplotlib
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from helpers.pictures.cells import INK, PAPER, WHITE

SMALL, USUAL = 12, 14  # pixels
GAP = 5  # pixels between a name and the grid
LONGEST = 130  # pixels of a name
NAMED = 10  # pixels a cell, for a name at each
EVERY = (1, 2, 4, 8, 16, 32, 64, 128)  # rows from number to number

# matplotlib brings it, and it has "×" and "−", which Pillow's own has not.
FONT = Path(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")


@functools.cache
def _font(size):
    return ImageFont.truetype(FONT, size, layout_engine=ImageFont.Layout.BASIC)


def text(words, size=USUAL, width=None):
    """Return words as pixels, uint8 (height, width), in lines of up to `width` pixels where that is
    given."""
    font = _font(size)
    lines = _lines(words, font, width) if width else [words]
    high = round(1.35 * size)
    wide = int(np.ceil(max(1, *map(font.getlength, lines))))
    image = Image.new("L", (wide, high * len(lines)))
    pen = ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        pen.text((0, (number + 0.76) * high), line, 255, font, "ls")
    return WHITE + np.rint(np.asarray(image) / 255 * (INK - WHITE)).astype(np.uint8)


def _lines(words, font, width):
    """Return words as lines that are not wider than `width`, where no single word is."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.getlength(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def below(*parts, gap=0):
    """Return arrays of pixels one below the other, on paper, with their left sides in line."""
    width = max(part.shape[1] for part in parts)
    paper = np.full((gap, width), PAPER, np.uint8)
    rows = [_padded(part, (len(part), width)) for part in parts]
    return np.concatenate([each for row in rows for each in (paper, row)][1:])


def beside(*parts, gap=0):
    """Return arrays of pixels side by side, on paper, with their tops in line."""
    return below(*(part.T for part in parts), gap=gap).T


def padded(pixels, height, width):
    """Return pixels with paper below and to the right, so that they have at least this size."""
    return _padded(pixels, np.maximum(pixels.shape, (height, width)))


def _padded(pixels, shape):
    more = np.subtract(shape, pixels.shape)
    return np.pad(pixels, [(0, more[0]), (0, more[1])], constant_values=PAPER)


def framed(grid, side, rows=(), columns=(), words=("", "")):
    """Return a grid's pixels with what its rows and columns are called, to the left and above.

    `rows` and `columns` are names. Without them rows and columns have numbers from 0, where cells
    are small only every so many; names are then left out altogether. `words` say what a row and a
    column is.
    """
    row_names = _drawn(_names(rows, len(grid) // side, side))
    column_names = _drawn(_names(columns, grid.shape[1] // side, side))
    if max(name.shape[1] for name in column_names.values()) > side * _every(columns, side):
        column_names = {number: np.rot90(name) for number, name in column_names.items()}
    left = max(name.shape[1] for name in row_names.values()) + GAP
    above = max(map(len, column_names.values())) + GAP
    height, width = grid.shape
    whole = np.full((above + height, left + width), PAPER, np.uint8)
    whole[above:, left:] = grid
    for number, name in row_names.items():
        _put(whole, name, above + (number + 0.5) * side - len(name) / 2, left - GAP - name.shape[1])
    for number, name in column_names.items():
        _put(whole, name, above - GAP - len(name), left + (number + 0.5) * side - name.shape[1] / 2)
    return _with_words(whole, words, (above, left), grid.shape)


def _drawn(names):
    """Return the pixels of those names that say something, by their numbers, and of the first."""
    return {n: text(name, SMALL) for n, name in enumerate(names) if name or n == 0}


def _with_words(whole, words, corner, shape):
    """Return a grid and its names with a word above, and an upright one on the left, each in the
    middle of the grid."""
    row, column = (text(word, SMALL) for word in words)
    (above, left), (height, width) = corner, shape
    if words[1]:
        whole = np.pad(whole, [(len(column), 0), (0, 0)], constant_values=PAPER)
        _put(whole, column, 0, left + (width - column.shape[1]) / 2)
        above += len(column)
    if words[0]:
        whole = np.pad(whole, [(0, 0), (len(row), 0)], constant_values=PAPER)
        _put(whole, np.rot90(row), above + (height - row.shape[1]) / 2, 0)
    return whole


def _put(whole, part, top, left):
    """Draw pixels at a place, and leave out what does not fit there."""
    top, left = max(0, round(top)), max(0, round(left))
    room = whole[top : top + part.shape[0], left : left + part.shape[1]]
    room[:] = np.maximum(room, part[: room.shape[0], : room.shape[1]])


def _every(names, side):
    """Return how many rows there are from name to name, or from number to number."""
    return 1 if names else next((n for n in EVERY if n * side >= 1.5 * SMALL), EVERY[-1])


def _names(names, count, side):
    """Return what stands at each of `count` rows, a text or "" each."""
    if names:
        return [_short(str(name)) for name in names] if side >= NAMED else [""] * count
    every = _every(names, side)
    return [str(number) if number % every == 0 else "" for number in range(count)]


def _short(name):
    """Return a name, or as much of it as there is room for."""
    font, cut = _font(SMALL), name
    while font.getlength(cut) > LONGEST:
        name = name[:-1]
        cut = f"{name}…"
    return cut
