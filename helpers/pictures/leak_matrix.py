"""The leak laboratory's picture: every verdict a square, its colour the drift."""

import numpy as np
from matplotlib import cm, colors
from matplotlib.figure import Figure

from helpers.pictures import plots
from helpers.techniques import label_of

DRIFT = colors.LogNorm(1, 2**32)  # units in the last place: as many as float32 has numbers


def draw(verdicts):
    """Return a figure, 800 pixels wide: techniques × optimizers, one panel a situation.

    `verdicts` come from leaks.judge. A white square with a tick holds. Each other one shows the
    largest drift of a cell in units in the last place (ulp) and, above it, how many cells escaped
    or were harmed, if not all; yellow: NaN or infinite; grey with a dash: no run. Raises ValueError
    where there is no verdict.
    """
    verdict_at = {(v.situation, v.technique, v.optimizer): v for v in verdicts}
    if not verdict_at:
        raise ValueError("No verdict arrived; pass what leaks.judge() returns.")
    situations, rows, columns = (list(dict.fromkeys(names)) for names in zip(*verdict_at))
    across = min(len(situations), 4 if len(columns) <= 4 else 2)
    down = -(-len(situations) // across)
    each = 0.45 + 0.035 * max(map(len, columns)) + 0.31 * len(rows)  # title, names, squares
    figure = Figure((8, 0.9 + down * each), layout="constrained")
    panels = figure.subplots(down, across, squeeze=False).ravel()
    for panel in panels[len(situations) :]:
        panel.remove()
    for panel, situation in zip(panels, situations):
        _verdict_panel(panel, verdict_at, situation, rows, columns)
        if panel.get_subplotspec().is_first_col():
            panel.set_yticks(range(len(rows)), map(label_of, rows))
    scale = cm.ScalarMappable(DRIFT, plots.MOVED)
    bar = figure.colorbar(
        scale, ax=list(figure.axes), location="bottom", aspect=60, shrink=0.6, pad=0.01
    )
    bar.set_label("the largest drift of a cell, in ulp", size=8)
    bar.ax.tick_params(labelsize=7)
    return figure


def _verdict_panel(axes, verdict_at, situation, rows, columns):
    faces = np.ones((len(rows), len(columns), 3))
    for row, technique in enumerate(rows):
        for column, optimizer in enumerate(columns):
            verdict = verdict_at.get((situation, technique, optimizer))
            faces[row, column] = face(verdict)
            _verdict_text(axes, column, row, verdict, ink(faces[row, column]))
    axes.imshow(faces, aspect="auto", interpolation="nearest")
    here = [verdict for key, verdict in verdict_at.items() if key[0] == situation]
    count = max(verdict.of for verdict in here)
    axes.set_title(f"{situation}, of {count} {here[0].watched}", size=9)
    axes.set_xticks(range(len(columns)), columns, rotation=40, ha="right", rotation_mode="anchor")
    axes.set_yticks([])
    axes.tick_params(length=0, labelsize=7.5)
    axes.set_xticks(np.arange(len(columns) + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(len(rows) + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="#c8c8c8", linewidth=0.6)
    axes.tick_params(which="minor", length=0)
    axes.spines[:].set_color("#c8c8c8")


def face(verdict):
    """Return the colour of a verdict's square (None: no verdict): red, green, blue, 0 to 1 each."""
    if verdict is None or verdict.cells is None:
        return colors.to_rgb("#b0b0b0")
    if verdict.cells and not np.isfinite(verdict.ulps):
        return colors.to_rgb(plots.NOT_FINITE)
    return plots.MOVED(DRIFT(verdict.ulps))[:3] if verdict.cells else (1, 1, 1)


def ink(colour):
    """Return "black" or "white", whichever stands out more on a colour; at least 4.5 : 1 (WCAG 2.1,
    1.4.3)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return "white" if np.dot(linear, [0.2126, 0.7152, 0.0722]) < 0.179 else "black"


def _verdict_text(axes, x, y, verdict, ink):
    style = {"ha": "center", "color": ink, "in_layout": False}
    if verdict is None or not verdict.cells:
        text = "–" if verdict is None or verdict.cells is None else "✓"
        axes.text(x, y, text, size=7, va="center", **style)
        return
    above, below = told(verdict)
    if not below:
        axes.text(x, y, above, size=8, va="center", **style)
        return
    axes.text(x, y + 0.02, above, size=9, va="baseline", **style)
    axes.text(x, y + 0.1, below, size=7, va="top", **style)


def told(verdict):
    """Return what a square tells of harm, in two lines: the drift alone if all cells were harmed,
    and else below their number."""
    far = short(verdict.ulps)
    return (far, "") if verdict.cells == verdict.of else (str(verdict.cells), far)


def short(number):
    """Return a count, an int or inf, in at most five characters: 648, 3.1e6, NaN for inf."""
    if not np.isfinite(number):
        return "NaN"
    mantissa, exponent = f"{number:.1e}".split("e")
    return str(number) if number < 10_000 else f"{mantissa}e{int(exponent)}"
