"""The microscope's picture: what pinned cells went through, on one axis of steps."""

import numpy as np
from matplotlib.figure import Figure

BAR = 0.05  # of a panel's height
# Told apart in the common kinds of colour blindness, and by their lines as well; the colours are
# those of Okabe and Ito, Color Universal Design, 2008.
CURVES = [("#0072B2", "-"), ("#D55E00", "--"), ("#009E73", "-."), ("#CC79A7", ":")]


def draw(traces, marks=()):
    """Return a figure, 800 pixels wide: a panel for each quantity, a curve for each cell.

    traces  name of a cell -> a dict of arrays, as `Playground.traces` returns it; at most four
    marks   (step, text) pairs: what was chosen from that step on

    A triangle stands where a cell was frozen, an empty one where it was thawed; while it is frozen
    a bar in its colour runs along the foot of each panel. Raises ValueError if nothing was
    recorded.
    """
    if not any(len(trace["step"]) for trace in traces.values()):
        raise ValueError("Nothing was recorded yet: pin a cell with lab.pin(row, column), train.")
    panels = _panels(traces)
    figure = Figure((8, 0.7 + 1.15 * len(panels)), layout="constrained")
    rows = figure.subplots(len(panels), 1, sharex=True, squeeze=False).ravel()
    for axes, quantity in zip(rows, panels):
        for number, ((name, trace), style) in enumerate(zip(traces.items(), CURVES)):
            _curve(axes, name, trace, quantity, *style)
            _bar(axes, trace, number, style[0])
        for step, _ in marks:
            axes.axvline(step - 0.5, color="#606060", linewidth=0.8, linestyle=(0, (1, 2)))
        axes.set_ylabel(quantity.replace("_", " "), fontsize=8)
        axes.tick_params(labelsize=8)
        axes.margins(x=0.01)
        low, high = axes.get_ylim()
        axes.set_ylim(low - (high - low) * BAR * len(traces), high)  # room for the bars
    for step, text in marks:
        rows[0].annotate(text, (step - 0.5, 1.02), xycoords=("data", "axes fraction"), fontsize=8)
    rows[-1].set_xlabel("step", fontsize=8)
    _key(figure, rows[0])
    return figure


def _panels(traces):
    """Return the quantities that any cell has, the weight first, and the step that was taken after
    it."""
    names = dict.fromkeys(name for trace in traces.values() for name in trace)
    rest = [name for name in names if name not in ("step", "frozen", "weight", "seen")]
    return ["weight", "step_taken", *rest]


def _curve(axes, name, trace, quantity, colour, line):
    steps, weight, frozen = trace["step"], trace["weight"], trace["frozen"]
    values = _change(weight) if quantity == "step_taken" else trace.get(quantity)
    if values is None or not len(steps):
        return
    axes.plot(steps, values, color=colour, linestyle=line, linewidth=1.4, label=name)
    if quantity == "weight":
        if "seen" in trace:
            message = f"{name}, as the model sees it"
            axes.plot(steps, trace["seen"], color=colour, linewidth=0.8, label=message)
        changes = np.flatnonzero(np.diff(frozen.astype(int))) + 1
        for at in [0, *changes] if frozen[0] else changes:
            _triangle(axes, steps[at], values[at], colour, full=frozen[at])


def _bar(axes, trace, number, colour):
    """Draw along the foot of a panel when a cell was frozen; those of several cells stand above
    each other. A band along the curve itself would look like the range of an error."""
    low, foot = BAR * number, {"transform": axes.get_xaxis_transform()}
    style = {"where": trace["frozen"], "color": colour, "linewidth": 0}
    axes.fill_between(trace["step"], low, low + BAR, **style, **foot)


def _triangle(axes, step, value, colour, full, **settings):
    fill = colour if full else "white"
    axes.plot(step, value, "^", color=colour, markerfacecolor=fill, markersize=7, **settings)


def _key(figure, axes):
    """Cells, and what the triangles mean, above the panels."""
    for full, label in ((True, "frozen from here"), (False, "thawed from here")):
        _triangle(axes, [], [], "#404040", full, linestyle="none", label=label)
    handles, labels = axes.get_legend_handles_labels()
    place = dict(loc="outside upper left", ncols=3, fontsize=8, frameon=False)
    figure.legend(handles, labels, **place)


def _change(weight):
    """Return what each step added to the weight; of the first one nothing is known."""
    return np.concatenate([[np.nan], np.diff(weight)])
