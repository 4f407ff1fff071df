"""Where frozen cells escape: a recipe at two places, judged in the laboratory."""

import numpy as np

from helpers import leaks, techniques
from helpers.device import tf
from helpers.exercises.exercise import Exercise, expect

MUST_HOLD = {  # in this order, and what it says if one of them does not
    "cold": "True means frozen, and AdamW's decay asks for no gradient.",
    "warm": "the optimizer remembers what it saw before, so the gradient is not enough.",
    "decay": "the decay asks for no gradient, so something must act elsewhere, too.",
    "L2": "the penalty looks at the variable itself.",
    "NaN": "choose, and do not multiply: 0 times NaN is NaN.",
    "clipping": "the frozen cells' gradient was heard, and has shortened everybody's step.",
}


def recipe():
    """Silence the frozen cells before the step, and put them back after it."""
    where, restore = techniques.where_gradient, techniques.restore
    return techniques.Technique("mine", gradient=where, after=restore)


def judge(attempt):
    """Ask the laboratory, and see whether free cells may move."""
    mine = attempt()
    expect(
        isinstance(mine, techniques.Technique), "Return a Technique, with functions at its places."
    )
    expect(not mine.exact, "exact=True changes the optimizer: find another way.")
    expect(not mine.shadow, "A copy lets the variable drift behind it: hold the variable itself.")
    if mine.after:
        before, after, frozen = tf.zeros(2), tf.ones(2), tf.constant([True, False])
        restored = np.asarray(mine.after(before, after, frozen))
        expect(
            restored[1] == 1, "Free cells are not left where the step took them: True means frozen."
        )
    for situation, why in MUST_HOLD.items():
        verdicts = _verdicts(mine, [situation])
        raised = "".join([verdict.note for verdict in verdicts if verdict.cells is None][:1])
        expect(not raised, f"{situation}: {raised}")
        failing = [verdict.optimizer for verdict in verdicts if not verdict.holds]
        expect(not failing, f"{situation} is open under {' and '.join(failing)}: {why}")
    others = [situation for situation in leaks.SITUATIONS if situation not in MUST_HOLD]
    still = {verdict.situation: 1 for verdict in _verdicts(mine, others) if not verdict.holds}
    every = len(leaks.SITUATIONS)
    held = f"It holds in {every - len(still)} of {every} situations."
    return f"{held} Still open: {', '.join(still) or 'none'}."


def _verdicts(mine, situations):
    return leaks.judge({"mine": mine}, ["momentum", "adamw"], situations, progress=False)


exercise = Exercise(
    recipe,
    judge,
    [
        "Leave EMA and thaw aside. Which two rows of the matrix are never dark together?",
        "Clipping needs silence before the step. Decay needs a hand after it.",
        "Technique takes gradient= and after= at once.",
    ],
)
