"""What became of a delivery, measured, and what the contract says to it."""

import functools
from typing import NamedTuple

import numpy as np

from helpers.bits import changed_bits
from helpers.capstone import comments, drawing
from helpers.capstone.plan import BUDGET, NEW
from helpers.networks import per_cent
from helpers.pictures import plots

ANSWERS, READ, MEMORY = 4, 80, 0.1  # beside BUDGET, the contract's limits; see `Report.contract`


class Line(NamedTuple):
    """A line of the contract: what is wanted and what was found, whether it is kept, its points."""

    wanted: str
    found: str
    kept: bool
    points: int


class Report:
    """The measured outcome of a Plan.

    order, plan  what was done
    frozen       a bool mask for each variable, True = frozen
    weights      three lists of arrays: as shipped, at the break, and at the end
    kept         bytes that the optimizer keeps at the end, with the masks of a recipe in the loop

    `old_scores` counts old pictures of which one of the nine old scores has changed by a bit,
    `old_answers` those that get another answer; `old_right` and `new_right` are per cent.
    """

    def __init__(self, order, plan, frozen, weights, kept):
        self.order, self.plan, self.frozen = order, plan, frozen
        self.shipped, self.at_break, self.weights = weights
        self.memory = kept / (2 * 8 * sum(w.size for w in self.shipped))
        self.early, self.late = self._leaks()
        self.patch = sum(int(changed_bits(a, b).sum()) for a, b in self._pairs())
        before, now = (order.scores(w)[0] for w in (self.shipped, self.weights))
        self.pictures = len(before)
        self.old_scores = int(changed_bits(before[:, :NEW], now[:, :NEW]).any(axis=1).sum())
        self.old_answers, self.old_right, self.new_right = self.answers(plan.ahead)

    @property
    def leaked(self):
        """How many frozen cells have changed by a bit."""
        return sum(int((a | b).sum()) for a, b in zip(self.early, self.late))

    def answers(self, ahead, part="test"):
        """Return how many old answers change if the new digit's score must lead by `ahead`, and
        which percentage of the old pictures and of the new digit's is then read correctly."""
        labels = self.order.labels[part]
        before = self.order.scores(self.shipped, part)[0][:, :NEW].argmax(axis=1)
        old, new = (_answer(s, ahead) for s in self.order.scores(self.weights, part))
        right = per_cent(old == labels[labels != NEW])
        return int((old != before).sum()), right, per_cent(new == NEW)

    @functools.cached_property
    def contract(self):
        """The five Lines of the contract, by a word for each."""
        scores = f"changed for {self.old_scores} of {self.pictures} pictures"
        answers = f"{self.old_answers} of {self.pictures}"
        few, read = f"at most {ANSWERS} old answers changed", f"at least {READ} % of the 9s read"
        patch = f"at most {BUDGET} cells in the patch"
        memory = f"at most {MEMORY:.0%} of Adam's memory"
        return {
            "scores": Line("old scores equal, bit for bit", scores, self.old_scores == 0, 4),
            "answers": Line(few, answers, self.old_answers <= ANSWERS, 2),
            "read": Line(read, f"{self.new_right:.1f} %", self.new_right >= READ, 2),
            "patch": Line(patch, f"{self.patch:,}", self.patch <= BUDGET, 1),
            "memory": Line(memory, f"{self.memory:.1%}", self.memory <= MEMORY, 1),
        }

    @property
    def points(self):
        """How many of ten points the contract gives."""
        return sum(line.points for line in self.contract.values() if line.kept)

    def comments(self):
        """Return what a teacher would say: a list of sentences, the weightiest first."""
        return comments.on(self)

    @property
    def leaks_by(self):
        """What leaked where: the heads of three columns, and for each variable its name and three
        counts as text."""
        stages = zip(self.order.names, self.frozen, self.early, self.late)
        rows = [[name, *(f"{each.sum():,}" for each in counts)] for name, *counts in stages]
        return ["frozen", "before the break", "after it"], rows

    def picture(self):
        """Return a static picture of the cells of the three kernels: which have moved, and how
        far."""
        return plots.image(drawing.draw(self))

    def __repr__(self):
        """Return the contract line by line, what leaked where, and the comments."""
        return "\n".join([*self._contract_lines(), "", *self._leak_lines(), "", *self._told()])

    def _contract_lines(self):
        yield f"{self.points} of 10 points"
        for wanted, found, kept, points in self.contract.values():
            won = f"{points if kept else 0} of {points}"
            yield f"  {'kept' if kept else 'broken':8}{wanted:32}{found:31} {won}"
        yield f"  (old pictures read correctly: {self.old_right:.1f} %)"

    def _leak_lines(self):
        if not self.leaked:
            frozen = sum(int(mask.sum()) for mask in self.frozen)
            yield f"None of {frozen:,} frozen cells has changed by a bit."
            return
        heads, rows = self.leaks_by
        yield f"{'leaked':16}{heads[0]:>8}{heads[1]:>18}{heads[2]:>10}"
        for name, frozen, early, late in rows:
            yield f"  {name:14}{frozen:>8}{early:>18}{late:>10}"

    def _told(self):
        return [line for comment in self.comments() for line in comments.wrapped(comment)]

    def _pairs(self):
        return zip(self.shipped, self.weights)

    def _leaks(self):
        """For each variable, the frozen cells that changed before the break, and after it."""
        stages = zip(self.frozen, self.shipped, self.at_break, self.weights)
        both = [(m & changed_bits(a, b), m & changed_bits(b, c)) for m, a, b, c in stages]
        return [early for early, _ in both], [late for _, late in both]


def _answer(scores, ahead):
    """Return the digits that scores (examples, 10) stand for: the new one only where its score
    leads by more than `ahead`."""
    old = scores[:, :NEW]
    leads = scores[:, NEW] - old.max(axis=1) > ahead
    return np.where(leads, NEW, old.argmax(axis=1))
