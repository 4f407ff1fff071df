"""The picture of a report: the cells of the three kernels, and how far they have moved."""

import numpy as np
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
SMALL, TALL = 3, 14  # pixels of a cell, the gap beside it included
WIDTH, HEIGHT = 850, 478  # pixels, as all that follows
LEFT, RIGHT, TOP, LOWER = 24, 450, 28, 252


def draw(report):
    """Return a Figure of a Report: three kernels cell by cell; outputs are the rows of the last."""
    figure = Figure((WIDTH / plots.DPI, HEIGHT / plots.DPI), dpi=plots.DPI, facecolor="white")
    _kernel(figure, report, FIRST, LEFT, TOP)
    _kernel(figure, report, SECOND, RIGHT, TOP)
    last = _kernel(figure, report, LAST, LEFT, LOWER, TALL)
    last.set_yticks((np.arange(10) + 0.5) * TALL, range(10), size=9)
    last.tick_params(length=0, pad=3)
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


def _kernel(figure, report, number, left, top, tall=SMALL):
    """Draw a kernel, a rectangle for each cell, and return its Axes; the last one lies on its
    side."""
    colours = coloured(report, number)
    if number == LAST:
        colours = colours.transpose(1, 0, 2)
    cells = colours.repeat(tall, 0).repeat(SMALL, 1)
    cells[::tall], cells[:, ::SMALL] = 1, 1  # white between them
    axes = _panel(figure, left, top, *cells.shape[1::-1])
    axes.imshow(cells, interpolation="nearest", aspect="auto")
    axes.spines[:].set_visible(False)
    axes.set(xticks=[], yticks=[])
    rows, columns = report.weights[number].shape
    free = (~report.frozen[number]).sum()
    title = f"{report.order.names[number]}, {rows} × {columns} cells: {free:,} free"
    axes.set_title(title, size=10, loc="left", pad=5)
    return axes


def _panel(figure, left, top, width, height):
    """Return Axes at a place in pixels."""
    below = HEIGHT - top - height
    return figure.add_axes((left / WIDTH, below / HEIGHT, width / WIDTH, height / HEIGHT))
