"""Static pictures with matplotlib: heatmaps, before / after / moved, curves. Each returns Axes."""

import io

import numpy as np
from matplotlib import cm, colors
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from helpers import masks

# Blue and orange stay apart in every common kind of colour blindness; white is zero.
WEIGHTS = colors.LinearSegmentedColormap.from_list(
    "weights", ["#053061", "#2f79b5", "#a7cfe4", "#f7f7f7", "#f9b77e", "#d6701b", "#6b2c04"]
)
MOVED = colors.LinearSegmentedColormap.from_list(
    "moved", ["#d9d3ea", "#a58cc9", "#7a4aa5", "#4c1a78", "#22043d"]
)
UNMOVED, NOT_FINITE, LEAKED = "#f4f4f0", "#00a878", "#d81b1b"
SEEDS = "#2f79b5"
BAR = 6  # pixels below an animation
DRIFT = colors.LogNorm(1, 2**32)  # units in the last place: as many as float32 has numbers


def _bytes(colour_map, first):
    table = (colour_map(np.linspace(0, 1, 256))[:, :3] * 255).round().astype(np.uint8)
    table[0] = np.array(colors.to_rgb(first)) * 255
    return table


# For the widget: two tables of 256 colours. The first entry of each is the exception: a weight
# that is NaN or infinite, a cell that has not moved by one bit.
COLOURS = np.stack([_bytes(WEIGHTS, NOT_FINITE), _bytes(MOVED, UNMOVED)])


def figure(width=4.0, height=4.0, panels=1):
    """Return (figure, list of Axes): `panels` side by side, each width×height inches."""
    made = Figure(figsize=(width * panels, height), layout="constrained")
    made.get_layout_engine().set(w_pad=0.1, h_pad=0.1)
    FigureCanvasAgg(made)
    return made, list(np.atleast_1d(made.subplots(1, panels)))


