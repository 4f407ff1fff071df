"""The picture of a report: the cells of the three kernels, and how far they have moved."""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure

from helpers.bits import changed_bits
from helpers.pictures import plots

NEAR, FAR = 1e-4, 1.0  # how far a cell has moved that has the palest colour, and the darkest
SAME = "#dcdcdc"
REDS = LinearSegmentedColormap.from_list("leaked", ["#f6b9b4", plots.LEAKED, "#5c0008"])
BLUES = LinearSegmentedColormap.from_list("trained", ["#bcd8ec", "#2f79b5", "#062a4a"])
MEANINGS = {
    SAME: "not changed by a bit",
    BLUES(0.5): "free, has moved",
    REDS(0.5): "frozen, has moved (darker: farther)",
}
FIRST, SECOND, LAST = 0, 2, 4  # the kernels' places among the weights
SMALL, LARGE = 3, 16  # pixels of a cell, the gap beside it included
UNITS = 22  # of the 128 rows of the last kernel, drawn large
WIDTH, HEIGHT = 830, 478  # pixels, as all that follows
LEFT, RIGHT, TOP, LOWER = 8, 430, 28, 252


def draw(report):
    """Return a Figure of a Report: two kernels cell by cell, and a part of the last one as it looks
    on a playground's grid."""
    figure = Figure((WIDTH / 100, HEIGHT / 100), dpi=100, facecolor="white")
    FigureCanvasAgg(figure)
    _small(figure, report, FIRST, LEFT)
    _large(figure, report)
    _small(figure, report, SECOND, RIGHT)
    marks = [figure.axes[0].plot([], [], "s", color=each)[0] for each in MEANINGS]
    figure.legend(marks, MEANINGS.values(), loc="lower center", ncols=3, frameon=False)
    return figure


def coloured(report, number):
    """Return a variable's cells as colours, (rows, columns, 3): grey where nothing has changed, red
    where a frozen cell has, blue where a free one has, the darker the farther."""
    before, now, frozen = (each[number] for each in (report.shipped, report.weights, report.frozen))
    with np.errstate(divide="ignore"):  # log 0 is below every shade
        shade = np.log(np.abs(now - before) / NEAR) / np.log(FAR / NEAR)
    colours = np.where(frozen[..., None], REDS(shade)[..., :3], BLUES(shade)[..., :3])
    return np.where(changed_bits(before, now)[..., None], colours, to_rgb(SAME))


def _small(figure, report, number, left):
    """Draw a kernel whole, a square for each cell."""
    cells = coloured(report, number).repeat(SMALL, 0).repeat(SMALL, 1)
    cells[::SMALL], cells[:, ::SMALL] = 1, 1  # white between them
    axes = _panel(figure, left, TOP, *cells.shape[1::-1])
    axes.imshow(cells, interpolation="nearest")
    axes.axis("off")
    rows, columns = report.weights[number].shape
    _title(axes, f"{report.order.names[number]}, all {rows} × {columns} cells")


def _large(figure, report):
    """Draw some rows of the last kernel, as columns, with the marks of a grid."""
    part, leaked = np.s_[:UNITS], report.early[LAST] | report.late[LAST]
    grids = (each[part].T for each in (report.weights[LAST], report.frozen[LAST], leaked))
    axes = _panel(figure, LEFT + 16, LOWER, UNITS * LARGE, 10 * LARGE)
    plots.heatmap(axes, *grids)
    axes.set_yticks(range(10), range(10), size=9)
    axes.tick_params(length=0, pad=3)
    axes.set_xlabel("hatched: frozen, held · crossed: frozen, has moved", size=9, loc="left")
    _title(axes, f"last kernel: the first {UNITS} of 128 units, outputs 0 to 9")


def _panel(figure, left, top, width, height):
    """Return Axes at a place in pixels."""
    below = HEIGHT - top - height
    return figure.add_axes((left / WIDTH, below / HEIGHT, width / WIDTH, height / HEIGHT))


def _title(axes, text):
    axes.set_title(text, size=10, loc="left", pad=5)
