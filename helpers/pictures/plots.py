"""Static pictures of a grid of cells: heatmaps, when frozen / now / moved.

A frozen cell that has kept its value is hatched, one that has leaked is crossed: two shapes, which
stay apart without colours. Where cells are too small for strokes of their own, whole regions are.
"""

import io

import numpy as np
from IPython.display import Image
from matplotlib import colors
from matplotlib.figure import Figure

from helpers import masks

# Blue and orange stay apart in every common kind of colour blindness; white is zero.
WEIGHTS = colors.LinearSegmentedColormap.from_list(
    "weights", ["#053061", "#2f79b5", "#a7cfe4", "#f7f7f7", "#f9b77e", "#d6701b", "#6b2c04"]
)
MOVED = colors.LinearSegmentedColormap.from_list(
    "moved", ["#d9d3ea", "#a58cc9", "#7a4aa5", "#4c1a78", "#22043d"]
)
UNMOVED, NOT_FINITE, LEAKED, HELD = "#f4f4f0", "#ffd500", "#d81b1b", "#303030"
# Strokes in a cell, whose middle is (0, 0), as (x, y) with y downwards. A hatch goes on from cell
# to cell, a cross keeps to its own.
HATCH = [((-0.5, 0.5), (0.5, -0.5)), ((-0.5, 0), (0, -0.5)), ((0, 0.5), (0.5, 0))]
CROSS = [((-0.38, -0.38), (0.38, 0.38)), ((-0.38, 0.38), (0.38, -0.38))]
SMALL = 11  # points; in a smaller cell there is room for the first stroke of a hatch alone
TINY = 7  # points; in a smaller cell there is room for none
SMALLEST_NAME = 5.5  # points
MANY = 200  # so many tiny cells are a wide region
DPI = 100  # of every picture
APART = 3  # times as large, and two pictures have a scale each


def _bytes(colour_map, first):
    table = (colour_map(np.linspace(0, 1, 256))[:, :3] * 255).round().astype(np.uint8)
    table[0] = np.array(colors.to_rgb(first)) * 255
    return table


# For the widget: two tables of 256 colours. The first entry of each is the exception: a weight
# that is NaN or infinite, a cell that has not moved by one bit.
COLOURS = np.stack([_bytes(WEIGHTS, NOT_FINITE), _bytes(MOVED, UNMOVED)])


def figure(width=4.0, height=4.0, panels=1):
    """Return (figure, list of Axes): `panels` side by side, each width×height inches."""
    picture = Figure(figsize=(width * panels, height), layout="constrained")
    picture.get_layout_engine().set(w_pad=0.1, h_pad=0.1)
    return picture, list(np.atleast_1d(picture.subplots(1, panels)))


def canvas(width, height):
    """Return (figure, axes) of so many pixels, to draw on by pixels: x to the right, y down."""
    picture = Figure((width / DPI, height / DPI), dpi=DPI, facecolor="white")
    axes = picture.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    return picture, axes


def heatmap(axes, values, frozen=None, leaked=None, title="", scale=None):
    """Draw weights, float (rows, columns), around a white zero; hatch the frozen cells.

    `frozen` and `leaked` are bool masks of the same shape; leaked cells are crossed in red.
    `scale` is the magnitude at the ends of the colours, the largest one in `values` without it.
    """
    scale = scale or largest(values)
    axes.imshow(values, cmap=WEIGHTS, vmin=-scale, vmax=scale, interpolation="nearest")
    return _finish(axes, values.shape, frozen, leaked, title)


def moved(axes, before, after, frozen=None, leaked=None):
    """Draw how far each cell moved, almost white where not at all; the title says how far.

    The masks are those of `heatmap`.
    """
    distance = _distance(before, after)
    shown = np.ma.masked_where((distance == 0) | ~np.isfinite(distance), distance)
    axes.set_facecolor(UNMOVED)
    axes.imshow(shown, cmap=MOVED, vmin=0, interpolation="nearest")
    title = f"moved by {distance.max():.2g} at most"
    return _finish(axes, distance.shape, frozen, leaked, title)


def heat(values, frozen, leaked, name, *, rows=(), columns=(), words=("", "")):
    """Return a figure of numbers from 0 up, (rows, columns), the larger, the darker, with a key.

    `name` says what they are. The masks and the other names are those of `frozen_now_moved`.
    """
    picture, (axes,) = _panels(values.shape, 1)
    axes.set_facecolor(UNMOVED)
    axes.imshow(np.ma.masked_where(values == 0, values), cmap=MOVED, vmin=0, vmax=largest(values))
    _finish(axes, values.shape, frozen, leaked, "")
    axes.set(xlabel=words[1], ylabel=words[0])
    _name_cells(axes, values.shape, rows, columns)
    key = "\n".join([f"{name}: 0 to {values.max():.2g}, light to dark", *_marks(frozen, leaked)])
    picture.supxlabel(key, fontsize=11, color="#505050")
    return picture


