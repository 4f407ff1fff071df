"""The squares of the leak matrix, and the playground of the one that was clicked."""

import contextlib

import ipywidgets

from helpers.forms import view_of
from helpers.leaks.laboratory.squares import Squares
from helpers.leaks.replay import replay
from helpers.leaks.situations import SITUATIONS
from helpers.pictures import leak_matrix, plots
from helpers.widget.one_per_cell import close_former

CONTROLS = (
    *("train", "step", "reset", "speed", "technique", "optimizer", "freeze", "pin", "view"),
    *("drawing", "hints"),
)


class Laboratory:
    """The verdicts of `leaks.judge` to click on: a square opens its run in a playground beside it.

    The playground stands before the step in which the cells leak; see `replay`. Another square
    closes it. If techniques or optimizers of your own were judged, pass them as you passed them to
    `judge`. ValueError where there is no verdict.

    `playground` is the one that is open, or None; `widget` is what is displayed.
    """

    def __init__(self, verdicts, techniques=None, optimizers=()):
        self._picture = plots.png(leak_matrix.draw(verdicts))
        self._of_own, self._count = (techniques, optimizers), len(verdicts)
        self.playground = None
        abouts = {name: situation.about for name, situation in SITUATIONS.items()}
        self.squares = Squares(verdicts, abouts, self._press)
        self.squares.layout = {"flex": "1 1 320px", "min_width": "0"}
        self._place = ipywidgets.Box(layout={"display": "none"})
        self.widget = ipywidgets.Box([self.squares, self._place])
        self.widget.layout = {"flex_flow": "row wrap", "overflow": "visible", "width": "100%"}
        close_former(self)

    def open(self, technique, optimizer, situation):
        """Open a square, as a click on it does, and return its playground. What is wrong with the
        names, or makes the run impossible, raises ValueError; the open playground then stays."""
        squares, names = self.squares, [technique, optimizer, situation]
        squares.error, squares.preparing = "", names
        try:
            self._show(replay(names, *self._of_own, CONTROLS))
            squares.opened, squares.outlook = names, self.playground.outlook
        except Exception as error:
            squares.error = str(error)
            raise
        finally:
            squares.preparing = []
        return self.playground

    def close(self):
        """Close the playground, and take the squares off the page; a second time, do nothing."""
        if self.playground:
            self.playground.close()
        self.squares.close()
        self._place.close()
        self.widget.close()

    def _press(self, *names):
        with contextlib.suppress(Exception):  # it is said on the widget
            self.open(*names)

    def _show(self, playground):
        """Show a playground in place of the former one."""
        former, self.playground = self.playground, playground
        self._place.children = [playground.painter]
        self._place.layout = {"flex": "1 1 540px", "min_width": "0", "overflow": "visible"}
        if former:
            former.close()

    def __repr__(self):
        return f"Laboratory of {self._count} verdicts"

    def _repr_mimebundle_(self, **_):
        """Return the live widget, and a picture for readers without a kernel."""
        view = view_of(self.widget)
        return {**view, "text/plain": repr(self), "image/png": self._picture}
