"""Drawings of replicas: what each device holds, and what is summed between them."""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

PARTS = [("its part of the batch", "#eeeeee"), ("gradient of its part", "#eeeeee")]
HELD = [("mask", "#F0C27B"), ("slots", "#BFD9EA"), ("kernel", "#BFD9EA")]


def draw():
    """Return a figure of two replicas and the sum of gradients between them, with two errors."""
    figure = Figure((8, 4.4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for left, name in ((0, "replica 0"), (6.4, "replica 1")):
        axes.text(left + 1.3, 6.5, name, ha="center", weight="bold")
        for row, (text, color) in enumerate(PARTS + HELD):
            _box(axes, left, 5.4 - 1.15 * row, text, color)
    _box(axes, 3.2, 4.25, "sum over replicas", "#CFE8DC")
    for tip, tail in (((3.6, 4.6), (2.3, 4.6)), ((5.4, 4.6), (6.7, 4.6))):
        axes.annotate("", tip, tail, arrowprops={"arrowstyle": "->"})
    for tip in ((1.8, 2.3), (7.2, 2.3)):
        axes.annotate("", tip, (4.5, 4.25), arrowprops={"arrowstyle": "->"})
    axes.text(4.5, 2.95, "the same sum,\nthe same step", ha="center", fontsize=9)
    wrong = {"color": "#B2182B", "fontsize": 9, "ha": "center", "va": "center"}
    axes.text(4.5, 1.95, "masks that differ:\nthe copies part", **wrong)
    axes.text(4.5, 0.95, "assign with MEAN:\nthe copies are averaged", **wrong)
    axes.set(xlim=(-0.2, 9.2), ylim=(0.5, 6.9))
    axes.axis("off")
    return figure


def grids(masks, changed):
    """Return a figure of masks (top) and changed cells: arrays (phases, replicas, rows, columns).

    Dark is frozen in the upper row, and changed in the lower one.
    """
    masks, changed = np.asarray(masks), np.asarray(changed)
    phases, replicas = masks.shape[:2]
    figure = Figure((8, 3.6), layout="constrained")
    FigureCanvasAgg(figure)
    rows = figure.subplots(2, phases * replicas)
    for column in range(phases * replicas):
        phase, replica = divmod(column, replicas)
        for axes, cells in zip(rows[:, column], (masks, changed)):
            axes.imshow(cells[phase, replica][:10], cmap="Greys", vmin=0, vmax=1.3)
            axes.set(xticks=[], yticks=[])
        rows[0, column].set_title(f"phase {phase + 1}, replica {replica}", fontsize=9)
    rows[0, 0].set_ylabel("frozen")
    rows[1, 0].set_ylabel("changed")
    return figure


def _box(axes, left, bottom, text, color):
    style = {"boxstyle": "round,pad=0.1", "facecolor": color, "edgecolor": "gray"}
    axes.text(left + 1.3, bottom + 0.35, text, ha="center", va="center", fontsize=10, bbox=style)
