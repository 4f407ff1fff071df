"""What is printed and drawn of tasks that share out the cells of one network."""

import matplotlib.pyplot as plt
import numpy as np

from helpers import masks
from helpers.pictures import plots
from helpers.studies.tables import mean_and_range, verdict


def draw_steps():
    """Draw the four steps by which a task takes its cells, for a made-up kernel of 4 × 4 cells,
    hatched where cells are frozen; return the figure."""
    draw = np.random.default_rng(0)
    nothing = np.zeros((4, 4), bool)
    trained = draw.normal(size=(4, 4))
    kept = masks.grow(nothing, np.abs(trained), 0.5)
    pruned = np.where(kept, trained, 0)
    recovered = np.where(kept, trained + 0.3 * draw.normal(size=(4, 4)), 0)
    of_next_task = np.where(kept, recovered, draw.normal(size=(4, 4)))
    figure, axes = plt.subplots(1, 4, figsize=(9, 2.7), layout="constrained")
    panels = {
        "1 train": (trained, nothing),
        "2 keep the largest": (pruned, nothing),
        "3 recover": (recovered, ~kept),
        "4 next task": (of_next_task, kept),
    }
    for place, (title, (values, frozen)) in zip(axes, panels.items()):
        plots.heatmap(place, values, frozen, title=title, scale=2.5)
        for edge in (0.5, 1.5, 2.5):  # thin lines between cells
            place.axhline(edge, color="#999999", linewidth=0.6, zorder=1.5)
            place.axvline(edge, color="#999999", linewidth=0.6, zorder=1.5)
    return figure


def print_right(right, names):
    """Print what is read of each task by two ways, a line for each, and whether the first is ahead
    with all seeds, behind with all, or neither.

    `right` maps (steps, way) to an array (seeds, tasks), in %; the two ways of a number of steps
    stand side by side.
    """
    print("right, %, mean (range)")
    print(f"{'steps':7}{'':16}" + "".join(f"{name:17}" for name in names).rstrip())
    runs = list(right.items())
    for ((steps, way), found), ((_, other), rival) in zip(runs[::2], runs[1::2]):
        for name, each in [(way, found), (other, rival)]:
            columns = "".join(f"{mean_and_range(task, 0):17}" for task in each.T)
            print(f"{steps:5}  {name:13}{columns}".rstrip())
        verdicts = "".join(f"   {verdict(apart):14}" for apart in (found - rival).T)
        print(f"{'':7}{way + ' is':13}{verdicts}".rstrip())


def print_leaks(leaks):
    """Print what became of the cells and the answers of a task that had been accepted.

    `leaks` maps an optimizer's name to an array (seeds, 4): cells that changed, answers that
    changed, and what is read at acceptance and at the end, in %.
    """
    print("mean of five seeds  cells    answers  read at      points lost")
    print("                    changed  changed  acceptance   mean (range)")
    for name, found in leaks.items():
        cells, answers, accepted, _ = found.mean(axis=0)
        lost = mean_and_range(found[:, 2] - found[:, 3])
        print(f"{name:17}{cells:10,.0f}{answers:9.0f}{accepted:10.1f} %   {lost}")
