"""A run under way: the loop's steps, and what is noted of them for whoever looks on.

All of it happens on the training thread; whoever reads from another one holds the loop's lock.
"""

import math

import numpy as np

from helpers import bits
from helpers.device import describe
from helpers.playground.goals import Reached, State
from helpers.playground.microscope import Microscope
from helpers.playground.progress import AccuracyCurve, Curve, HeldOutAccuracy, StepRate


class Run:
    """What a loop has done since its start or the last reset.

    loop   the Loop that takes the steps
    pages  the Pages on which masks and bets are painted
    goals  what a page asks somebody to do: Goals

    `initial` are the values before the first step. All arrays have the variable's whole shape, but
    those of `snapshot`. `claim` is what is bet of the predicted cells, of `driver.Claim`.
    """

    def __init__(self, loop, pages, goals=()):
        self.loop, self.pages, self.initial = loop, pages, loop.values
        self.claim = "leak"
        self.microscope = Microscope(loop, pages.place)
        self.accuracy = HeldOutAccuracy(loop.outputs, loop.task.held_out, loop.task.labels)
        rows, _ = pages.mask.shape
        self.goals = Reached(goals, rows, accuracy=bool(loop.task.held_out))
        self._begin()

    def _begin(self):
        """Note how things stand before the first step."""
        self._watch, self.curve, self.rate = bits.Watch(self.initial), Curve(), StepRate()
        self.accuracies = AccuracyCurve(self.loop.task.held_out)
        self._versions, self._bets, self._bet_at = None, None, 0
        self._examined = None  # how many steps had been taken when the accuracy was measured

    def restart(self):
        """Take everything but the masks back to the start."""
        with self.loop.lock:
            self.loop.reset()
            self.microscope.restart()
            self._begin()

    def prepare(self):
        """Before the first step, measure the accuracy: its curve begins there."""
        if self._examined is None and not self.curve.steps:
            self.examine()

    def put_in_force(self):
        """Give TensorFlow the masks if they were painted since, and note when a bet was made.
        Return whether there are others."""
        versions, bets = self.pages.versions, [self.claim, *self.pages.bets_made]
        others = versions != self._versions
        if others:
            frozen = self.pages.frozen()
            with self.loop.lock:
                self._watch.freeze(frozen, self.loop.values, self.curve.steps)
                self.loop.freeze(frozen)
            self._versions = versions
        if bets != self._bets:
            self._bets, self._bet_at = bets, self.curve.steps
        return others

    def note(self, losses, examine):
        """Note what a chunk of steps has brought; measure the accuracy if it is time or `examine`
        says so."""
        with self.loop.lock:
            self.curve.add(losses)
            self.microscope.note()
        if examine or self.accuracy.due(self.curve.steps):
            self.examine()
        self.rate.add(len(losses))

    def examine(self):
        """Measure how much of the held-out data is right."""
        self._examined = self.curve.steps
        self.accuracy.take(self._examined)
        if self.accuracies.names:
            with self.loop.lock:
                self.accuracies.add(self._examined, self.accuracy.by_name.values())

    def bet(self, claim):
        """Let the predicted cells be a bet on another claim."""
        self.claim = claim

    def pin(self, cell, pinned):
        """Record a cell (page, row, column) from the next step on; or no more."""
        with self.loop.lock:
            change = self.microscope.pin if pinned else self.microscope.unpin
            change(cell)

    def forget(self):
        """Let go of model, graphs and data, and keep how many steps there were."""
        self.loop = self.microscope = self.accuracy = self._watch = None
        self.curve.losses.clear()

    # --- how things stand ------------------------------------------------------------------

    def leaks(self):
        """Frozen cells whose bits changed since they were frozen, bool."""
        return self._watch.leaks(self.loop.values)

    def when_frozen(self):
        """Return what each frozen cell held when it was frozen; of free ones, what they began
        with."""
        return np.where(self._watch.frozen, self._watch.held, self.initial)

    def outcome(self):
        """Cells that do as `claim` says: that leak, or of which no bit has changed since the start;
        bool."""
        if self.claim == "leak":
            return self.leaks()
        return ~bits.changed_bits(self.initial, self.loop.values)

    def records(self, name):
        """Return the arrays of each pinned cell by what `name` says of it, and the marks of all."""
        traces = {cell: self.microscope.trace(cell) for cell in self.microscope.cells}
        marks = sorted({mark for trace in traces.values() for mark in trace.marks})
        return {name(cell): trace.arrays() for cell, trace in traces.items()}, marks

    def judge_goals(self):
        """Return each goal's sentence, and whether it has been reached."""
        with self.loop.lock:
            leaked = self.pages.grid(self.leaks())
            self._judge_goals(self.pages.grid(self._watch.frozen), leaked)
        return {goal.text: ticked for goal, ticked in zip(self.goals.goals, self.goals.ticks)}

    def _judge_goals(self, frozen, leaked):
        """Tick off the goals that are reached; masks are those of the grid."""
        if not self.goals.open:
            return
        accuracy = None if self._examined is None else self.accuracy.share
        since = self.pages.grid(self._watch.since)
        taken = dict(step=self.curve.steps, examined=self._examined or 0)
        self.goals.judge(State(frozen, leaked, since, accuracy=accuracy, **taken))

    def snapshot(self, applied, left, name):
        """Return what a frame shows, a `driver.Snapshot`; whoever calls it holds the loop's lock.

        applied  browser -> its last operation that is in force
        left     how many steps are still to be taken, maybe infinitely many
        name     (cell) -> what a pinned cell is called on screen
        """
        values = self.loop.values
        whole = {
            "values": values,
            "initial": self.initial,
            "moved_bits": bits.changed_bits(self.initial, values),
            "leaked": self._watch.leaks(values),
            "frozen": self._watch.frozen,
            "held": self._watch.held,
        }
        microscope, traces = self.microscope.curves(name)
        grids = {plane: self.pages.grid(array) for plane, array in whole.items()}
        self._judge_goals(grids["frozen"], grids["leaked"])
        header = self._progress(left) | {"microscope": microscope, "goals": self.goals.ticks}
        header["leaked_at"] = self._watch.last_leak(values, self.curve.steps)
        curves = dict(curve=self.curve.points, accuracies=self.accuracies.points, traces=traces)
        bets = self.pages.bet.frozen
        return dict(grids, predicted=bets, applied=applied, header=header, **curves)

    def _progress(self, left):
        """Return the numbers of a frame's header; see `messages.Progress`."""
        return {
            "step": self.curve.steps,
            "loss": self.curve.last,
            "speed": self.rate.speed,
            "goal": self.curve.steps + left if 0 < left < math.inf else None,
            "device": describe(self.loop.device),
            "accuracy": self.accuracy.report(self.pages.page),
            "by_page": self.accuracy.by_page,
            "held_out": self.accuracies.names,
            "page": self.pages.page,
            "claim": self.claim,
            "judged": self.curve.steps > self._bet_at,
        }
