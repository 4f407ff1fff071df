"""What the guide asks, and which ways to freeze an answer leaves."""

import dataclasses
import functools

from helpers import leaks
from helpers.guide.ways import COARSEST_FIRST, WAYS
from helpers.names import known
from helpers.optimizers import LISTED

# What may be ticked: situations of the leak laboratory, in words. What is frozen from the first
# step on has none, and is always looked at.
SITUATIONS = {name: given.asked for name, given in leaks.SITUATIONS.items() if given.asked}
OPTIMIZERS = tuple(LISTED)
JUDGED = tuple(dict.fromkeys(way.technique for way in WAYS if way.technique))


@dataclasses.dataclass(frozen=True)
class Answers:
    """Somebody's case.

    finest      the smallest thing that is to stay, one of `ways.COARSEST_FIRST`
    optimizer   a name in OPTIMIZERS
    situations  which of SITUATIONS there are
    in_fit      whether it trains by `model.fit`, and not in a loop of one's own
    repaints    whether the mask changes while it trains
    saves       whether time or memory must be saved
    file        whether what is saved must stay, and not only what the model sees

    ValueError for a name that is not known, TypeError for situations that are one text.
    """

    finest: str = COARSEST_FIRST[-1]
    optimizer: str = "adamw"
    situations: tuple = ()
    in_fit: bool = True
    repaints: bool = False
    saves: bool = False
    file: bool = False

    def __str__(self):
        """The case in a line: "single cells, adamw, in fit, warm, file"."""
        where = "in fit" if self.in_fit else "in a loop of one's own"
        wishes = [name for name in ("repaints", "saves", "file") if getattr(self, name)]
        return ", ".join([self.finest, self.optimizer, where, *self.situations, *wishes])

    def __post_init__(self):
        known("thing to stay", self.finest, COARSEST_FIRST)
        known("optimizer", self.optimizer, OPTIMIZERS)
        if isinstance(self.situations, str):
            arrived = f"situations={self.situations!r} arrived"
            raise TypeError(f"{arrived}; a list was wanted: [{self.situations!r}].")
        for situation in self.situations:
            known("situation", situation, SITUATIONS)


@dataclasses.dataclass(frozen=True)
class Finding:
    """A way, and why it is out.

    unfit  why it cannot do what is wanted, whatever is measured: sentences, or none
    leaks  in which situations cells were harmed: a sentence, or none
    row    what was measured for it: situation -> Verdict, of those that were asked for
    """

    way: object
    unfit: tuple
    leaks: tuple
    row: dict

    @property
    def reason(self):
        """All that speaks against it, or an empty text if it is left."""
        return "; ".join(self.unfit + self.leaks)

    @property
    def verdict(self):
        """Return "holds", "fails" where cells were harmed, or "unfit"."""
        if self.leaks:
            return "fails"
        return "unfit" if self.unfit else "holds"


@functools.cache
def measured(optimizer, situation):
    """Let the leak laboratory judge all techniques once; return a Verdict for each, by its name."""
    verdicts = leaks.judge(JUDGED, [optimizer], [situation], progress=False)
    return {verdict.technique: verdict for verdict in verdicts}


def narrow(answers):
    """Return a Finding for each way, the simplest way first."""
    return [_finding(way, answers) for way in WAYS]


def _finding(way, answers):
    asked = ["cold", *answers.situations] if way.technique else []
    row = {name: measured(answers.optimizer, name)[way.technique] for name in asked}
    return Finding(way, tuple(_unfit(way, answers)), tuple(_leaks(way, row)), row)


def _unfit(way, answers):
    """Why a way cannot do what is wanted, whatever is measured."""
    if COARSEST_FIRST.index(way.finest) < COARSEST_FIRST.index(answers.finest):
        yield f"freezes {way.finest}, nothing smaller"
        return
    if answers.in_fit and not way.in_fit:
        yield "needs a train step or an optimizer of your own"
    if not answers.in_fit and not way.in_loop:
        yield "nobody calls it outside of fit"
    if answers.repaints and not way.repaints:
        yield "another mask means building anew"
    if answers.saves and not way.saves:
        yield "saves neither time nor memory"
    if answers.file and way.drifts:
        yield "the variable behind the copy moves, and is saved"
    if "thaw" in answers.situations and not way.repaints:
        yield "a thaw means building the optimizer anew"
    if "thaw" in answers.situations and way.forgets:
        yield "a thawed cell begins with an empty memory"


def _leaks(way, row):
    """Yield in which situations a way leaks, if in any. From the start on, only AdamW's own decay
    leaks."""
    abouts = []
    for situation, verdict in row.items():
        undone = way.acts_last and verdict.note == leaks.AFTER_THE_LAST_STEP
        if not verdict.holds and not undone:
            abouts.append(SITUATIONS.get(situation, "AdamW decays unless told otherwise"))
    if abouts:
        yield f"fails ({'; '.join(abouts)})"
