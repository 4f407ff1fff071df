"""The stations of a training step: what happens where, and where a frozen cell escapes.

weights → model sees → loss → gradient → clip → memory → step → write → average

A technique acts at a station and guards what comes before it. A leak enters after it, and needs no
gradient: the optimizer's memory, weight decay, a running average. Two guard the whole step: the
exact freeze, and a variable that has no frozen cell in it.
"""

import re
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

NAMES = {
    "weights": "weights",
    "seen": "model sees",
    "loss": "loss",
    "gradient": "gradient",
    "clip": "clip",
    "memory": "memory",
    "step": "step",
    "write": "write",
    "average": "weight average",
}
# Where a technique acts by which of its fields, what it does there, and how the formula goes on.
ACTING = {
    "weights": ("seen", "frozen cells get no gradient back.", "frozen: no gradient"),
    "shadow": ("seen", "of frozen cells it sees a copy.", "frozen: w̃ = copy"),
    "gradient": ("gradient", "where frozen it is set to 0.", "frozen: g ← 0"),
    "after": ("write", "frozen cells are put back.", "frozen: w as before"),
}
KEPT = {  # the same for the exact freeze, which guards all that comes after the clipping
    key: (key, "frozen cells keep what they had.", "frozen: as before")
    for key in ("memory", "step", "write", "average")
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

# What happens there, in a sentence, and as a formula of lines that are computed from top to bottom.
TEXTS = {
    "weights": ("The variable holds the weights.", "w"),
    "seen": ("The model computes with the weights, or with what it is shown instead.", "w̃ = w"),
    "loss": ("The loss says how far the answers are from the targets.", "L = error(f(x, w̃), y)"),
    "gradient": ("The gradient says how the loss changes with each cell.", "g = ∂L/∂w"),
    "clip": ("If the gradient is too long, all of it is shortened.", "g ← g·min(1, c / ‖g‖)"),
    "write": ("The step is taken off the weights in the variable.", "w ← w − Δ"),
    "average": (
        "The average follows the weights; now and then, and after the last step, it replaces them.",
        "w̄ ← β·w̄ + (1−β)·w\nw ← w̄, now and then",
    ),
}
PENALTY = (
    "The loss adds a penalty on the weights in the variable to the error.",
    "\nL ← L + α·Σw²",
)
UNUSED = {
    "clip": "This optimizer does not clip gradients.",
    "memory": "This optimizer remembers nothing from one step to the next.",
    "average": "This optimizer keeps no running average of the weights.",
}

ADAM = (
    "Two averages of past gradients and of their squares take in the newest gradient.",
    "m ← β₁·m + (1−β₁)·g\nv ← β₂·v + (1−β₂)·g²",
)
MEMORY = {  # of optimizers by their names in the course's list; None = none is kept
    "sgd": None,
    "momentum": ("The fading sum of past steps takes in the newest gradient.", "u ← μ·u − rate·g"),
    "adam": ADAM,
    "adamw": ADAM,
}
ANY_MEMORY = (
    "What the optimizer keeps for each cell takes in the newest gradient.",
    "s ← update(s, g)",
)
STEP = {
    "sgd": "Δ = rate·g",
    "momentum": "Δ = −u",
    "adam": "Δ = rate·m̂ / (√v̂ + ε)",
    "adamw": "Δ = rate·m̂ / (√v̂ + ε)",
}
ANY_STEP = "Δ = step(g, s, rate)"
DECAYING = {"adamw", "muon"}  # of their own accord
DECAY = "w ← w − rate·λ·w"

TERMS = {
    "w": "the weights in the variable",
    "w̃": "what the model sees of the weights",
    "w̄": "the running average of the weights",
    "x": "the inputs",
    "y": "the targets",
    "f": "the model",
    "L": "the loss",
    "α": "how strong the penalty is",
    "Σw²": "the sum of the squares of all weights",
    "g": "the gradient",
    "‖g‖": "the length of the gradient, over all cells, frozen or free",
    "c": "the greatest length allowed",
    "u": "the momentum: past steps, each fading",
    "μ": "the share of the momentum that is left a step later, for example 0.9",
    "m": "the average of past gradients",
    "v": "the average of their squares",
    "m̂": "m / (1 − β₁ᵗ) in step t, which makes up for its start at 0",
    "v̂": "v / (1 − β₂ᵗ) in step t, which makes up for its start at 0",
    "β₁": "the share of m that is left a step later, 0.9 unless you say otherwise",
    "β₂": "the share of v that is left a step later, 0.999 unless you say otherwise",
    "β": "the share of the average that is left a step later, for example 0.99",
    "s": "the optimizer's slots: what it keeps for each cell",
    "rate": "the learning rate",
    "ε": "a small number, against dividing by 0",
    "λ": "how strong the weight decay is",
    "Δ": "the step",
}
NO_TECHNIQUE = (
    "no technique",
    "Nothing holds the frozen cells: their gradient goes on to the optimizer.",
)
UNSEEN = "a thaw shows the model where it has gone."
NORM = (
    "shared norm",
    "The frozen cells' gradients count in the length, and so change the steps of free cells.",
)
NAN = "0 × NaN", "0 times NaN is NaN, so the NaN of a frozen cell goes on to the optimizer."
PAST_THE_LIST = (
    "past the list",
    "The averages overwrite all that the optimizer was built on; at the end they go by place.",
)
# By where a leak enters, and by how a technique holds a cell: its gradient is masked, the model is
# shown a copy, it is put back after each step, it is kept apart. Each an (arrow, sentence).
LEAKS = {
    "loss": {
        "masked": (
            "penalty",
            "The penalty reads the variable itself, so its gradient reaches the frozen cells.",
        ),
        "shown": ("penalty, unseen", f"The penalty moves the cell behind its copy; {UNSEEN}"),
    },
    "gradient": {"masked": NAN, "shown": NAN},
    "clip": {"masked": NORM, "shown": NORM, "back": NORM},
    "memory": {
        "apart": (
            "empty at the thaw",
            "A thawed cell begins with an empty memory, so it goes elsewhere than after a pause.",
        ),
        "masked": (
            "coasts on",
            "The memory still holds gradients from before the freeze, and moves the cell on.",
        ),
        "shown": ("coasts, unseen", f"The memory moves the cell behind its copy; {UNSEEN}"),
        "back": (
            "jump at the thaw",
            "The memory goes on changing while the cell is put back, so a thaw starts with a jump.",
        ),
    },
    "step": {
        "masked": ("decay", "Weight decay pulls the cell towards 0, and needs no gradient for it."),
        "shown": ("decay, unseen", f"Weight decay moves the cell behind its copy; {UNSEEN}"),
    },
    "average": {
        "masked": (
            "overwrite",
            "The average overwrites the cell with older weights, or with a rounded one.",
        ),
        "shown": (
            "overwrite, unseen",
            f"The average overwrites the cell behind its copy; {UNSEEN}",
        ),
        "back": (
            "last overwrite",
            "The overwrite after the last step comes when nothing is put back any more.",
        ),
    },
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


def describe_step(
    technique,
    optimizer,
    penalty=False,
    clip=False,
    average=False,
    *,
    warm=True,
    decay=False,
    nan=False,
    thaw=False,
):
    """Return the Stations of a step in which a technique freezes cells, from first to last.

    technique  a Technique, see `helpers/techniques.py`; None: the cells are those of a variable
               that is not on the list of those that train
    optimizer  "sgd", "momentum", "adam" or "adamw". Any other name gets a general wording, and its
               memory is taken to move a cell even without steps from before, as that of Ftrl does.
    penalty    whether the loss has a penalty on the variable itself, as of a regularizer
    clip       whether gradients are clipped by a norm over all cells
    average    whether a running average overwrites the weights (Keras: use_ema=True)
    warm       whether cells trained before they were frozen, so that memory is left over
    decay      whether there is weight decay; AdamW has it without being asked
    nan        whether a frozen cell's gradient can be NaN or infinite
    thaw       whether cells are thawed later: a leak is then also what makes them jump

    A leak changes what the model sees of a frozen cell, or the step of a free one on its account.
    Two are not told: with gradient × mask SGD turns a frozen −0.0 into 0.0, and where cells share a
    norm of the optimizer's own, as in Adafactor and Muon, a frozen cell's NaN reaches the others.
    """
    name = str(optimizer).lower()
    memory, decay = MEMORY.get(name, ANY_MEMORY), decay or name in DECAYING
    warm = warm or name not in MEMORY
    told = {key: TEXTS[key] for key in NAMES if key in TEXTS}
    if penalty:
        told["loss"] = PENALTY[0], TEXTS["loss"][1] + PENALTY[1]
    told |= {"memory": memory, "step": _step(STEP.get(name, ANY_STEP), decay)}
    here = SimpleNamespace(penalty=penalty, warm=warm, decay=decay, nan=nan, thaw=thaw)
    here.clip, here.memory, here.average = clip, memory is not None, average
    acting, leaks = acts_at(technique), _leaks(technique, here)
    return [  # not every step has clipping, memory and an average
        _station(key, told[key], getattr(here, key, True), acting.get(key), leaks.get(key))
        for key in NAMES
    ]


def acts_at(technique):
    """Return where a Technique acts, or a shorter list: a dict from a station's key to what it does
    there."""
    if technique is None:
        return UNLISTED
    if technique.values:
        return APART
    fields = [field for field in ACTING if getattr(technique, field)]
    acting = [ACTING["gradient"], *KEPT.values()] if technique.exact else map(ACTING.get, fields)
    return {key: does for key, *does in acting}


def _step(formula, decay):
    if decay:
        return "The weights decay, and the size of the step is found.", f"{DECAY}\n{formula}"
    return "The size of the step is found.", formula


def _station(key, told, used, does, leak):
    text, formula = told if used else (UNUSED[key], "")
    acts = used and does is not None
    if acts:
        text, formula = f"{text[:-1]}; {does[0]}", f"{formula}\n{does[1]}"
    terms = {symbol: TERMS[symbol] for symbol in _SYMBOL.findall(formula)}
    arrow, leak = leak or (None, None)
    return Station(key, NAMES[key], text, formula, terms, used, acts, leak, arrow)


def _leaks(technique, here):
    """A dict from a station's key to (arrow, sentence): where something gets past a technique."""
    if technique is None:
        return {"average": PAST_THE_LIST} if here.average else {}
    if technique.exact:
        return {}
    if technique.values:
        forgets = here.thaw and here.memory and here.warm
        return {"memory": LEAKS["memory"]["apart"]} if forgets else {}
    if not acts_at(technique):
        return {"gradient": NO_TECHNIQUE}
    # Whether the cell itself is guarded: put back after each step, or shown as a copy of it.
    back, shown = bool(technique.after), bool(technique.shadow)
    way = "back" if back else "shown" if shown else "masked"
    poison = here.nan and bool(technique.gradient) and _lets_nan_through(technique.gradient)
    masked = bool(technique.gradient or technique.weights or shown)
    penalized = here.penalty and not technique.gradient
    arrives = not masked or penalized or poison  # a frozen cell's gradient, at the optimizer
    moves = not (back or shown) or (shown and here.thaw)
    remembers = here.warm or arrives if back or shown else here.warm
    enters = {
        "loss": penalized and masked and not back and moves,
        "gradient": poison and not back,
        "clip": here.clip and arrives,
        "memory": here.memory and remembers and (moves or here.thaw),
        "step": here.decay and moves,
        "average": here.average and (moves or back),
    }
    return {key: LEAKS[key][way] for key, entering in enters.items() if entering}


def _lets_nan_through(mask_gradient):
    """Whether a frozen cell's NaN is still there when a recipe has masked the gradient."""
    masked = mask_gradient(np.array([np.nan], np.float32), np.array([True]))
    return not np.isfinite(np.asarray(masked)).all()
