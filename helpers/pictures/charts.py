"""Charts of what was measured: one dot a seed, curves in a band, rows of small pictures."""

import itertools

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.transforms import Bbox

SEEDS = "#2f79b5"
VERDICTS = {  # colour, sign, what it says
    "unfit": ("#e0e0e0", "–", "cannot do it"),
    "fails": ("#f2a497", "✗", "fails"),
    "holds": ("#2f7d5f", "✓", "holds"),
}
LINES = ["o-", "s--", "^:", "D-."]  # told apart by more than their colours
SIDES = [  # of a dot, where its name may stand: offsets in points, and how it is aligned
    (7, 0, "left", "center"),
    (-7, 0, "right", "center"),
    (0, 7, "center", "bottom"),
    (0, -7, "center", "top"),
    (7, 7, "left", "bottom"),
    (-7, -7, "right", "top"),
    (7, -7, "left", "top"),
    (-7, 7, "right", "bottom"),
]


def compare(axes, results, title="", unit="%"):
    """Draw one line a name: a dot for each seed, a tick at their mean, and the mean in figures.

    `results` maps names to lists of numbers, one a seed; the first name stands on top.
    """
    for line, values in enumerate(results.values()):
        mean = float(np.mean(values))
        axes.plot(values, [line] * len(values), "o", color=SEEDS, alpha=0.6, markeredgewidth=0)
        axes.plot([mean], [line], "|", color="black", markersize=18)
        axes.annotate(f"{mean:.1f}", (mean, line), (0, 10), textcoords="offset points", ha="center")
    axes.set_yticks(range(len(results)), list(results))
    axes.set_ylim(len(results) - 0.4, -0.8)
    axes.grid(axis="x", color="#dddddd")
    axes.set(title=title, xlabel=unit)
    return axes


def band(axes, at, results, title="", label_x="", label_y="%"):
    """Draw one curve a name: the mean over the seeds, in a band from the least to the greatest.

    `results` maps names to arrays (seeds, points), `at` holds the points' places.
    """
    for (name, values), line in zip(results.items(), itertools.cycle(LINES)):
        values = np.asarray(values)
        (curve,) = axes.plot(at, values.mean(0), line, label=name)
        axes.fill_between(at, values.min(0), values.max(0), color=curve.get_color(), alpha=0.2)
    axes.legend(frameon=False)
    axes.grid(color="#dddddd")
    axes.set(title=title, xlabel=label_x, ylabel=label_y)
    return axes


def pairs(axes, results, labels, title="", unit=""):
    """Draw two bars a name, each with its figure; the first name stands on top.

    `results` maps names to two numbers, or to two (low, median, high), which get a line from low to
    high; `labels` says of what the first and the second are.
    """
    values = np.array(list(results.values()), float)  # name, which of the two, (low, median, high)
    low, middle, high = np.moveaxis(values, -1, 0) if values.ndim == 3 else [values] * 3
    at = np.arange(len(values))
    for which, label in enumerate(labels):
        bar = middle[:, which]
        lines = [bar - low[:, which], high[:, which] - bar]
        drawn = axes.barh(at + 0.4 * which, bar, 0.36, xerr=lines, label=label)
        axes.bar_label(drawn, fmt="%.2f", padding=3)
    axes.set_yticks(at + 0.2, list(results))
    axes.set(title=title, xlabel=unit, xlim=(0, 1.25 * high.max()))
    axes.invert_yaxis()
    axes.legend(frameon=False)
    return axes


def judged(axes, verdicts, ringed):
    """Draw a table of verdicts: a column for each person, a row for each way, and what they mean.

    `verdicts` maps a person to a dict from a way to "holds", "fails" or "unfit"; the first way
    stands on top. `ringed` maps a person to the way that gets a ring.
    """
    ways, kinds = list(next(iter(verdicts.values()))), list(VERDICTS)
    numbers = [[kinds.index(verdict) for verdict in each.values()] for each in verdicts.values()]
    colours = ListedColormap([colour for colour, _, _ in VERDICTS.values()])
    look = dict(vmin=0, vmax=len(kinds) - 1, edgecolors="white", linewidth=3)
    axes.pcolormesh(np.transpose(numbers), cmap=colours, **look)
    centred = {"ha": "center", "va": "center"}
    ring = dict(color="white", fillstyle="none", markersize=17, markeredgewidth=2)
    for x, (person, each) in enumerate(verdicts.items()):
        for y, verdict in enumerate(each.values()):
            ink = "white" if verdict == "holds" else "black"
            axes.text(x + 0.5, y + 0.5, VERDICTS[verdict][1], color=ink, **centred)
        axes.plot(x + 0.5, ways.index(ringed[person]) + 0.5, "o", **ring)
    for colour, sign, meaning in VERDICTS.values():
        axes.bar(0.5, 0, color=colour, label=f"{sign} {meaning}")
    axes.figure.legend(loc="outside lower center", ncols=len(kinds), frameon=False)
    axes.set_xticks(np.arange(len(verdicts)) + 0.5, list(verdicts))
    axes.set_yticks(np.arange(len(ways)) + 0.5, ways)
    axes.tick_params(length=0)
    axes.invert_yaxis()
    axes.xaxis.tick_top()
    return axes


def in_turn(axes, at, curves, names):
    """Draw how each of some tasks is read while they are learnt one after another.

    `curves` is (points, tasks), in %; each task in turn is learnt for as many points, and `at`
    holds the points' steps.
    """
    curves, share = np.asarray(curves), at[-1] / len(names)
    for number, (name, line) in enumerate(zip(names, itertools.cycle(["-", "--", ":", "-."]))):
        axes.plot(at, curves[:, number], line, label=name)
        axes.axvline(share * number, color="gray", linewidth=0.8)
        axes.text(share * (number + 0.5), 104, f"learns {name}", ha="center")
    axes.set(xlabel="step", ylabel="read correctly, %", ylim=(0, 112))
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    return axes


def contact_sheet(axes, rows, names):
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
    axes.set_xticks([])
    axes.tick_params(length=0)
    return axes


def name_dots(axes, dots):
    """Write beside each dot, name -> (x, y), its name and figures, on the first side where they
    cover least."""
    axes.figure.canvas.draw()
    around = axes.transData.transform(list(dots.values()))
    taken = [Bbox.from_bounds(x - 5, y - 5, 10, 10) for x, y in around]
    for name, (x, y) in dots.items():
        tried = {}  # text -> how many it covers, and its box
        for right, up, align, vertical in SIDES:
            look = dict(textcoords="offset points", ha=align, va=vertical, fontsize=9)
            text = axes.annotate(f"{name} ({x:.0f}, {y:.0f})", (x, y), (right, up), **look)
            (left, low), (end, high) = text.get_window_extent().get_points()
            box = Bbox.from_extents(left - 4, low, end + 4, high)
            outside = left < axes.bbox.x0 or end > axes.bbox.x1
            tried[text] = box.count_overlaps(taken) + outside, box
        best = min(tried, key=lambda text: tried[text][0])
        taken.append(tried[best][1])
        for text in tried:
            if text is not best:
                text.remove()
