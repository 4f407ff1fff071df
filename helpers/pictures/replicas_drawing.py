"""Drawings of replicas: what each device holds, and what is summed between them."""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from helpers.pictures import plots
from helpers.pictures.step_drawing import INK, LEAK, PALE

WIDTH, HEIGHT = 800, 400  # pixels, as all that follows
PANELS = 12, 538  # their left edges
PANEL, INSET, BOX, SMALL = 250, 14, 32, 66  # widths, but for BOX, which is a height
BATCH, GRADIENT, STEP, HELD = 46, 110, 190, 250  # upper edges of what stands in a panel
FROZEN = "#e8a33d"
MASK = [[1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0]]  # 1 = frozen; the same on both


def picture(traps=True):
    """Return the drawing as a picture for a notebook."""
    return plots.image(draw(traps))


def draw(traps=True):
    """Return a figure of two replicas and the sum of gradients between them; with three traps, in
    red, if wanted."""
    figure, axes = plots.canvas(WIDTH, HEIGHT)
    for number, left in enumerate(PANELS):
        _panel(axes, left, number)
    _box(axes, 315, GRADIENT, 170, "sum over both replicas", PALE)
    middle = WIDTH / 2
    axes.plot([middle, middle], [GRADIENT + BOX, STEP + BOX / 2], color=INK, linewidth=1.4)
    axes.text(middle, STEP + BOX + 2, "both get the same sum", **_text(INK))
    for _, inner, side in _sides():
        box, sums = inner - side * INSET, middle - side * 85
        _arrow(axes, (box, GRADIENT + BOX / 2), (sums, GRADIENT + BOX / 2), INK)
        _arrow(axes, (middle, STEP + BOX / 2), (box, STEP + BOX / 2), INK)
    if traps:
        _traps(axes, middle)
    return figure


def _sides():
    """Return of each panel its left edge, the edge towards the middle, and in which direction."""
    return (PANELS[0], PANELS[0] + PANEL, 1), (PANELS[1], PANELS[1], -1)


def _traps(axes, middle):
    """Draw where copies or masks can come apart."""
    axes.text(middle, HELD + 35, "trap one:\nif masks differ", **_text(LEAK))
    axes.text(middle, HEIGHT - 22, "trap three: a variable that takes the mean", **_text(LEAK))
    for left in PANELS:  # at the slots
        axes.text(left + PANEL / 2, HELD + 48, "trap two:\nif shared", **_text(LEAK))
    for left, inner, side in _sides():
        _arrow(axes, (middle - side * 45, HELD + 35), (inner - side * INSET, HELD + 35), LEAK)
        kernel = left + PANEL / 2 - side * (PANEL / 2 - INSET - SMALL / 2)
        edge = middle - side * 145
        axes.plot([edge, kernel, kernel], [HEIGHT - 22, HEIGHT - 22, HEIGHT - 40], color=LEAK)
        _arrow(axes, (kernel, HEIGHT - 40), (kernel, HELD + 70), LEAK)


def _panel(axes, left, number):
    """Draw a replica: its part of the batch, the way to a step, and what it holds."""
    style = dict(boxstyle="round,pad=0,rounding_size=8", edgecolor=INK, facecolor="none")
    axes.add_patch(FancyBboxPatch((left, 12), PANEL, 320, **style))
    middle = left + PANEL / 2
    axes.text(middle, 29, f"replica {number}", **_text(INK) | {"weight": "bold", "size": 11})
    texts = {BATCH: "its part of the batch", GRADIENT: "the gradient of its part"}
    for top, text in {**texts, STEP: "the same step"}.items():
        _box(axes, left + INSET, top, PANEL - 2 * INSET, text, "white")
    _arrow(axes, (middle, BATCH + BOX), (middle, GRADIENT), INK)
    names = ["kernel", "slots", "mask"] if number == 0 else ["mask", "slots", "kernel"]
    for place, name in enumerate(names):
        start = left + INSET + place * (PANEL - 2 * INSET - SMALL) / 2
        _box(axes, start, HELD, SMALL, name, "white", 70)
        ends = (start + SMALL / 2, STEP + BOX), (start + SMALL / 2, HELD)
        _arrow(axes, *(ends[::-1] if name == "mask" else ends), INK)  # a mask decides on the step
        if name == "mask":
            columns, rows = start + 11 + 11 * np.arange(5), HELD + 28 + 11 * np.arange(4)
            _cells(axes, np.array(MASK), FROZEN, columns, rows)


def _box(axes, left, top, width, text, color, height=BOX):
    """Draw a box with its text: in the middle, or at the top of a high one."""
    style = dict(boxstyle="round,pad=0,rounding_size=5", edgecolor=INK, facecolor=color)
    axes.add_patch(FancyBboxPatch((left, top), width, height, **style))
    axes.text(left + width / 2, top + BOX / 2, text, **_text(INK))


def _arrow(axes, start, end, color):
    style = dict(arrowstyle="-|>", mutation_scale=12, shrinkA=0, shrinkB=0, linewidth=1.4)
    axes.add_patch(FancyArrowPatch(start, end, color=color, **style))


def _cells(axes, cells, color, columns, rows):
    """Draw a grid whose cells are filled where they are 1, between these lines."""
    style = dict(cmap=ListedColormap(["white", color]), vmin=0, vmax=1)
    axes.pcolormesh(columns, rows, cells, edgecolors="#bbbbbb", linewidth=0.6, **style)


def _text(color):
    return dict(color=color, size=9.5, ha="center", va="center", linespacing=1.4)
