"""The playground: paint a mask, train, and watch which cells move. Mouse and Python do the same."""

import collections
import functools
import math
import numbers
import time

import numpy as np
from IPython import get_ipython
from IPython.display import Image

from helpers import bits, optimizers
from helpers.device import describe
from helpers.pictures import plots
from helpers.playground import tasks
from helpers.playground.controls import Controls
from helpers.playground.loop import Loop
from helpers.playground.painter import Painter
from helpers.playground.painter.strokes import Sheet
from helpers.playground.progress import Curve, Pace
from helpers.playground.trainer import Trainer
from helpers.techniques import known

LOGGED = 10_000
COMPILE_AFTER = 1.0


class Playground:
    """A model under training with a grid of its weights to paint on.

    task       "digits", "snowflake" or "hidden", or a Task; see `tasks.own` for a model of yours
    optimizer  a Keras name ("sgd", "momentum", "adam", "adamw", …) or a Keras optimizer, of
               which a copy trains, with the same settings and empty state
    technique  how the painted cells are frozen: a name in `techniques.TECHNIQUES`
    seed       the same seed, task and calls give the same weights on the same machine
    device     "cpu" or "gpu"; without it the GPU when TensorFlow sees one
    page       which page of the task to paint, for example the digit "3"

    `frozen`, `weights` and `initial` are arrays (rows, columns) of the grid; True = frozen.
    """

    def __init__(
        self, task="digits", optimizer="adam", technique="none", seed=0, device=None, page=None
    ):
        self._call = f"Playground(task={_name(task)}, optimizer={_name(optimizer)}, {technique=})"
        known(technique)
        self.task = tasks.make(task, seed)
        self.optimizers = self._listed(optimizer)
        self._loop = Loop(self.task, self.optimizers, device)
        self._initial = self._loop.values
        self._page = self._known_page(page or next(iter(self.task.pages)))
        shape = self._grid(self._initial).shape
        self._sheets = {name: Sheet(shape) for name in self.task.pages}
        self.painter = Painter(self._grid(self._initial), sheet=self._sheets[self._page])
        self.controls, self._looked_on = Controls(self), None
        self._begin()
        self._trainer = Trainer(self._loop, self._put_in_force, self._after_chunk, self._fail)
        # Last, because a browser may ask for a frame as soon as there is a painter.
        self.painter.snapshot, self.painter.on_change = self._reading, self._trainer.wake
        self._trainer.open()
        self.use(technique, optimizers.known_optimizer(optimizer), self._page)
        _close_former(self)

    # --- what is there ---------------------------------------------------------------------

    @property
    def weights(self):
        """The grid's weights as they stand, a float array (rows, columns)."""
        return self._grid(self._trainer.do(lambda: self._loop.values)).copy()

    @property
    def initial(self):
        """The grid's weights before the first step."""
        return self._grid(self._initial).copy()

    @property
    def frozen(self):
        """The painted mask, bool (rows, columns), True = frozen; set it to replace the mask."""
        return self.painter.frozen

    @frozen.setter
    def frozen(self, mask):
        self.painter.frozen = mask
        self._settle()

    def leaks(self):
        """Return a bool array (rows, columns): frozen cells whose bits changed since frozen."""
        self._settle()
        return self._grid(self._trainer.do(lambda: self._watch.leaks(self._loop.values)))

    @property
    def steps(self):
        """How many steps have been taken since the start or the last reset."""
        return self._curve.steps

    # --- what can be done ------------------------------------------------------------------

    def paint(self, rows, columns, frozen=True):
        """Freeze the cells named by rows and columns, paired as NumPy pairs them, or thaw them.

        lab.paint(2, 3) is one cell, lab.paint([0, 1], [2, 3]) two, lab.paint(slice(0, 2),
        slice(None)) the first two rows. A cell outside the grid raises IndexError.
        """
        self._raise_failure()
        self.painter.paint(rows, columns, frozen)
        self._settle()

    def undo(self):
        """Take back the last stroke, wherever it was painted."""
        self.painter.undo()
        self._settle()

    def redo(self):
        """Paint the last undone stroke again."""
        self.painter.redo()
        self._settle()

    def train(self, steps):
        """Take `steps` steps as fast as they go, and return when they are done."""
        if not isinstance(steps, numbers.Integral) or steps < 0:
            raise ValueError(f"{steps!r} steps arrived; a whole number from 0 up was wanted.")
        try:
            self._go(steps)
            self._trainer.wait()
        except KeyboardInterrupt:
            self.stop()
            raise
        self._raise_failure()

    def start(self):
        """Train on at the chosen speed until `stop`; the notebook stays usable meanwhile."""
        self._go(math.inf, self.controls.limit)

    def step(self):
        """Take one step, and no other after it."""
        self._go(1)

    def change_speed(self):
        """Train on at the chosen speed, if anything trains: as far as it was to go."""
        self._trainer.change_limit(self.controls.limit)

    def stop(self):
        """Pause. The weights and the optimizer's state stay as they are."""
        self._trainer.stop()
        self._raise_failure()

    def reset(self):
        """Take weights and optimizer back to the start. The painted mask stays."""
        self._trainer.stop()
        self._trainer.do(self._restart)

    def use(self, technique=None, optimizer=None, page=None):
        """Change technique, optimizer or page by name, also while it trains, without a new trace.

        A newly chosen optimizer starts with empty state.
        """
        choices = [
            (technique, known, self._loop.use_technique),
            (optimizer, self._known, self._loop.use_optimizer),
            (page, self._known_page, self._turn_to),
        ]
        # Every name is checked before anything is changed.
        names = [None if name is None else check(name) for name, check, _ in choices]
        for name, (_, _, use) in zip(names, choices):
            if name is not None:
                self._trainer.do(functools.partial(use, name))
        self.controls.show(*names)

    def close(self):
        """End the training thread and take the widget off the page."""
        self._trainer.close()
        self.painter.status = "closed"
        self.controls.close()
        # The painter lives on in the class's list of those to tell of a new style sheet.
        self.painter.snapshot = self.painter.plain_snapshot
        self.painter.on_change = self.painter.publish

    def picture(self):
        """Return a static picture: the weights before, after, and how far they moved."""
        made = plots.before_after_moved(self.initial, self.weights, self.frozen, self.leaks())
        return Image(plots.png(made))

    def _go(self, steps, limit=None):
        self._raise_failure()
        self.painter.error = ""
        self._trainer.start(steps, limit)

    # --- on the training thread ------------------------------------------------------------

    def _begin(self):
        """Note how things stand before the first step."""
        self._watch, self._curve, self._pace = bits.Watch(self._initial), Curve(), Pace()
        self._error, self._versions, self._applied, self._awaited = None, None, {}, None
        self.in_force_at = collections.deque(maxlen=LOGGED)

    def _restart(self):
        with self._trainer.lock:
            self._loop.reset()
            self._begin()
        self.painter.error = ""
        self._show("paused")

    def _turn_to(self, page):
        self._page = page
        self.painter.turn_to(self._sheets[page])

    def _after_chunk(self, losses):
        """Note what a chunk of steps has brought, and show how things stand."""
        if len(losses):
            with self._trainer.lock:
                self._curve.add(losses)
            self._pace.add(len(losses))
            self._note_latency()
            self.painter.mark_stale()
        self._show("training" if self._trainer.running else "paused")
        self.painter.link.full_speed = self._trainer.running and self._trainer.limit is None
        return self._compile_soon(self.painter.publish())

    def _compile_soon(self, again):
        """Compile a second after somebody looks on, before they press Train; while the page is
        still being laid out, this would slow it down. Return when to come back, in seconds."""
        if self._loop.traces or not self.painter.applied:
            return again
        self._looked_on = self._looked_on or time.perf_counter()
        left = self._looked_on + COMPILE_AFTER - time.perf_counter()
        if left <= 0:
            self._loop.run(0)
            return again
        return left if again is None else min(again, left)

    def _put_in_force(self):
        """Give TensorFlow the mask if it was painted since; `applied` is read first, so that the
        mask holds at least every operation that it names."""
        applied = self.painter.applied
        versions = [sheet.version for sheet in self._sheets.values()]
        if versions != self._versions:
            frozen = np.zeros(self._initial.shape, bool)
            for name, sheet in self._sheets.items():
                self.task.grid(frozen, name)[:] = sheet.frozen
            self._watch.freeze(frozen, self._loop.values)
            self._loop.freeze(frozen)
            self._versions = versions
        if applied != self._applied:
            self._applied = self._awaited = applied
            self.painter.mark_stale()

    def _note_latency(self):
        """Log when a step has been taken under the last operations; the bench reads it."""
        if self._awaited is not None:
            self.in_force_at.append((time.time(), self._awaited))
            self._awaited = None

    def _show(self, status):
        if self._error is None and self.painter.status != status:
            self.painter.status = status
            self._pace.rest()
            self.controls.show_status(status)
            self.painter.mark_stale()

    def _fail(self, error):
        self._error = error
        self.painter.error, self.painter.status = str(error), "failed"
        self.controls.show_status("failed")

    def _raise_failure(self):
        """Raise what ended training, once, in the cell that comes next."""
        error, self._error = self._error, None
        if error is not None:
            raise error

    def _reading(self):
        """What a frame shows; see `Painter.plain_snapshot`."""
        with self._trainer.lock:
            return self._read()

    def _read(self):
        values = self._loop.values
        frozen, leaked = self._watch.frozen, self._watch.leaks(values)
        moved = bits.changed_bits(self._initial, values)
        arrays = dict(
            values=values, initial=self._initial, moved_bits=moved, leaked=leaked, frozen=frozen
        )
        header = dict(step=self._curve.steps, loss=self._curve.last, speed=self._pace.speed)
        left = self._trainer.left
        header["goal"] = header["step"] + left if 0 < left < math.inf else None
        header["device"] = describe(self._loop.device)
        reading = {name: self._grid(array) for name, array in arrays.items()}
        return dict(reading, header=header, curve=self._curve.points, applied=self._applied)

    # --- small parts -----------------------------------------------------------------------

    def _settle(self):
        """Return when the mask as painted is in force, so that no change from Python is skipped."""
        self._trainer.do(self._put_in_force)

    def _grid(self, whole):
        """The cells of a whole variable that stand on the grid, (rows, columns)."""
        return self.task.grid(whole, self._page)

    def _listed(self, optimizer):
        """Every optimizer that can be chosen, by name: the usual ones, and the one asked for."""
        rates = self.task.rates
        listed = {n: optimizers.make_optimizer(n, rates.get(n)) for n in optimizers.OPTIMIZERS}
        name = optimizers.known_optimizer(optimizer)
        return listed | {name: optimizers.make_optimizer(optimizer, rates.get(name))}

    def _known(self, optimizer):
        listed = list(self.optimizers)
        # One's own has a name that only this list knows; it was compiled with its settings.
        name = optimizer if optimizer in listed else optimizers.known_optimizer(optimizer)
        if name not in listed or not isinstance(optimizer, str):
            raise ValueError(
                f"The optimizer {_name(optimizer)} arrived; this playground was compiled with "
                f"{', '.join(map(repr, listed))}. Choose one of these names, or make a new one: "
                f"Playground(optimizer={_name(optimizer)})."
            )
        return name

    def _known_page(self, page):
        if str(page) not in self.task.pages:
            raise ValueError(
                f"The page {page!r} arrived; the pages of this task are "
                f"{', '.join(map(repr, self.task.pages))}."
            )
        return str(page)

    def __repr__(self):
        return self._call

    def _repr_mimebundle_(self, **_):
        """The live widget, and a picture for readers without a kernel."""
        made = plots.preview(self.initial, self.frozen, "weights, before training")
        view = self.controls.box._repr_mimebundle_()
        return {**view, "text/plain": repr(self), "image/png": plots.png(made)}


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
