"""A run and who looks at it: the Driver of a playground's panel.

The playground gives orders from the notebook's thread, and the painter asks for frames from others;
the trainer and the loop's lock bring both to the moments between two chunks.
"""

import functools
import gc
import math
import time
from collections.abc import Callable

from helpers import private
from helpers.playground import cell_trainer, settings
from helpers.playground.driver import Closed, Driver, FrontEnd
from helpers.playground.loop import Loop
from helpers.playground.pages import Pages
from helpers.playground.panel import Panel
from helpers.playground.run import Run
from helpers.playground.settings import KNOBS
from helpers.playground.trainer import Trainer

COMPILE_AFTER = 1.0


class Session(Driver):
    """A task under training, on a thread of its own where its steps show then, and the panel that
    shows it: `painter`, a FrontEnd of which this is the Driver.

    task        a Task
    optimizers  name -> freezable optimizer: those that can be chosen
    device      as for `helpers.device.place`
    controls    the tools that are shown; see `Panel`
    goals       what the page asks somebody to do: Goals
    overlays    what the panel is told of arrays to view; see `overlays.on_screen`
    pauses      numbers of steps at which training stops that nobody has given a number of steps
    front_end   makes the FrontEnd, as Panel does
    sharing     whoever answers `code()`, `link()` and `paste(line)` for the panel
    chosen      the names of technique, optimizer and page to begin with

    All arrays of the session but those of `snapshot` have the variable's whole shape.
    `after_steps` are functions that are called on the training thread when steps have been taken,
    with the operations of each browser that these steps obeyed: a dict from a browser's name to
    the number of its last one.
    """

    def __init__(
        self,
        task,
        optimizers,
        device,
        controls,
        sharing,
        front_end: Callable[..., FrontEnd] = Panel,
        *,
        technique,
        optimizer,
        page,
        goals=(),
        pauses=(),
        overlays=(),
    ):
        loop = private.call_apart(_begun, task, optimizers, device, technique, optimizer)
        self.pages = Pages(task, task.variable.shape, page)
        self.run, self._sharing = Run(loop, self.pages, goals), sharing
        self.after_steps: list[Callable[[dict[str, int]], None]] = []
        self._error, self._first_look = None, None
        self._applied: dict[str, int] = {}
        in_cells = cell_trainer.needed()
        self.trainer = (cell_trainer.CellTrainer if in_cells else Trainer)(
            loop, self._put_in_force, self._after_chunk, self._fail, self._refuse, pauses
        )
        self.painter = front_end(
            self.pages.grid(self.run.initial),
            self._choices(),
            controls,
            driver=self,
            mask=self.pages.mask,
            cell_names=task.names,
            stations=loop.stations(),
            goals=[goal.text for goal in self.run.goals.goals],
            overlays=overlays,
            unheard=in_cells,
            **dict(technique=technique, optimizer=optimizer, page=page),
            **loop.knobs.now,
        )
        self.painter.turn_to(self.pages.mask, self.pages.bet)

    def open(self):
        """Start to train, and to answer: when whoever shares it is ready, too."""
        self.trainer.open()

    def close(self):
        """End the thread, let go of what it trained, and show what the painter was made with."""
        self.trainer.close()
        self.painter.show_status("closed")
        self.painter.hand_over(Closed(self.painter))
        # A notebook keeps every playground that it has displayed, for its history of outputs. What
        # can still be asked of a closed one is what is painted on its page.
        own = self.loop.task.kind is None
        self.pages.keep_one()
        self.run.forget()
        if own:  # a graph of 13 MB that no other shares, tied up in cycles
            gc.collect()

    @property
    def loop(self):
        """The Loop that takes the steps; None when the session is closed."""
        return self.run.loop

    def _choices(self):
        """Return what the lists offer: for each the values, and how they are called on screen."""
        return {
            "technique": [
                (name, technique.label) for name, technique in self.loop.techniques.items()
            ],
            "optimizer": [(name, name) for name in self.loop.names],
            "page": [(name, name) for name in self.pages.masks],
        }

    # --- what the playground asks, from any thread -----------------------------------------

    def settle(self):
        """Return when the mask as painted is in force, so that no change from Python is skipped."""
        self.do(self._put_in_force)

    def frozen(self):
        """Return the masks of all pages as one, as they are in force from the next step on: bool,
        of the variable's shape."""
        self.settle()
        return self.do(lambda: self.loop.frozen)

    def values(self):
        """Return what the model computes with: an array of the variable's shape."""
        return self.do(lambda: self.loop.values)

    def when_frozen(self):
        """Return what each frozen cell held when it was frozen, and each free one before the first
        step: an array of the variable's shape."""
        return self.do(self.run.when_frozen)

    def leaks(self):
        """Return the frozen cells whose bits changed since they were frozen: bool."""
        return self.do(self.run.leaks)

    def outcome(self):
        """Return the cells that do as the bet says; see `Run.outcome`."""
        return self.do(self.run.outcome)

    def accuracy(self):
        """Return the share of held-out examples that the model gets right; None if none are held
        out."""
        self.do(self.run.examine)
        return self.run.accuracy.share

    def goals(self):
        """Return each goal's sentence, and whether it has been reached since the last reset."""
        self.settle()
        return self.do(self.run.judge_goals)

    def records(self):
        """Return what the microscope's picture is drawn from: the arrays of each pinned cell by its
        name, and the marks of them all."""
        return self.do(self.run.records, self._name)

    def trace(self, row, column):
        """Return the Trace of a pinned cell of the page."""
        return self.do(self.run.microscope.trace, (self.pages.page, row, column))

    @property
    def steps(self):
        """How many steps have been taken since the start or the last reset."""
        return self.run.curve.steps

    def add_technique(self, name, technique):
        """Let a recipe of one's own be chosen; see `Loop.add_technique`."""
        try:
            self.do(self.loop.add_technique, name, technique)
        except Exception as error:
            self._refuse(error)
            raise
        self.painter.offer("technique", self._choices()["technique"])
        self._show_stations()

    def paint_pages(self, frozen):
        """Replace the masks of all pages, bool (pages, rows, columns); an undo takes each back."""
        self.pages.replace(frozen)
        self.painter.changed()
        self.settle()

    def start(self, steps=math.inf, limit=None):
        """Take `steps` steps, at most `limit` a second; None = as fast as it goes."""
        self.raise_failure()
        self.painter.tell("")
        self.trainer.start(steps, limit)

    def train_on(self):
        """Train at the chosen speed until `stop`, or until the next pause."""
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

    # --- what the panel asks: the Driver ---------------------------------------------------

    def snapshot(self):
        """Return what a frame shows, a `driver.Snapshot`."""
        with self.loop.lock:
            return self.run.snapshot(self._applied, self.trainer.left, self._name)

    def wake(self):
        """Have the mask put in force and a frame published soon."""
        self.trainer.wake()

    def do(self, function, *arguments):
        """Run a function between two chunks, on the training thread; return what it returns."""
        return self.trainer.do(functools.partial(function, *arguments))

    def post(self, function):
        """Have a function run between two chunks, and do not wait for that."""
        self.trainer.post(function)

    def order(self, order):
        """Train, pause, take one step, or go back to the start."""
        orders = {
            "train": self.train_on,
            "pause": self.stop,
            "step": functools.partial(self.start, 1),
            "reset": self.reset,
        }
        orders[order]()

    def choose(self, setting, value):
        """Put a setting in force: the next step is the first that obeys it."""
        how = {
            "technique": self.loop.use_technique,
            "optimizer": self._use_optimizer,
            "page": self._turn_to,
            "speed": self.trainer.change_limit,
            **{knob: functools.partial(self._turn, knob) for knob in KNOBS},
        }
        how[setting](value)
        if setting in ("technique", "optimizer"):
            self._show_stations()

    def pin(self, cell, pinned=True):
        """Record a cell (page, row, column) from the next step on; or no more."""
        self.do(self.run.pin, cell, pinned)
        self.painter.mark_stale()

    def bet(self, claim):
        """Let the predicted cells be a bet on another claim."""
        self.run.bet(claim)
        self.painter.changed()

    def code(self):
        """Return masks and choices as a line of text."""
        return self._sharing.code()

    def link(self):
        """Return the address at which the site opens that line; "" if there is none."""
        return self._sharing.link()

    def paste(self, line):
        """Put in force what a line says; return a remark on it, or None."""
        return self._sharing.paste(line)

    # --- on the training thread ------------------------------------------------------------

    def _restart(self):
        self.run.restart()
        self._show_stations()  # nothing is remembered any more
        self._error, self._applied = None, {}
        self.painter.tell("")
        self._report(at_once=True)
        self._show("paused")

    def _use_optimizer(self, name):
        self.loop.use_optimizer(name)
        self.painter.show_knobs(self.loop.knobs.now)

    def _turn(self, knob, number):
        self.loop.turn(**{knob: number})
        self._show_stations()  # at 0, memory and decay are no way out

    def _turn_to(self, page):
        self.pages.turn_to(page)
        self.painter.turn_to(self.pages.mask, self.pages.bet)

    def _show_stations(self):
        self.painter.show_stations(self.loop.stations())

    def _name(self, cell):
        page, row, column = cell
        of_page = f"class {page}, " if len(self.pages.masks) > 1 else ""
        return f"{of_page}{self.pages.task.names.of_cell(row, column)}"

    def _put_in_force(self):
        """Do what was asked for, and give TensorFlow the mask if it was painted since. `applied` is
        read first, so that both hold at least every operation that it names."""
        applied = self.painter.applied
        self.trainer.catch_up()
        if self.run.put_in_force():
            self._show_stations()
        if self.trainer.running:
            self.run.prepare()
        if applied != self._applied:
            self._applied = applied
            self.painter.mark_stale()

    def _after_chunk(self, losses):
        """Note what a chunk of steps has brought, and show how things stand."""
        self._rest_unwatched()
        self._pause_if_due(losses)
        running = self.trainer.running
        if len(losses):
            self.run.note(losses, examine=not running)
            for tell in self.after_steps:
                tell(self._applied)
            self.painter.mark_stale()
        self._report(at_once=not running)
        if self.painter.status == "closed":  # by whoever observes what is reported
            return None
        running = self.trainer.running
        self._show("training" if running else "paused")
        full_speed = running and self.trainer.limit is None
        return self._compile_soon(self.painter.publish(full_speed))

    def _rest_unwatched(self):
        """Take no further step for nobody. Where a number of steps was asked for, all are taken."""
        if self.trainer.left == math.inf and self.painter.unwatched > settings.REST_AFTER:
            self.trainer.stop()
            self.painter.tell(settings.RESTS, calm=True)

    def _pause_if_due(self, losses):
        """Stop where the page wants it; a chunk of no steps is one before it goes on from there."""
        if len(losses) and self.trainer.at_pause:
            self.trainer.stop()
            said = settings.PAUSES.format(step=f"{self.loop.step:,}")
            self.painter.tell(said, calm=True)

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
            self.painter.show_status(status)
            self.run.rate.rest()
            self.painter.mark_stale()

    def _report(self, at_once):
        curve, accuracy = self.run.curve, self.run.accuracy.share
        self.painter.report(at_once, accuracy=accuracy, loss=curve.last, step=curve.steps)

    def _fail(self, error):
        self._error = error
        self._report(at_once=True)
        self.painter.tell(str(error))
        self.painter.show_status("failed")

    def _refuse(self, error):
        self.painter.tell(str(error))


def _begun(task, optimizers, device, technique, optimizer):
    """Return a Loop that has taken no step, with technique and optimizer chosen."""
    loop = Loop(task, optimizers, device)
    loop.use_technique(technique)
    loop.use_optimizer(optimizer)
    return loop