def frozen_now_moved(at_freeze, now, frozen, leaked=None, *, rows=(), columns=(), words=("", "")):
    """Return a figure of three heatmaps, with a key: when frozen, now, moved since frozen.

    `at_freeze` is float (rows, columns): of a frozen cell its value when it was frozen, of a free
    one its initial value, from which it has moved. `now` has the same shape, and `frozen` and
    `leaked` are bool masks of it: a frozen cell that has held is hatched, one that has leaked is
    crossed. If the values of one time are much smaller, each time has a scale of its own. `rows`
    and `columns` are names, which are written where a cell is large enough, and `words` say what a
    row and a column is.
    """
    leaked = np.zeros(at_freeze.shape, bool) if leaked is None else leaked
    frozen, leaked = (masks.as_frozen(mask, at_freeze.shape) for mask in (frozen, leaked))
    picture, (left, middle, right) = _panels(at_freeze.shape, 3)
    scales = [largest(values) if np.any(values) else 0.0 for values in (at_freeze, now)]
    apart = 0 < APART * min(scales) < max(scales)
    scales = scales if apart else [max(scales) or 1.0] * 2
    key = _key(scales[0], apart, _distance(at_freeze, now).max(), frozen, leaked)
    picture.supxlabel(key, fontsize=11, color="#505050")
    times = (left, at_freeze, "when frozen"), (middle, now, "now")
    for (axes, values, title), scale in zip(times, scales):
        title += f" (±{scale:.2g})" if apart else ""
        heatmap(axes, values, frozen, leaked, title, scale)
    moved(right, at_freeze, now, frozen, leaked).set_title("moved since frozen")
    left.set_ylabel(words[0])
    for axes in left, middle, right:
        axes.set_xlabel(words[1])
        _name_cells(axes, at_freeze.shape, rows if axes is left else (), columns)
    return picture


def _name_cells(axes, shape, rows, columns):
    """Write names beside rows and below columns, if a cell has room for them."""
    size = min(9, 0.9 * _side(axes, shape))
    if size < SMALLEST_NAME:
        return
    axes.tick_params(length=0, pad=2)
    if rows:
        axes.set_yticks(range(shape[0]), rows, fontsize=size)
    if columns:
        axes.set_xticks(range(shape[1]), columns, fontsize=size, rotation=90)


def _panels(shape, count):
    """Return a figure of panels for grids of a shape, and its Axes."""
    rows, columns = shape
    width, height = 3 * min(1, max(columns / rows, 0.8)), 3 * min(1, max(rows / columns, 0.2))
    return figure(width, height + 0.7, panels=count)


def _key(scale, apart, way, frozen, leaked):
    """Return what colours and marks mean, in up to two lines."""
    texts = ["blue to orange: − to +" if apart else f"blue to orange: −{scale:.2g} to {scale:.2g}"]
    texts += [f"purple: moved, by {way:.2g} at most"]
    marks = _marks(frozen, leaked)
    marks += ["free cells: moved since the start"] if not np.all(frozen) else []
    return "\n".join("  ·  ".join(line) for line in (texts, marks) if line)


def _marks(frozen, leaked):
    """Return what the marks of frozen cells mean, a text for each that is there."""
    held = ["hatched: frozen, and held"] if np.any(frozen & ~leaked) else []
    return held + (["crossed: frozen, yet changed"] if np.any(leaked) else [])


def png(picture):
    """Return the bytes of a PNG of a figure."""
    data = io.BytesIO()
    picture.savefig(data, format="png", dpi=DPI, metadata={"Software": None})
    return data.getvalue()


def image(picture):
    """Return a figure as a picture that a notebook shows."""
    return Image(png(picture))


def _distance(before, after):
    """Return how far each cell moved."""
    with np.errstate(invalid="ignore"):
        return np.abs(after - before)


def largest(values):
    """Return the largest finite magnitude, a float; 1 where there is none."""
    return float(np.max(np.abs(values[np.isfinite(values)]), initial=0)) or 1.0


def _finish(axes, shape, frozen, leaked, title):
    axes.set(title=title, xticks=[], yticks=[])
    if frozen is None:
        return axes
    leaked = masks.as_frozen(np.zeros(shape, bool) if leaked is None else leaked, shape)
    held = masks.as_frozen(frozen, shape) & ~leaked
    if _side(axes, shape) > TINY:
        roomy = _side(axes, shape) > SMALL
        _stroke(axes, held, HATCH if roomy else HATCH[:1], HELD, share=0.06 if roomy else 0.16)
        _stroke(axes, leaked, CROSS, LEAKED, share=0.1)
    else:
        _hatch(axes, held, "///", HELD)
        # A wide region stays legible behind its crosses, and of a few cells none is left out.
        _hatch(axes, leaked, "x" if leaked.sum() > MANY else "xxx", LEAKED)
    return axes


def _side(axes, shape):
    """Return how long the side of a cell will be, in points, or a little less."""
    inches = axes.get_figure().get_size_inches() * axes.get_position().size
    return 72 * min(inches / shape[::-1])


def _stroke(axes, cells, strokes, colour, share):
    """Draw strokes across each True cell, on twice as wide a white, which shows on dark cells too.

    `share` is the width of a stroke as a share of a cell's side.
    """
    row, column = np.nonzero(cells)
    along_x, along_y = (
        np.array([[*stroke, (np.nan, np.nan)] for stroke in strokes]).reshape(-1, 2).T
    )
    x, y = np.add.outer(column, along_x).ravel(), np.add.outer(row, along_y).ravel()
    width = max(share * min(_side(axes, cells.shape), 30), 0.6)
    for ink, points in ("white", 2 * width), (colour, width):
        axes.plot(x, y, ink, linewidth=points, solid_capstyle="butt", scalex=False, scaley=False)


def _hatch(axes, cells, hatch, colour):
    """Hatch the True cells as one region, on twice as wide a white: contourf draws each cell
    between -0.5 and 0.5."""
    if not cells.any():
        return
    padded = np.repeat(np.repeat(cells, 2, 0), 2, 1).astype(float)
    x, y = (np.add.outer(np.arange(side), [-0.499, 0.499]).ravel() for side in cells.shape[::-1])
    for ink, points in ("white", 2.4), (colour, 1.2):
        drawn = axes.contourf(x, y, padded, levels=[0.5, 1.5], colors="none", hatches=[hatch])
        drawn.set_edgecolor(ink)
        drawn.set_hatch_linewidth(points)
        drawn.set_linewidth(0)
