"""A training step, station by station: what happens there, what acts, and what leaks."""

import re
from dataclasses import dataclass

from helpers.stations.conditions import Conditions
from helpers.stations.escapes import ESCAPES, Case
from helpers.stations.texts import (
    ANY_STEP,
    DECAY,
    NAMES,
    PENALTY,
    STEP,
    TERMS,
    TEXTS,
    UNUSED,
)

# Where a technique acts by which of its fields, what it does there, and how the formula goes on.
ACTING = {
    "weights": ("seen", "frozen cells get no gradient back.", "frozen: no gradient"),
    "shadow": ("seen", "of frozen cells it sees a copy.", "frozen: w̃ = copy"),
    "gradient": ("gradient", "where frozen it is set to 0.", "frozen: g ← 0"),
    "after": ("write", "frozen cells are put back.", "frozen: w as before"),
}
KEPT = {  # the same for the exact freeze, which guards all that comes after the clipping
    key: (key, "frozen cells keep what they had.", "frozen: as before")
    for key in ("memory", "step", "write", "average", "end")
}

APART = {  # and where the free values alone are the variable
    "weights": ("only those of free cells: they are all that trains.", "free cells only"),
    "seen": (
        "the free ones stand at their places among the frozen.",
        "frozen: w̃ = held",
    ),
}

UNLISTED = {  # and for a whole variable that is not on the list of those that train
    "gradient": ("of a variable that is not on the list it is not asked for.", "unlisted: no g"),
    "memory": ("what is not on the list is passed over.", "unlisted: as before"),
    "step": ("for what is not on the list there is none.", "unlisted: no Δ"),
    "write": ("what is not on the list keeps what it had.", "unlisted: as before"),
}

_SYMBOLS = "|".join(sorted(map(re.escape, TERMS), key=len, reverse=True))
_SYMBOL = re.compile(f"(?<![a-z])({_SYMBOLS})(?![a-z])")  # but not the m in min


@dataclass(frozen=True)
class Station:
    """A place that every training step passes.

    key      its key in NAMES
    name     its name on screen
    text     what happens there, a sentence
    formula  the same in symbols: lines of plain text, which are computed from top to bottom
    terms    what the symbols mean: a dict from symbol to words
    used     whether this step has it: SGD has no memory, for example, and its formula is ""
    acts     whether the technique acts here
    leak     what harms a frozen cell here in spite of the technique, a sentence, or None
    arrow    the leak in a word or two, for its arrow, or None
    """

    key: str
    name: str
    text: str
    formula: str
    terms: dict
    used: bool
    acts: bool
    leak: str | None
    arrow: str | None


def describe_step(technique, conditions: Conditions) -> list[Station]:
    """Return the Stations of a step in which a technique freezes cells, from first to last, and
    where an average is written after the last step, that end as well.

    technique   a Technique, see `helpers/techniques.py`; None: the cells are those of a variable
                that is not on the list of those that train
    conditions  what else the step is like

    A leak changes what the model sees of a frozen cell, or the step of a free one on its account.
    Two are not told: with gradient × mask SGD turns a frozen −0.0 into 0.0, and where cells share a
    norm of the optimizer's own, as in Adafactor and Muon, a frozen cell's NaN reaches the others.
    """
    texts, acting = _texts(conditions), acts_at(technique, conditions.average)
    escapes = {escape.station: escape for escape in _escapes(Case(technique, conditions))}
    passed = [key for key in NAMES if key != "end" or conditions.average]
    return [_station(key, texts[key], acting.get(key), escapes.get(key)) for key in passed]


def acts_at(technique, average):
    """Return where a Technique acts, or a shorter list: a dict from a station's key to what it does
    there. Keras averages, and overwrites with the average, before a constraint puts cells back."""
    if technique is None:
        return UNLISTED
    if technique.values:
        return APART
    fields = [field for field in ACTING if getattr(technique, field)]
    acting = [ACTING["gradient"], *KEPT.values()] if technique.exact else map(ACTING.get, fields)
    places = {key: does for key, *does in acting}
    if average and technique.after:
        places["average"] = places.pop("write")
    return places


def _texts(conditions):
    """Return what happens at each station, a sentence and a formula; no formula where the step has
    none, for not every step has clipping, memory and an average."""
    loss, average = TEXTS["loss"], TEXTS["average"]
    given = {
        "loss": (PENALTY[0], loss[1] + PENALTY[1]) if conditions.penalty else loss,
        "clip": TEXTS["clip"] if conditions.clip else None,
        "memory": conditions.memory,
        "step": _step(STEP.get(conditions.name, ANY_STEP), conditions.decays),
        "average": average if conditions.average else None,
    }
    return {**TEXTS, **{key: text or (UNUSED[key], "") for key, text in given.items()}}


def _step(formula, decays):
    if decays:
        return "The weights decay, and the size of the step is found.", f"{DECAY}\n{formula}"
    return "The size of the step is found.", formula


def _escapes(case):
    """Return the ways past the technique."""
    return [each for each in ESCAPES if each.holding == case.holding and each.enters(case)]


def _station(key, told, does, escape):
    text, formula = told
    used = bool(formula)
    acts = used and does is not None
    if acts:
        text, formula = f"{text[:-1]}; {does[0]}", f"{formula}\n{does[1]}"
    terms = {symbol: TERMS[symbol] for symbol in _SYMBOL.findall(formula)}
    arrow, leak = (escape.arrow, escape.text) if escape else (None, None)
    return Station(key, NAMES[key], text, formula, terms, used, acts, leak, arrow)
