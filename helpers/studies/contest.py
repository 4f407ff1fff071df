"""A painted mask against computed ones with as many free cells: all are judged alike."""

import html

import ipywidgets
import numpy as np

from helpers import masks
from helpers.forms import view_of
from helpers.pictures import charts, plots
from helpers.playground import Playground

YOURS, BEST = "yours", "your best"


class Contest:
    """A playground in which a mask is painted to beat others, and a line with everybody's score.

    task    a Task; its other variables should not be trainable, or they are free beside the budget
    rivals  name -> bool mask (rows, columns) of the task's grid, True = frozen; all of them leave
            equally many cells free, and that number is the budget
    judge   (frozen) -> a score for each of several trainings under this mask: how many in a hundred
            are right of the validation part, which is neither trained on nor kept for the test
    hints   overlays of the playground: arrays of the grid's shape that *View* draws as heat

    All cells are frozen at first; thaw as many as the budget allows, or begin with "Random mask",
    then press "Score my mask". Training in the playground is for looking on, and changes no score.
    `yours` is the mask that was scored last, bool (rows, columns), or None, and `best` the one of
    them that has the highest mean; from the second mask on it has a score of its own.
    """

    def __init__(self, task, rivals, judge, optimizer="adam", hints=None):
        shape = _one_grid(task)
        self.rivals = {n: masks.as_frozen(m, shape) for n, m in rivals.items()}
        self.budget = _budget(self.rivals)
        self._judge = judge
        self.scores = {name: list(judge(frozen)) for name, frozen in self.rivals.items()}
        self.playground = Playground(task, optimizer, "exact", overlays=hints)
        self.playground.frozen = np.ones(self.playground.frozen.shape, bool)
        self.playground.painter.mask.forget()  # an undo must not thaw everything
        self.yours, self.best, self._draws = None, None, np.random.default_rng(1)
        self._line = ipywidgets.HTML()
        self._random = ipywidgets.Button(description="Random mask", icon="random")
        self._random.on_click(lambda _: self.playground.painter.safely(self.draw))
        self._button = ipywidgets.Button(description="Score my mask", icon="trophy")
        self._button.on_click(lambda _: self.playground.painter.safely(self.score))
        self.playground.painter.watch(self._show)

    @property
    def free(self):
        """How many cells the painted mask leaves free."""
        return int((~self.playground.painter.frozen).sum())

    def draw(self):
        """Thaw as many cells as the budget allows, at random, and others each time."""
        scores = self._draws.random(self.playground.frozen.shape)
        (self.playground.frozen,) = masks.all_but_largest([scores], self.budget / scores.size)

    def score(self):
        """Have the painted mask judged; return its scores, one a training.

        Raises ValueError, and judges nothing, if more cells are free than the budget allows.
        """
        if self.free > self.budget:
            raise ValueError(
                f"{self.free} cells are free and {self.budget} are allowed: "
                f"freeze {self.free - self.budget} more, then score again."
            )
        former = self.scores.get(BEST, self.scores.get(YOURS))
        self.yours = self.playground.frozen.copy()
        self.scores[YOURS] = latest = list(self._judge(self.yours))
        if former is None or np.mean(latest) > np.mean(former):
            self.best = self.yours
        if former is not None:
            self.scores[BEST] = max(former, latest, key=np.mean)
        self._show()
        return latest

    def picture(self):
        """Return a static picture of the scores, a dot a training, the best mean on top."""
        picture, (axes,) = plots.figure(6, 0.6 * len(self.scores) + 1)
        results = dict(sorted(self.scores.items(), key=lambda item: -np.mean(item[1])))
        title = f"{self.budget} of {self.playground.frozen.size} cells free"
        unit = "right on validation, %; a dot is one training, the tick their mean"
        charts.compare(axes, results, title, unit)
        return plots.image(picture)

    def _show(self):
        over = " <b>Too many.</b>" if self.free > self.budget else ""
        scores = [
            f"{html.escape(name)} {np.mean(each):.1f} % ({min(each):.1f} to {max(each):.1f})"
            for name, each in self.scores.items()
        ]
        text = f"Free cells: {self.free} of {self.budget}.{over} Scores: {' · '.join(scores)}"
        self._line.value = f'<span role="status">{text}</span>'

    def __repr__(self):
        cells = f"{self.budget} of {self.playground.frozen.size} cells"
        return f"Contest({cells}, {', '.join(self.rivals)})"

    def _repr_mimebundle_(self, **_):
        """Return the playground below the line of scores, and a picture for readers without a
        kernel."""
        row = ipywidgets.HBox([self._random, self._button, self._line])
        row.layout.flex_flow = "row wrap"
        box = ipywidgets.VBox([row, self.playground.painter])
        return {**view_of(box), "text/plain": repr(self), "image/png": self.picture().data}


def _one_grid(task):
    """Return the shape of a task's only grid: cells of another page would be free beside the
    budget."""
    if len(task.pages) > 1:
        raise ValueError(
            f"A task of {len(task.pages)} pages arrived; a contest wants one grid, "
            "as tasks.own(…) makes it."
        )
    (page,) = task.pages
    return task.grid(np.empty(task.variable.shape, bool), page).shape


def _budget(rivals):
    """Return how many cells each of the masks leaves free; raises ValueError if they differ."""
    free = {name: int((~frozen).sum()) for name, frozen in rivals.items()}
    if len(set(free.values())) != 1:
        raise ValueError(
            f"Rivals that leave {free} cells free arrived; a contest wants the same number for "
            "all, for example masks.all_but_largest(scores, 0.02) and masks.random(shape, 0.98, 0)."
        )
    return next(iter(free.values()))
