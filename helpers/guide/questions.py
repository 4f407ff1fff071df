"""What the guide asks, and which ways to freeze an answer leaves."""

import dataclasses

from helpers.guide.ways import COARSEST_FIRST, WAYS
from helpers.names import known
from helpers.optimizers import LISTED

# Where cells escape, by the situations of the leak laboratory: what is asked of each.
SITUATIONS = {
    "warm": "it has trained before the freeze",
    "decay": "weight decay",
    "L2": "a penalty on the weights (L2)",
    "clipping": "gradients clipped by their norm",
    "EMA": "a running average of the weights",
    "NaN": "NaN in a gradient now and then",
    "thaw": "thawed cells are to go on as if paused",
}
OPTIMIZERS = tuple(LISTED)


@dataclasses.dataclass(frozen=True)
class Answers:
    """Somebody's case.

    finest      the smallest thing that is to stay, one of `ways.COARSEST_FIRST`
    optimizer   a name in OPTIMIZERS
    situations  which of SITUATIONS there are
    repaints    whether the mask changes while it trains
    in_fit      whether it trains by `model.fit`
    saves       whether time or memory must be saved
    file        whether what is saved must stay, and not only what the model sees

    ValueError for a name that is not known, TypeError for situations that are one text.
    """

    finest: str = COARSEST_FIRST[-1]
    optimizer: str = "adamw"
    situations: tuple = ()
    repaints: bool = False
    in_fit: bool = False
    saves: bool = False
    file: bool = False

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
    """A way, and why it is out: `reason`, all there are, or empty if it is left.

    `row` has what was measured for it: situation -> Verdict, of those that were asked for."""

    way: object
    reason: str
    row: dict


def narrow(answers, verdicts):
    """Return a Finding for each way, in the course's order; `verdicts` come from `leaks.judge`."""
    by_key = {(v.technique, v.optimizer, v.situation): v for v in verdicts}
    return [_finding(way, answers, by_key) for way in WAYS]


def _finding(way, answers, by_key):
    asked = ["cold", *answers.situations]
    keys = [(way.technique, answers.optimizer, situation) for situation in asked]
    row = {key[-1]: by_key[key] for key in keys if way.technique}
    return Finding(way, "; ".join([*_unfit(way, answers), *_leaks(row)]), row)


def _unfit(way, answers):
    """Why a way cannot do what is wanted, whatever is measured."""
    if COARSEST_FIRST.index(way.finest) < COARSEST_FIRST.index(answers.finest):
        yield f"freezes {way.finest}, nothing smaller"
        return
    if answers.repaints and not way.repaints:
        yield "another mask means building anew"
    if answers.in_fit and not way.in_fit:
        yield "needs a train step of your own"
    if answers.saves and not way.saves:
        yield "saves neither time nor memory"
    if answers.file and way.drifts:
        yield "the variable behind the copy moves, and is saved"
    if "thaw" in answers.situations and not way.repaints:
        yield "a thaw means building the optimizer anew"
    if "thaw" in answers.situations and way.forgets:
        yield "a thawed cell begins with an empty memory"


def _leaks(row):
    """Yield the situations in which a way leaks. From the start on, only AdamW's own decay
    leaks."""
    for situation, verdict in row.items():
        if not verdict.holds:
            about = SITUATIONS.get(situation, "AdamW decays unless told otherwise")
            yield f"harms {verdict.cells} of {verdict.of} cells ({about})"
