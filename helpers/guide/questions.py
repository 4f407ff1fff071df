"""What the guide asks, and which ways to freeze an answer leaves."""

import dataclasses

from helpers.guide.ways import COARSEST_FIRST, WAYS

# Where cells escape, by the situations of `studies.leaks`: what is asked of each.
SITUATIONS = {
    "warm": "it has trained before the freeze",
    "decay": "weight decay",
    "L2": "a penalty on the weights (L2)",
    "clipping": "gradients clipped by their norm",
    "EMA": "a running average of the weights",
    "NaN": "NaN in a gradient now and then",
    "thaw": "some of it is to train again later",
}
OPTIMIZERS = "sgd", "momentum", "adam", "adamw"


@dataclasses.dataclass(frozen=True)
class Answers:
    """Somebody's case.

    finest      the smallest thing that is to stay, one of `ways.COARSEST_FIRST`
    optimizer   a name in OPTIMIZERS
    situations  which of SITUATIONS there are
    repaints    whether the mask changes while it trains
    in_fit      whether it trains by `model.fit`
    saves       whether time or memory must be saved
    """

    finest: str = COARSEST_FIRST[-1]
    optimizer: str = "adamw"
    situations: tuple = ()
    repaints: bool = False
    in_fit: bool = False
    saves: bool = False


@dataclasses.dataclass(frozen=True)
class Finding:
    """A way, and why it is out: `reason`, empty if it is left. `row` has what was measured for it:
    situation -> how many of how many watched cells were harmed, of those that were asked for."""

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
    return Finding(way, _unfit(way, answers) or _leaks(row), row)


def _unfit(way, answers):
    """Why a way cannot do at all what is wanted, or nothing."""
    if COARSEST_FIRST.index(way.finest) < COARSEST_FIRST.index(answers.finest):
        return f"freezes {way.finest}, nothing smaller"
    if answers.repaints and not way.repaints:
        return "another mask means building anew"
    if answers.in_fit and not way.in_fit:
        return "needs a train step of your own"
    if answers.saves and not way.saves:
        return "saves neither time nor memory"
    if "thaw" in answers.situations and not way.repaints:
        return "a thaw means building the optimizer anew"
    if "thaw" in answers.situations and way.forgets:
        return "a thawed cell begins with an empty memory"
    return ""


def _leaks(row):
    """In which situation a way leaks first, or nothing."""
    for situation, verdict in row.items():
        if not verdict.holds:
            harmed = f"{verdict.cells} of {verdict.of} cells"
            about = SITUATIONS.get(situation, "frozen from the start")
            return f"{harmed} harmed: {about}"
    return ""
