"""What is printed and drawn of tasks that share out the cells of one network, and a button by which
a painted room is judged."""

import html
import itertools

import ipywidgets
import matplotlib.pyplot as plt
import numpy as np

from helpers import masks
from helpers.forms import told, view_of, working
from helpers.pictures import plots
from helpers.studies.tables import mean_and_range, verdict

YOURS = "yours"


class Scoreboard:
    """A button that has the mask of a playground judged, and a table of all that was judged.

    lab     the Playground in which a mask is painted
    rivals  name -> bool mask (rows, columns), True = frozen; they are judged at once
    judge   (frozen) -> name of a column -> a whole number
    goals   what a mask of the reader's is to be -> (frozen, what was found) -> whether it is so

    `tries` has what was judged so far: a name, the mask, and what the judges gave.
    """

    def __init__(self, lab, rivals, judge, goals):
        self._lab, self._judges, self._goals, self.tries = lab, [judge], dict(goals), []
        self._button = ipywidgets.Button(description="Score my mask", icon="trophy")
        self._button.on_click(lambda _: lab.painter.safely(self.score))
        self._table = ipywidgets.HTML()
        for name, frozen in rivals.items():
            self.add(name, frozen)

    def score(self):
        """Have the painted mask judged; return what was found."""
        with working(self._button):
            return self.add(f"{YOURS}, {len(self._yours()) + 1}", self._lab.frozen)

    def add(self, name, frozen):
        """Have a mask judged; return what was found."""
        found = {}
        for judge in self._judges:
            found |= judge(frozen)
        self.tries.append((name, frozen.copy(), found))
        self._show()
        return found

    def judge_also(self, judge, goals):
        """Have another judge look at all masks, those of before and those that come; there are
        goals more."""
        for _, frozen, found in self.tries:
            found |= judge(frozen)
        self._judges.append(judge)
        self._goals |= goals
        self._show()

    def _yours(self):
        """Return mask and findings of each try of the reader's."""
        return [each[1:] for each in self.tries if each[0].startswith(YOURS)]

    def _show(self):
        yours = self._yours()
        goals = {text: any(there(*each) for each in yours) for text, there in self._goals.items()}
        self._table.value = told(f"<pre>{html.escape(repr(self))}</pre>", goals)

    def __repr__(self):
        titles = {title: len(title) + 3 for _, _, found in self.tries for title in found}
        heads = "".join(f"{title:>{width}}" for title, width in titles.items())
        lines = [f"{'frozen at the pause':20}{'columns':>8}{heads}"]
        for name, frozen, found in sorted(self.tries, key=lambda each: each[1].sum()):
            numbers = "".join(f"{found[title]:{width}}" for title, width in titles.items())
            lines.append(f"{name:20}{frozen.sum() / len(frozen):8.1f}{numbers}")
        return "\n".join(lines)

    def _repr_mimebundle_(self, **_):
        """Return the button above the table, and the table for readers without a kernel."""
        box = ipywidgets.VBox([self._button, self._table])
        return {**view_of(box), "text/plain": repr(self)}


def draw_steps():
    """Draw the four steps by which a task takes its cells, for a made-up kernel of 4 × 4 cells,
    hatched where cells are frozen, and what three tasks own; return the figure."""
    draw = np.random.default_rng(0)
    nothing = np.zeros((4, 4), bool)
    trained = draw.normal(size=(4, 4))
    kept = masks.grow(nothing, np.abs(trained), 0.5)
    pruned = np.where(kept, trained, 0)
    recovered = np.where(kept, trained + 0.3 * draw.normal(size=(4, 4)), 0)
    second = np.where(kept, recovered, draw.normal(size=(4, 4)))
    of_two = masks.grow(kept, np.abs(second), 0.5)
    third = np.where(of_two, second, draw.normal(size=(4, 4)))
    of_three = masks.grow(of_two, np.abs(third), 0.5)
    owners = 3 * of_three - of_two.astype(int) - kept  # 0 where a cell is free
    figure, axes = plt.subplots(1, 5, figsize=(11, 2.7), layout="constrained")
    panels = {
        "1 train": (trained, nothing, 0 * owners),
        "2 keep the largest": (pruned, nothing, kept.astype(int)),
        "3 recover": (recovered, ~kept, kept.astype(int)),
        "4 next task": (second, kept, kept.astype(int)),
        "after three tasks": (np.where(of_three, third, 0), of_three, owners),
    }
    for place, (title, (values, frozen, owned)) in zip(axes, panels.items()):
        plots.heatmap(place, values, frozen, title=title, scale=2.5)
        for edge in (0.5, 1.5, 2.5):  # thin lines between cells
            place.axhline(edge, color="#999999", linewidth=0.6, zorder=1.5)
            place.axvline(edge, color="#999999", linewidth=0.6, zorder=1.5)
        _number(place, owned)
    return figure


def _number(axes, owned):
    """Write into each cell which task owns it; nothing into a free one."""
    paper = {"boxstyle": "circle,pad=0.15", "facecolor": "white", "edgecolor": "none"}
    for row, column in np.argwhere(owned):
        text = str(owned[row, column])
        axes.text(column, row, text, ha="center", va="center", fontsize=11, bbox=paper, zorder=5)


def print_owned(owned_after, names):
    """Print how many cells each task has of its own, and how many are free.

    `owned_after` has a list of bool masks for each task, of all cells owned by it and by those
    before it.
    """
    owned = [sum(mask.sum() for mask in each) for each in owned_after]
    free = sum(mask.size for mask in owned_after[-1]) - owned[-1]
    for name, cells in zip([*names, "still free"], [*np.diff(owned, prepend=0), free]):
        print(f"{name:11}{cells:6,}")


def print_right(right, names):
    """Print what is read of each task, a line for each way, and by how many points a way is ahead
    of the last one of its number of steps, in the mean, and whether it is ahead with all seeds,
    behind with all, or neither.

    `right` maps (steps, way) to an array (seeds, tasks), in %.
    """
    print("right, %, mean (range)")
    print(f"{'steps':7}{'':16}" + "".join(f"{name:17}" for name in names).rstrip())
    for steps, group in itertools.groupby(right, key=lambda run: run[0]):
        *others, rival = group
        for run in (*others, rival):
            columns = "".join(f"{mean_and_range(task, 0):17}" for task in right[run].T)
            print(f"{steps:5}  {run[1]:13}{columns}".rstrip())
        for run in others:
            apart = (right[run] - right[rival]).T
            ahead = [f"{each.mean():+.1f} {verdict(each)}" for each in apart]
            lead = f"{run[1]}'s lead"
            print(f"{'':7}{lead:16}{''.join(f'{each:17}' for each in ahead)}".rstrip())


def print_leaks(leaks):
    """Print what became of the cells and the answers of a task that had been accepted.

    `leaks` maps an optimizer's name to an array (seeds, 4): cells that changed, answers that
    changed, and what is read with the task's mask at acceptance and at the end, in %.
    """
    print("mean of five seeds  cells   answers  read at     points lost")
    print("                  changed  changed  acceptance   mean (range)")
    for name, found in leaks.items():
        cells, answers, accepted, _ = found.mean(axis=0)
        lost = mean_and_range(found[:, 2] - found[:, 3])
        print(f"{name:17}{cells:8,.0f}{answers:9.1f}{accepted:11.1f}   {lost}")
