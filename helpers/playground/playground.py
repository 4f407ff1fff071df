"""The playground: paint a mask, train, and watch which cells move. Mouse and Python do the same."""

import numbers
import operator

import numpy as np

from helpers import masks, private
from helpers.names import known
from helpers.own_techniques import as_technique
from helpers.playground import example as examples
from helpers.playground import grids, offered, script, share, stills, tasks
from helpers.playground import overlays as views
from helpers.playground.orders import CLAIMS
from helpers.playground.session import Session
from helpers.playground.settings import known_controls, known_number, known_pauses
from helpers.techniques import TECHNIQUES
from helpers.widget.one_per_cell import close_former


class Playground:
    """A model under training with a grid of its weights to paint on.

    task       "digits", "snowflake" or "hidden", or a Task; see `tasks.own` for a model of yours
    optimizer  a Keras name ("sgd", "momentum", "adam", "adamw", …) or a Keras optimizer, of
               which a copy trains, with the same settings and empty state
    technique  how the painted cells are frozen: a name in `techniques.TECHNIQUES`, a Technique or
               a function of your own, see `add_technique`
    seed       the same seed, task and calls give the same weights on the same machine
    device     "cpu" or "gpu"; without it the GPU when TensorFlow sees one
    page       which page of the task to paint, for example the digit "3"
    controls   the tools that are shown, names in `settings.CONTROLS`; None = `settings.FEW`, of
               which "more" unfolds all others; [] = none
    goals      what the page asks somebody to do, of `goals`, such as [goals.leak(), goals.hold()];
               they stand below the grid, and tick themselves off
    example    what the picture for readers without a kernel shows while nobody has trained: numbers
               of steps to take and cells to freeze, as in [60, np.s_[2:5, 2:6], 60]. The playground
               itself starts untouched
    pauses     numbers of steps, such as [100], at which training stops by itself, so that a mask
               can be painted there; *Train*, or `start`, goes on. `train(250)` is an order for a
               number of steps, and takes them all
    overlays   arrays of numbers from 0 up, by their names, that *View* draws as heat, such as
               {"Fisher": fisher}: of the grid's shape, or, where there are several pages, of the
               whole variable's

    `frozen`, `weights` and `initial` are arrays (rows, columns) of the grid; True = frozen.
    `painter` is the widget, a Panel: its technique, optimizer, page and speed can be set, observed
    and linked to other widgets, as its status, step and loss can be observed.
    """

    def __init__(
        self,
        task="digits",
        optimizer="adam",
        technique="none",
        seed=0,
        device=None,
        page=None,
        controls=None,
        goals=(),
        example=(),
        pauses=(),
        overlays=None,
    ):
        choices = {"task": task, "optimizer": optimizer, "technique": technique}
        message = ", ".join(f"{what}={offered.shown(choice)}" for what, choice in choices.items())
        self._call = f"Playground({message})"
        own = not isinstance(technique, str)
        technique = as_technique(technique) if own else known("technique", technique, TECHNIQUES)
        controls = known_controls(controls)
        self.task = tasks.make(task, seed)
        self.optimizers = private.call_apart(offered.optimizers, optimizer, self.task)
        page = self._known_page(page or next(iter(self.task.pages)))
        grid = self.task.grid(np.empty(self.task.variable.shape, bool), page)
        self.example = examples.checked(example, grid.shape)
        chosen = dict(technique="none" if own else technique, page=page, goals=goals)
        self._overlays = views.checked(overlays, self.task)
        chosen |= dict(pauses=known_pauses(pauses), overlays=views.on_screen(self._overlays))
        chosen["optimizer"] = offered.called(optimizer, self.optimizers)
        self.session = Session(self.task, self.optimizers, device, controls, self, **chosen)
        self.painter = self.session.painter
        self.session.open()
        if own:
            self._begin_with(technique)
        close_former(self)

    def _begin_with(self, technique):
        """Freeze by a technique of one's own; if it is refused, nothing of the playground stays."""
        try:
            self.use(self.add_technique(technique))
        except BaseException:
            self.close()
            raise

    # --- what is there ---------------------------------------------------------------------

    @property
    def weights(self):
        """The grid's weights as they stand, a float array (rows, columns)."""
        return self.session.pages.grid(self.session.values()).copy()

    @property
    def initial(self):
        """The grid's weights before the first step."""
        return self.session.pages.grid(self.session.run.initial).copy()

    @property
    def frozen(self):
        """The painted mask, bool (rows, columns), True = frozen; set it to replace the mask."""
        return self.painter.frozen

    @frozen.setter
    def frozen(self, mask):
        self.painter.frozen = mask
        self.session.settle()

    @property
    def frozen_on_all_pages(self):
        """The painted masks of all pages as one, bool of the shape of the whole variable, True =
        frozen. The digits' ten pages are the ten columns of a mask (64, 10)."""
        return self.session.frozen()

    def leaks(self):
        """Return a bool array (rows, columns): frozen cells whose bits changed since frozen."""
        self.session.settle()
        return self.session.pages.grid(self.session.leaks())

    @property
    def prediction(self):
        """Which cells of the page somebody bets on, bool (rows, columns); see `predict`."""
        return self.session.pages.bet.frozen

    @property
    def claim(self):
        """What is bet of these cells: "leak", or "stay" for not a bit moved."""
        return self.session.run.claim

    @property
    def goals(self):
        """The goals of the page: a dict from each sentence to whether it has been reached since
        the start or the last reset."""
        return self.session.goals()

    @property
    def steps(self):
        """How many steps have been taken since the start or the last reset."""
        return self.session.steps

    @property
    def training(self):
        """Whether there are steps left to take."""
        return self.session.trainer.running

    def accuracy(self):
        """Return the share of held-out examples that the model gets right, 0 to 1; None for a task
        that holds none out."""
        return self.session.accuracy()

    def traces(self, row, column):
        """Return what was recorded of a pinned cell: a dict of 1-D arrays, a number a step.

        "step" counts from 1; "weight", "gradient" (as the optimizer gets it) and each slot, by its
        name in Keras, are as they stood when the step was over; "frozen" is True where the cell was
        frozen in the step. "seen" is there if the model was shown a copy in place of the weight.
        The last 20,000 steps since the cell was pinned are kept, until a reset. ValueError: it is
        not pinned.
        """
        return self.session.trace(*self._cell(row, column)).arrays()

    # --- what can be done ------------------------------------------------------------------

    def paint(self, rows, columns, frozen=True):
        """Freeze the cells named by rows and columns, paired as NumPy pairs them, or thaw them.

        lab.paint(2, 3) is one cell, lab.paint([0, 1], [2, 3]) two, lab.paint(slice(0, 2),
        slice(None)) the first two rows. A cell outside the grid raises IndexError.
        """
        self.session.raise_failure()
        self.painter.paint(rows, columns, frozen)
        self.session.settle()

    def undo(self):
        """Take back the last stroke, wherever it was painted."""
        self.painter.undo()
        self.session.settle()

    def redo(self):
        """Paint the last undone stroke again."""
        self.painter.redo()
        self.session.settle()

    def pin(self, row, column):
        """Record a cell of this page in each step from now on; at most four, else ValueError. A
        cell outside the grid raises IndexError."""
        self.session.pin(self._on_page(row, column))

    def unpin(self, row, column):
        """Stop recording a cell, and forget what was recorded."""
        self.session.pin(self._on_page(row, column), pinned=False)

    def add_technique(self, recipe, name=None):
        """Let a recipe of your own be chosen, under `name`, and return its name.

        `recipe` is a Technique, or a function whose parameters say where it acts; see
        `own_techniques.as_technique`. It is tried at once: what it does wrong is raised as
        TypeError or ValueError, and nothing has changed.
        """
        technique = as_technique(recipe)
        name = name or technique.label
        self.session.add_technique(name, technique)
        return name

    def train(self, steps):
        """Take `steps` steps as fast as they go, and return when they are done."""
        if not isinstance(steps, numbers.Integral) or steps < 0:
            raise ValueError(f"{steps!r} steps arrived; a whole number from 0 up was wanted.")
        try:
            self.session.start(steps)
            self.session.trainer.wait()
        except KeyboardInterrupt:
            self.stop()
            raise
        self.session.raise_failure()

    def start(self):
        """Train on at the chosen speed until `stop` or the next of the `pauses`; the notebook
        stays usable meanwhile."""
        self.session.train_on()

    def step(self):
        """Take one step, and no other after it."""
        self.session.start(1)

    def stop(self):
        """Pause. The weights and the optimizer's state stay as they are."""
        self.session.stop()

    def predict(self, cells, that="leak"):
        """Bet that these cells of the page will leak, in place of what was bet before: a bool mask
        (rows, columns), True = will leak. With `that="stay"`, bet that not one of their bits will
        move. Raises TypeError and ValueError as `masks.as_frozen`."""
        cells = masks.as_frozen(cells, self.painter.shape_of_grid)
        self.session.bet(known("claim", that, CLAIMS))
        self.session.pages.bet.replace(cells)
        self.painter.changed()
        self.session.settle()

    def judge_prediction(self):
        """Return (right, missed, wrong), bool (rows, columns) each: cells that were predicted and
        leak now, that leak and were not predicted, and that were predicted and do not leak. Where
        the bet is that they stay, those count that hold the bits of before the first step."""
        self.session.settle()
        bet, came = self.prediction, self.session.pages.grid(self.session.outcome())
        return bet & came, came & ~bet, bet & ~came

    def reset(self):
        """Take weights and optimizer back to the start. The painted mask stays."""
        self.session.reset()

    def use(
        self,
        technique=None,
        optimizer=None,
        page=None,
        *,
        rate=None,
        momentum=None,
        decay=None,
    ):
        """Change technique, optimizer or page by name, and turn knobs of the optimizer, also while
        it trains, without a new trace. The next step obeys all of it.

        rate      the learning rate, from 0 up
        momentum  the share of the past that is left a step later, from 0 to less than 1: β₁ of Adam
                  and its like, μ of SGD with momentum
        decay     the weight decay, from 0 up, of an optimizer that has one, such as AdamW

        None leaves things as they are. A newly chosen optimizer starts with empty state, and with
        its usual numbers. ValueError for an unknown name, a number out of range, or a knob that the
        optimizer does not have; nothing has changed then.
        """
        # Every name is checked before anything is changed.
        choices = {
            "technique": (technique, self._known_technique),
            "optimizer": (optimizer, self._known_optimizer),
            "page": (page, self._known_page),
        }
        chosen = {what: check(one) for what, (one, check) in choices.items() if one is not None}
        knobs = {"rate": rate, "momentum": momentum, "decay": decay}
        turned = {knob: number for knob, number in knobs.items() if number is not None}
        chosen |= self._known_numbers(turned, chosen.get("optimizer", self.painter.optimizer))
        for what, one in chosen.items():
            self.painter.choose(what, one)

    def close(self):
        """End the training thread and take the widget off the page; a second time, do nothing."""
        if self.painter.status != "closed":
            self.session.close()
            self.painter.close()
            self.task, self.optimizers = self.session.pages.task, {}

    def picture(self, view=None):
        """Return a static picture: what the cells held when they were frozen (free ones before the
        first step), what they hold now, and how far they have moved since; or one of the
        `overlays`, by its name."""
        if view is None:
            return stills.picture(self)
        return stills.heat(self, view, self._overlays[known("view", view, self._overlays)])

    def microscope(self):
        """Return a static picture of what the pinned cells went through; see `traces`. ValueError
        if nothing was recorded."""
        return stills.traces(self)

    def animation(self, steps, frames=12, scale=None):
        """Train `steps` steps and return an animated picture of the grid, of at most `frames`
        frames: frozen cells are outlined, and those of them that have leaked are crossed in red.

        `scale` is the magnitude of a weight at both ends of the colours, the largest one in the
        film without it. Give films that are compared the same one.
        """
        return stills.animation(self, steps, frames, scale)

    # --- to take away ----------------------------------------------------------------------

    def code(self):
        """Return task, technique, optimizer, page, seed and painted masks as one line of text.

        Steps are not in it. ValueError for a task or an optimizer of one's own.
        """
        return share.code(self)

    def link(self):
        """Return the address at which the course's site opens this line, without a kernel.

        "" while the course has no address of its own, and for a task or an optimizer that the site
        has not. ValueError as for `code`.
        """
        return share.link(self.code())

    @classmethod
    def from_code(cls, text, device=None):
        """Make the playground whose line `code` gave; ValueError for a damaged or another line."""
        return share.opened(cls, text, device)

    def paste(self, text):
        """Put the masks and choices of a line that `code` gave in force here, where the task and
        its sizes are the same.

        Weights and steps stay as they are, and so does the state of an optimizer that is in use
        already; each page's mask is one stroke, for `undo`. Returns None, or a sentence if the
        line's seed is another. ValueError for a line that does not fit: nothing has changed.
        """
        return share.paste(self, text)

    def script(self):
        """Return the text of a Python program that repeats all steps since the last reset.

        The last line that it prints is the SHA-256 of `weights.tobytes()`. ValueError for a task
        or an optimizer of one's own.
        """
        return script.script(self)

    # --- names -----------------------------------------------------------------------------

    def _cell(self, row, column):
        """Two whole numbers that name a cell of the grid."""
        grids.pick(row, column, self.painter.shape_of_grid)
        return operator.index(row), operator.index(column)

    def _on_page(self, row, column):
        """Return the cell of the page that they name: (page, row, column)."""
        return (self.session.pages.page, *self._cell(row, column))

    def _known_technique(self, technique):
        return known("technique", technique, self.session.loop.techniques)

    def _known_optimizer(self, optimizer):
        return offered.known_optimizer(optimizer, list(self.optimizers))

    def _known_numbers(self, turned, optimizer):
        """Return the numbers to which knobs of an optimizer are to be turned, as floats."""
        has = self.session.loop.knobs_of(optimizer).usual if turned else {}
        return {knob: known_number(knob, one, has, optimizer) for knob, one in turned.items()}

    def _known_page(self, page):
        return known("page", str(page), self.task.pages)

    # --- how it is shown -------------------------------------------------------------------

    def __repr__(self):
        return self._call

    def _repr_mimebundle_(self, **_):
        """Return the live widget, and a picture for readers without a kernel."""
        picture = stills.stand_in(self)
        view, metadata = self.painter._repr_mimebundle_()
        return {**view, "text/plain": repr(self), "image/png": picture}, metadata