def preview(values, frozen, title):
    """Return a figure of a heatmap that is drawn fast, to stand in for a live grid.

    It is on the way to the first display, so it skips the search for the best layout, and shows
    every n-th cell of a grid that has more cells than it has room for.
    """
    thin = np.s_[:: -(-len(values) // 128), :: -(-values.shape[1] // 128)]
    made = Figure(figsize=(4, 4))
    FigureCanvasAgg(made)
    heatmap(made.add_axes([0.02, 0.02, 0.96, 0.9]), values[thin], frozen[thin], title=title)
    return made


def heatmap(axes, values, frozen=None, leaked=None, title="", scale=None):
    """Draw weights, float (rows, columns), around a white zero; hatch the frozen cells.

    `frozen` and `leaked` are bool masks of the same shape; leaked cells are hatched in red.
    `scale` is the magnitude at the ends of the colours, the largest one in `values` without it.
    """
    scale = scale or _largest(values)
    axes.imshow(values, cmap=WEIGHTS, vmin=-scale, vmax=scale, interpolation="nearest")
    return _finish(axes, values.shape, frozen, leaked, title)


def moved(axes, before, after, frozen=None, leaked=None, title="moved"):
    """Draw how far each cell moved; a cell that kept its value is left almost white."""
    with np.errstate(invalid="ignore"):
        distance = np.abs(after - before)
    shown = np.ma.masked_where((distance == 0) | ~np.isfinite(distance), distance)
    axes.set_facecolor(UNMOVED)
    axes.imshow(shown, cmap=MOVED, vmin=0, interpolation="nearest")
    return _finish(axes, distance.shape, frozen, leaked, title)


def before_after_moved(before, after, frozen, leaked=None):
    """Return a figure of three heatmaps, with a key: before, after, and how far the cells moved.

    All are float or bool (rows, columns); `frozen` cells are hatched, `leaked` ones in red.
    """
    rows, columns = before.shape
    width, height = 3 * min(1, max(columns / rows, 0.7)), 3 * min(1, max(rows / columns, 0.2))
    made, (left, middle, right) = figure(width, height + 0.7, panels=3)
    scale = _largest(np.stack([before, after]))
    made.supxlabel(_key(scale, frozen, leaked), fontsize=9, color="#505050")
    heatmap(left, before, frozen, title="before", scale=scale)
    heatmap(middle, after, frozen, leaked, title="after", scale=scale)
    moved(right, before, after, frozen, leaked)
    return made


def _key(scale, frozen, leaked):
    """What colours and hatches mean, in a line."""
    told = [f"blue to orange: −{scale:.2g} to {scale:.2g}"]
    told += ["hatched: frozen"] if np.any(frozen) else []
    told += ["red: frozen, yet changed"] if np.any(leaked) else []
    return "  ·  ".join(told)


def curve(axes, steps, losses):
    """Draw losses, float, against steps, on a logarithmic axis where all of them are positive."""
    axes.plot(steps, losses, color="#2f79b5", linewidth=1.5)
    if len(losses) and np.min(losses) > 0:
        axes.set_yscale("log")
    axes.set(xlabel="step", ylabel="loss")
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def compare(axes, found, title="", unit="%"):
    """Draw one line a name: a dot for each seed, a tick at their mean, and the mean in figures.

    `found` maps names to lists of numbers, one a seed; the first name stands on top.
    """
    for line, values in enumerate(found.values()):
        mean = float(np.mean(values))
        axes.plot(values, [line] * len(values), "o", color=SEEDS, alpha=0.6, markeredgewidth=0)
        axes.plot([mean], [line], "|", color="black", markersize=18)
        axes.annotate(f"{mean:.1f}", (mean, line), (0, 10), textcoords="offset points", ha="center")
    axes.set_yticks(range(len(found)), list(found))
    axes.set_ylim(len(found) - 0.4, -0.8)
    axes.grid(axis="x", color="#dddddd")
    axes.set(title=title, xlabel=unit)
    return axes


def band(axes, at, found, title="", label_x="", label_y="%"):
    """Draw one curve a name: the mean over the seeds, in a band from the least to the greatest.

    `found` maps names to arrays (seeds, points), `at` holds the points' places.
    """
    for name, values in found.items():
        values = np.asarray(values)
        (curve,) = axes.plot(at, values.mean(0), "o-", label=name)
        axes.fill_between(at, values.min(0), values.max(0), color=curve.get_color(), alpha=0.2)
    axes.legend(frameon=False)
    axes.grid(color="#dddddd")
    axes.set(title=title, xlabel=label_x, ylabel=label_y)
    return axes


def contact_sheet(axes, rows, names, title=""):
    """Draw square pictures in rows, each on its own scale from white to black.

    `rows` is float (rows, pictures, pixels), not negative; `names` has one name a row.
    """
    height, width, pixels = np.shape(rows)
    side = round(pixels**0.5)
    shown = rows / np.maximum(np.max(rows, -1, keepdims=True), 1e-12)
    shown = np.pad(shown.reshape(height, width, side, side), [(0, 0), (0, 0), (1, 1), (1, 1)])
    sheet = shown.swapaxes(1, 2).reshape(height * (side + 2), width * (side + 2))
    axes.imshow(sheet, cmap="Greys", interpolation="nearest")
    axes.set_yticks((np.arange(height) + 0.5) * (side + 2) - 0.5, names)
    axes.set(title=title, xticks=[])
    axes.tick_params(length=0)
    return axes


def leak_matrix(verdicts):
    """Return a figure, 800 pixels wide: techniques × optimizers, one panel a situation.

    `verdicts` come from leaks.judge. Each square shows how many cells escaped or were harmed and,
    below, their largest drift in units in the last place (ulp). White with a small 0: it holds;
    green: NaN or infinite; grey with a dash: no run. Raises ValueError where there is no verdict.
    """
    found = {(v.situation, v.technique, v.optimizer): v for v in verdicts}
    if not found:
        raise ValueError("No verdict arrived; pass what leaks.judge() returns.")
    situations, rows, columns = (list(dict.fromkeys(names)) for names in zip(*found))
    across = min(len(situations), 4 if len(columns) <= 4 else 2)
    down = -(-len(situations) // across)
    each = 0.45 + 0.035 * max(map(len, columns)) + 0.31 * len(rows)  # title, names, squares
    made = Figure((8, 0.9 + down * each), layout="constrained")
    FigureCanvasAgg(made)
    panels = made.subplots(down, across, squeeze=False).ravel()
    for panel in panels[len(situations) :]:
        panel.remove()
    for panel, situation in zip(panels, situations):
        _verdict_panel(panel, found, situation, rows, columns)
        if panel.get_subplotspec().is_first_col():
            panel.set_yticks(range(len(rows)), rows)
    scale = cm.ScalarMappable(DRIFT, MOVED)
    bar = made.colorbar(
        scale, ax=list(made.axes), location="bottom", aspect=60, shrink=0.6, pad=0.01
    )
    bar.set_label(
        "cells that escaped or were harmed; below, the largest drift (colour) in ulp", size=8
    )
    bar.ax.tick_params(labelsize=7)
    return made


def _verdict_panel(axes, found, situation, rows, columns):
    faces = np.ones((len(rows), len(columns), 3))
    for row, technique in enumerate(rows):
        for column, optimizer in enumerate(columns):
            verdict = found.get((situation, technique, optimizer))
            faces[row, column] = face = _verdict_face(verdict)
            _verdict_text(axes, column, row, verdict, _ink(face))
    axes.imshow(faces, aspect="auto", interpolation="nearest")
    watched = max(v.of for key, v in found.items() if key[0] == situation)
    axes.set_title(f"{situation}, of {watched} cells", size=9)
    axes.set_xticks(range(len(columns)), columns, rotation=40, ha="right", rotation_mode="anchor")
    axes.set_yticks([])
    axes.tick_params(length=0, labelsize=7.5)
    axes.set_xticks(np.arange(len(columns) + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(len(rows) + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="#c8c8c8", linewidth=0.6)
    axes.tick_params(which="minor", length=0)
    axes.spines[:].set_color("#c8c8c8")


def _verdict_face(verdict):
    if verdict is None or verdict.cells is None:
        return colors.to_rgb("#b0b0b0")
    if verdict.cells and not np.isfinite(verdict.ulps):
        return colors.to_rgb(NOT_FINITE)
    return MOVED(DRIFT(verdict.ulps))[:3] if verdict.cells else (1, 1, 1)


def _ink(face):
    """Black or white, whichever stands out more; at least 4.5 : 1 (WCAG 2.1, 1.4.3)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in face]
    return "white" if np.dot(linear, [0.2126, 0.7152, 0.0722]) < 0.179 else "black"


def _verdict_text(axes, x, y, verdict, ink):
    style = {"ha": "center", "color": ink, "in_layout": False}
    if verdict is None or not verdict.cells:
        text = "–" if verdict is None or verdict.cells is None else "0"
        axes.text(x, y, text, size=7, va="center", **style)
        return
    axes.text(x, y + 0.02, verdict.cells, size=9, va="baseline", **style)
    axes.text(x, y + 0.1, _short(verdict.ulps), size=7, va="top", **style)


def _short(number):
    """Write a count, an int or inf, in at most five characters: 648, 3.1e6, inf."""
    if not np.isfinite(number):
        return "inf"
    mantissa, exponent = f"{number:.1e}".split("e")
    return str(number) if number < 10_000 else f"{mantissa}e{int(exponent)}"


def png(made):
    """Return the bytes of a PNG of a figure."""
    data = io.BytesIO()
    made.savefig(data, format="png", dpi=100, metadata={"Software": None})
    return data.getvalue()


def animation(values, frozen, side=24, milliseconds=300):
    """Return an animated PNG, as bytes, that repeats for ever: one heatmap a frame, on one scale.

    `values` is float (frames, rows, columns), `frozen` bool of that shape, True = frozen, hatched.
    A cell is `side` pixels wide; a bar below grows from the first frame to the last. Whole numbers
    are all that is drawn, so the same values give the same pixels on every machine. Who shows no
    animations shows the last frame.
    """
    pages = [_page(*frame, _largest(values), side) for frame in zip(values, frozen)]
    height, width = pages[0].shape
    for number, page in enumerate(pages, 1):
        page[height - BAR :, : width * number // len(pages)] = 255
    frames = [Image.fromarray(page.astype(np.uint8)) for page in pages]
    for frame in frames:
        frame.putpalette([*COLOURS[0, :255].ravel().tolist(), 0x30, 0x30, 0x30])
    data, options = io.BytesIO(), dict(save_all=True, duration=milliseconds, loop=0)
    frames[-1].save(data, "PNG", append_images=frames, default_image=True, **options)
    return data.getvalue()


def _page(values, frozen, scale, side):
    """A frame as entries of a palette: 128 is a weight of zero, 0 one not finite, 255 the hatch."""
    with np.errstate(invalid="ignore"):
        shades = np.rint(128 + 126 * np.asarray(values, float) / scale)
    shades = np.where(np.isfinite(shades), shades, 0)
    shades, hatched = (np.kron(a, np.ones((side, side), a.dtype)) for a in (shades, frozen))
    x, y = (np.arange(length) for length in shades.shape)
    hatched &= np.add.outer(x, y) % 8 < 2
    return np.pad(np.where(hatched, 255, shades), [(0, BAR), (0, 0)], constant_values=128)


def _largest(values):
    """The largest finite magnitude; 1 where there is none."""
    return float(np.max(np.abs(values[np.isfinite(values)]), initial=0)) or 1.0


def _finish(axes, shape, frozen, leaked, title):
    axes.set(title=title, xticks=[], yticks=[])
    if frozen is not None:
        leaked = np.zeros(shape, bool) if leaked is None else leaked
        _hatch(axes, masks.as_frozen(frozen, shape) & ~leaked, "#303030")
        _hatch(axes, masks.as_frozen(leaked, shape), LEAKED)
    return axes


def _hatch(axes, cells, colour):
    """Hatch the True cells in one go: contourf draws between -0.5 and 0.5 as a region."""
    if not cells.any():
        return
    padded = np.repeat(np.repeat(cells, 2, 0), 2, 1).astype(float)
    x, y = (np.add.outer(np.arange(side), [-0.499, 0.499]).ravel() for side in cells.shape[::-1])
    drawn = axes.contourf(x, y, padded, levels=[0.5, 1.5], colors="none", hatches=["////"])
    drawn.set_edgecolor(colour)
    drawn.set_linewidth(0)
