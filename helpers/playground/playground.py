"""The playground: paint a mask, train, and watch which cells move. Mouse and Python do the same."""

import numbers

from IPython import get_ipython
from IPython.display import Image

from helpers.names import known
from helpers.optimizers import LISTED, freezable_optimizer, name_of
from helpers.pictures import plots
from helpers.playground import tasks
from helpers.playground.panel import known_controls
from helpers.playground.session import Session
from helpers.techniques import TECHNIQUES


class Playground:
    """A model under training with a grid of its weights to paint on.

    task       "digits", "snowflake" or "hidden", or a Task; see `tasks.own` for a model of yours
    optimizer  a Keras name ("sgd", "momentum", "adam", "adamw", …) or a Keras optimizer, of
               which a copy trains, with the same settings and empty state
    technique  how the painted cells are frozen: a name in `techniques.TECHNIQUES`
    seed       the same seed, task and calls give the same weights on the same machine
    device     "cpu" or "gpu"; without it the GPU when TensorFlow sees one
    page       which page of the task to paint, for example the digit "3"
    controls   the tools that are shown, names in `panel.CONTROLS`; None = all, [] = the grid alone

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
    ):
        self._call = f"Playground(task={_name(task)}, optimizer={_name(optimizer)}, {technique=})"
        known("technique", technique, TECHNIQUES)
        controls = known_controls(controls)
        self.task = tasks.make(task, seed)
        self.optimizers = _listed(optimizer, self.task.rates)
        page = self._known_page(page or next(iter(self.task.pages)))
        self.session = Session(self.task, self.optimizers, device, page, controls)
        self.painter = self.session.painter
        self.session.open()
        self.use(technique, name_of(optimizer), page)
        _close_former(self)

    # --- what is there ---------------------------------------------------------------------

    @property
    def weights(self):
        """The grid's weights as they stand, a float array (rows, columns)."""
        return self.session.grid(self.session.values()).copy()

    @property
    def initial(self):
        """The grid's weights before the first step."""
        return self.session.grid(self.session.initial).copy()

    @property
    def frozen(self):
        """The painted mask, bool (rows, columns), True = frozen; set it to replace the mask."""
        return self.painter.frozen

    @frozen.setter
    def frozen(self, mask):
        self.painter.frozen = mask
        self.session.settle()

    def leaks(self):
        """Return a bool array (rows, columns): frozen cells whose bits changed since frozen."""
        self.session.settle()
        return self.session.grid(self.session.leaks())

    @property
    def steps(self):
        """How many steps have been taken since the start or the last reset."""
        return self.session.steps

    @property
    def training(self):
        """Whether there are steps left to take."""
        return self.session.trainer.running

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
        """Train on at the chosen speed until `stop`; the notebook stays usable meanwhile."""
        self.session.train_on()

    def step(self):
        """Take one step, and no other after it."""
        self.session.start(1)

    def stop(self):
        """Pause. The weights and the optimizer's state stay as they are."""
        self.session.stop()

    def reset(self):
        """Take weights and optimizer back to the start. The painted mask stays."""
        self.session.reset()

    def use(self, technique=None, optimizer=None, page=None):
        """Change technique, optimizer or page by name, also while it trains, without a new trace.

        A newly chosen optimizer starts with empty state.
        """
        # Every name is checked before anything is changed.
        choices = {
            "technique": (technique, self._known_technique),
            "optimizer": (optimizer, self._known_optimizer),
            "page": (page, self._known_page),
        }
        names = {what: check(one) for what, (one, check) in choices.items() if one is not None}
        for what, name in names.items():
            self.painter.choose(what, name)

    def close(self):
        """End the training thread and take the widget off the page; a second time, do nothing."""
        if self.painter.status != "closed":
            self.session.close()
            self.painter.close()

    def picture(self):
        """Return a static picture: the weights before, after, and how far they moved."""
        figure = plots.before_after_moved(self.initial, self.weights, self.frozen, self.leaks())
        return Image(plots.png(figure))

    # --- names -----------------------------------------------------------------------------

    def _known_technique(self, technique):
        return known("technique", technique, TECHNIQUES)

    def _known_optimizer(self, optimizer):
        listed = list(self.optimizers)
        # One's own has a name that only this list knows; it was compiled with its settings.
        name = optimizer if optimizer in listed else name_of(optimizer)
        if name not in listed or not isinstance(optimizer, str):
            raise ValueError(
                f"The optimizer {_name(optimizer)} arrived; this playground was compiled with "
                f"{', '.join(map(repr, listed))}. Choose one of these names, or make a new one: "
                f"Playground(optimizer={_name(optimizer)})."
            )
        return name

    def _known_page(self, page):
        return known("page", str(page), self.task.pages)

    # --- how it is shown -------------------------------------------------------------------

    def __repr__(self):
        return self._call

    def _repr_mimebundle_(self, **_):
        """The live widget, and a picture for readers without a kernel."""
        figure = plots.preview(self.initial, self.frozen, "weights, before training")
        view, metadata = self.painter._repr_mimebundle_()
        return {**view, "text/plain": repr(self), "image/png": plots.png(figure)}, metadata


def _listed(optimizer, rates):
    """Every optimizer that can be chosen, by name: the usual ones, and the one asked for."""
    listed = {name: freezable_optimizer(name, rates.get(name)) for name in LISTED}
    name = name_of(optimizer)
    return listed | {name: freezable_optimizer(optimizer, rates.get(name))}


def _name(choice):
    """A name in quotes; the class of anything else, whose own text would change from run to run."""
    return repr(choice) if isinstance(choice, str) else type(choice).__name__


_LIVE = {}


def _close_former(playground):
    """Close what an earlier run of the same cell has left, so that one cell has one trainer."""
    shell = get_ipython()
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    if not parent:
        return
    cell = parent["metadata"].get("cellId") or parent["content"].get("code")
    run = parent["header"]["msg_id"]
    former_run, former = _LIVE.get(cell, (run, []))
    if former_run != run:
        for one in former:
            one.close()
        former = []
    _LIVE[cell] = run, [*former, playground]
