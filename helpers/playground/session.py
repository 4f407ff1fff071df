"""A run under way: what is done and noted on the training thread, chunk by chunk.

The playground gives orders from the notebook's thread, and the painter asks for frames from others;
`do` and the trainer's lock bring both to the moments between two chunks.
"""

import functools
import gc
import math
import time

import numpy as np

from helpers import bits, private
from helpers.device import describe
from helpers.playground import cell_trainer
from helpers.playground.loop import Loop
from helpers.playground.microscope import Microscope
from helpers.playground.painter.strokes import Sheet
from helpers.playground.panel import CLAIMS, Panel
from helpers.playground.progress import Curve, Examination, Pace
from helpers.playground.trainer import CLOSED, Trainer

COMPILE_AFTER = 1.0


class Session:
    """A task under training, on a thread of its own where its steps show then, and the panel that
    shows it.

    task        a Task
    optimizers  name -> freezable optimizer: those that can be chosen
    device      as for `helpers.device.place`
    controls    the tools that are shown; see `Panel`
    chosen      the names of technique, optimizer and page to begin with

    `initial` are the values before the first step, in the variable's whole shape, as all arrays of
    the session but those of `snapshot` are. `after_steps` are functions that are called on the
    training thread when steps have been taken, with the operations of each browser that these
    steps obeyed: a dict from a browser's name to the number of its last one.
    """

    def __init__(self, task, optimizers, device, controls=None, *, technique, optimizer, page):
        self.task, self.page = task, page
        self.loop = private.call_apart(_begun, task, optimizers, device, technique, optimizer)
        self.initial = self.loop.values
        grid = self.grid(self.initial)
        self._sheets = {name: Sheet(grid.shape) for name in task.pages}
        self._bets = {name: Sheet(grid.shape) for name in task.pages}
        chosen = dict(technique=technique, optimizer=optimizer, page=page)
        told = dict(controls=controls, sheet=self._sheets[page], stations=self.loop.stations())
        self.painter = Panel(grid, self._choices(), **told, **chosen)
        self.painter.row_names = task.row_names
        self.after_steps, self._first_look, self.claim = [], None, CLAIMS[0]
        self.microscope = Microscope(self.loop, self._place)
        self._examination = Examination(self.loop.outputs, task.held_out, task.labels)
        self._begin()
        self.painter.turn_to(self._sheets[page], self._bets[page])
        in_cells = cell_trainer.needed()
        self.painter.link.unheard = in_cells
        self.trainer = (cell_trainer.CellTrainer if in_cells else Trainer)(
            self.loop, self._put_in_force, self._after_chunk, self._fail, self._refuse
        )

    def open(self):
        """Start the thread. Last of all, a browser may ask for frames: as soon as it can."""
        panel, trainer = self.painter, self.trainer
        panel.orders = {
            "train": self.train_on,
            "pause": self.stop,
            "step": functools.partial(self.start, 1),
            "reset": self.reset,
        }
        panel.put_in_force, panel.run, panel.post = self._choose, trainer.do, trainer.post
        panel.pin, panel.bet = self._pin, self.bet
        panel.snapshot, panel.on_change = self.snapshot, trainer.wake
        trainer.open()

    def close(self):
        """End the thread, let go of what it trained, and show what the painter was made with."""
        self.trainer.close()
        self.painter.status = "closed"
        # Whoever still holds the painter sees what it was made with, and holds nothing else.
        self.painter.snapshot = self.painter.plain_snapshot
        self.painter.on_change = self.painter.publish
        self.painter.orders = dict.fromkeys(self.painter.orders, _closed)
        self.painter.put_in_force = self.painter.pin = self.painter.bet = _closed
        self.painter.code = self.painter.paste = _closed
        self.painter.run = self.painter.post = _closed
        # A notebook keeps every playground that it has displayed, for its history of outputs. What
        # can still be asked of a closed one is what is painted on its page.
        own, self.task = self.task.kind is None, self.task.pages_alone
        self.loop = self.trainer.loop = self.microscope = self._examination = self._watch = None
        for sheets in (self._sheets, self._bets):
            for name in sheets.keys() - {self.page}:
                del sheets[name]
        self._curve.losses.clear()
        if own:  # a graph of 13 MB that no other shares, tied up in cycles
            gc.collect()

    def _choices(self):
        """What the lists offer: for each the values, and how they are called on screen."""
        return {
            "technique": [
                (name, technique.label) for name, technique in self.loop.techniques.items()
            ],
            "optimizer": [(name, name) for name in self.loop.names],
            "page": [(name, name) for name in self.task.pages],
        }

    # --- from any thread -------------------------------------------------------------------

    def grid(self, whole):
        """The cells of a whole variable that stand on the grid, a view (rows, columns)."""
        return self.task.grid(whole, self.page)

    def do(self, function, *arguments):
        """Run a function between two chunks, on the training thread; return what it returns."""
        return self.trainer.do(functools.partial(function, *arguments))

    def settle(self):
        """Return when the mask as painted is in force, so that no change from Python is skipped."""
        self.do(self._put_in_force)

    def mask(self):
        """The masks of all pages as one, as they are in force from the next step on: bool, of the
        variable's shape."""
        self.settle()
        return self.do(lambda: self.loop.frozen)

    def values(self):
        """What the model computes with: an array of the variable's shape, between two chunks."""
        return self.do(lambda: self.loop.values)

    def when_frozen(self):
        """What each frozen cell held when it was frozen, and each free one before the first step:
        an array of the variable's shape."""
        return self.do(lambda: np.where(self._watch.frozen, self._watch.held, self.initial))

    def leaks(self):
        """Frozen cells whose bits changed since they were frozen: bool, of the whole shape."""
        return self.do(lambda: self._watch.leaks(self.loop.values))

    @property
    def bets(self):
        """The Sheet on which it is painted which cells of the page will do as `claim` says."""
        return self._bets[self.page]

    def bet(self, claim):
        """Let the predicted cells be a bet on another of CLAIMS."""
        self.claim = claim
        self.painter.changed()

    def outcome(self):
        """Cells that do as `claim` says: that leak, or of which no bit has changed since the start;
        bool, of the whole shape."""
        if self.claim == "leak":
            return self.leaks()
        return self.do(lambda: ~bits.changed_bits(self.initial, self.loop.values))

    def accuracy(self):
        """The share of held-out examples that the model gets right; None if none are held out."""
        self.do(self._examination.take)
        return self._examination.share

    def pin(self, row, column, pinned=True):
        """Record a cell of the page from the next step on; or no more, and forget its record."""
        self.do(self._pin, (self.page, row, column), pinned)

    def add_technique(self, name, technique):
        """Let a recipe of one's own be chosen; see `Loop.add_technique`."""
        try:
            self.do(self.loop.add_technique, name, technique)
        except Exception as error:
            self._refuse(error)
            raise
        self.painter.offer("technique", self._choices()["technique"])
        self.painter.stations = self.do(self.loop.stations)

    def paint_pages(self, frozen):
        """Replace the masks of all pages, bool (pages, rows, columns); an undo takes each back."""
        for sheet, mask in zip(self._sheets.values(), frozen):
            sheet.replace(mask)
        self.painter.changed()
        self.settle()

    def trace(self, row, column):
        """The Trace of a pinned cell of the page."""
        return self.do(self.microscope.trace, (self.page, row, column))

    def records(self):
        """What the microscope's picture is drawn from: the arrays of each pinned cell by its name,
        and the marks of them all. Call it on the training thread."""
        traces = {cell: self.microscope.trace(cell) for cell in self.microscope.cells}
        marks = sorted({mark for trace in traces.values() for mark in trace.marks})
        return {self._name(cell): trace.arrays() for cell, trace in traces.items()}, marks

    def _name(self, cell):
        page, row, column = cell
        of_page = f"class {page}, " if len(self.task.pages) > 1 else ""
        return f"{of_page}{self.painter.row_name(row)}, column {column}"

    @property
    def steps(self):
        """How many steps have been taken since the start or the last reset."""
        return self._curve.steps

    def start(self, steps=math.inf, limit=None):
        """Take `steps` steps, at most `limit` a second; None = as fast as it goes."""
        self.raise_failure()
        self.painter.error = ""
        self.trainer.start(steps, limit)

    def train_on(self):
        """Train at the chosen speed until `stop`."""
        self.start(math.inf, self.painter.speed)

    def stop(self):
        """Take no further step; everything stays as it is."""
        self.trainer.stop()
        self.raise_failure()

    def reset(self):
        """Take everything but the painted mask back to the start."""
        self.trainer.stop()
        self.do(self._restart)

    def raise_failure(self):
        """Raise what ended training, once, in the cell that comes next."""
        error, self._error = self._error, None
        if error is not None:
            raise error

    def snapshot(self):
        """What a frame shows; see `Painter.plain_snapshot`. Safe from any thread."""
        with self.trainer.lock:
            values, left = self.loop.values, self.trainer.left
            arrays = {
                "values": values,
                "initial": self.initial,
                "moved_bits": bits.changed_bits(self.initial, values),
                "leaked": self._watch.leaks(values),
                "frozen": self._watch.frozen,
            }
            header = {
                "step": self._curve.steps,
                "loss": self._curve.last,
                "speed": self._pace.speed,
                "goal": self._curve.steps + left if 0 < left < math.inf else None,
                "device": describe(self.loop.device),
                "accuracy": self._examination.report(self.page),
                "page": self.page,
                "claim": self.claim,
                "judged": self._curve.steps > self._betted,
            }
            header["microscope"], traces = self.microscope.curves(self._name)
            grids = {name: self.grid(array) for name, array in arrays.items()}
            bare = dict(header=header, curve=self._curve.points, traces=traces)
            bare["predicted"] = self.bets.frozen
            return dict(grids, **bare, applied=self._applied)

    # --- on the training thread ------------------------------------------------------------

    def _begin(self):
        """Note how things stand before the first step."""
        self._watch, self._curve, self._pace = bits.Watch(self.initial), Curve(), Pace()
        self._error, self._versions, self._applied = None, None, {}
        self._betted, self._bets_made = 0, None

    def _place(self, cell):
        """The flat index in the variable of a cell (page, row, column)."""
        page, *where = cell
        places = np.arange(self.initial.size).reshape(self.initial.shape)
        return self.task.grid(places, page)[tuple(where)]

    def _pin(self, cell, pinned):
        with self.trainer.lock:
            change = self.microscope.pin if pinned else self.microscope.unpin
            change(cell)
        self.painter.mark_stale()

    def _restart(self):
        with self.trainer.lock:
            self.loop.reset()
            self.microscope.restart()
            self._begin()
        self.painter.error = ""
        self._report(at_once=True)
        self._show("paused")

    def _choose(self, name, value):
        """Put a setting in force: the next step is the first that obeys it."""
        settings = {
            "technique": self.loop.use_technique,
            "optimizer": self.loop.use_optimizer,
            "page": self._turn_to,
            "speed": self.trainer.change_limit,
        }
        settings[name](value)
        if name in ("technique", "optimizer"):
            self.painter.stations = self.loop.stations()

    def _turn_to(self, page):
        self.page = page
        self.painter.turn_to(self._sheets[page], self._bets[page])

    def _put_in_force(self):
        """Do what was asked for, and give TensorFlow the mask if it was painted since. `applied` is
        read first, so that both hold at least every operation that it names."""
        applied = self.painter.applied
        self.trainer.catch_up()
        versions = [sheet.version for sheet in self._sheets.values()]
        if versions != self._versions:
            whole = np.zeros(self.initial.shape, bool)
            for name, sheet in self._sheets.items():
                self.task.grid(whole, name)[:] = sheet.frozen
            with self.trainer.lock:
                self._watch.freeze(whole, self.loop.values)
                self.loop.freeze(whole)
            self._versions = versions
        bets = [self.claim, *(sheet.version for sheet in self._bets.values())]
        if bets != self._bets_made:
            self._bets_made, self._betted = bets, self._curve.steps
        if applied != self._applied:
            self._applied = applied
            self.painter.mark_stale()

    def _after_chunk(self, losses):
        """Note what a chunk of steps has brought, and show how things stand."""
        if len(losses):
            with self.trainer.lock:
                self._curve.add(losses)
                self.microscope.note()
            if not self.trainer.running or self._examination.due:
                self._examination.take()
            self._pace.add(len(losses))
            for tell in self.after_steps:
                tell(self._applied)
            self.painter.mark_stale()
        self._report(at_once=not self.trainer.running)
        if self.painter.status == "closed":  # by whoever observes what is reported
            return None
        self._show("training" if self.trainer.running else "paused")
        self.painter.link.full_speed = self.trainer.running and self.trainer.limit is None
        return self._compile_soon(self.painter.publish())

    def _compile_soon(self, again):
        """Compile a second after somebody looks on, before they press Train; while the page is
        still being laid out, this would slow it down. Return when to come back, in seconds."""
        if self.loop.traces or not self.painter.applied:
            return again
        self._first_look = self._first_look or time.perf_counter()
        left = self._first_look + COMPILE_AFTER - time.perf_counter()
        if left <= 0:
            self.loop.run(0)
            return again
        return left if again is None else min(again, left)

    def _show(self, status):
        if self._error is None and self.painter.status != status:
            self.painter.status = status
            self._pace.rest()
            self.painter.mark_stale()

    def _report(self, at_once):
        accuracy = self._examination.share
        self.painter.report(
            at_once, accuracy=accuracy, loss=self._curve.last, step=self._curve.steps
        )

    def _fail(self, error):
        self._error = error
        self._report(at_once=True)
        self.painter.error, self.painter.status = str(error), "failed"

    def _refuse(self, error):
        self.painter.error = str(error)


def _begun(task, optimizers, device, technique, optimizer):
    """A Loop that has taken no step, with technique and optimizer chosen."""
    loop = Loop(task, optimizers, device)
    loop.use_technique(technique)
    loop.use_optimizer(optimizer)
    return loop


def _closed(*_):
    raise RuntimeError(CLOSED)
