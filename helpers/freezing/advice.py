"""What a warning says of each way by which frozen cells changed: what it is, and what helps."""

import numpy as np

from .ways_in import DENORMAL, Move

FREEZE = "{freeze}, or put the cells back after each step"
WORDS = {
    "momentum": ("the optimizer's memory: {kind} {moves}", FREEZE),
    "decay": (
        "weight decay: {kind} shrinks a weight in each step, whatever its gradient is",
        FREEZE + "{exclude}",
    ),
    "average": (
        "the moving average of {kind} (use_ema): {averaging}",
        "{swap}write the frozen values back when training is over",
    ),
    "constraint": (
        "the variable's constraint ({constraint}), which is applied to every cell after a step",
        "{freeze}, or let the constraint leave frozen cells alone",
    ),
    "regularizer": (
        "the gradient of the variable's regularizer, which is not masked",
        "{freeze}, or mask the gradient just before the step",
    ),
    "gradient": ("the gradient itself: {gradient}", FREEZE),
    "assign": (
        "{assigned}",
        "leave the frozen cells out of what is assigned there; if nothing is, another optimizer "
        "steps them, as in a tf.function that was traced before this one was made",
    ),
    "restored": (
        "weights of an earlier moment, which {restoring} put back",
        "write the frozen values again once they are back, or let only later epochs be put back "
        "(EarlyStopping has start_from_epoch)",
    ),
    "earlier": (
        "what changed them since the values that you gave were kept, as an earlier training",
        "put those values back with assign before training begins",
    ),
}
# Where a gradient or a memory moves the cells as well, this would not hold them.
EXCLUDE = "; for a whole variable, exclude_from_weight_decay in a new optimizer will do"
STAYS = " What has moved stays moved until you put it back."


def advice(ways: tuple[str, ...] | None, move: Move) -> str:
    """Return the sentences of a warning that name the ways in, and what to do next."""
    if ways is None:
        ask = "pass it as LeakCheck(…, optimizer=optimizer)"
        return f"By which way cannot be said without the optimizer: {ask}."
    words = _words(move) | {"exclude": EXCLUDE if ways == ("decay",) else ""}
    first, *others = [WORDS[way][0].format(**words) for way in ways]
    message = f"Likely way in: {first}."
    message += "".join(f" Also possible: {other}." for other in others)
    next_step = WORDS[ways[0]][1].format(**words)
    return f"{message} Next: {next_step}.{STAYS if FREEZE in WORDS[ways[0]][1] else ''}"


def _words(move: Move) -> dict[str, str | None]:
    kind = move.trainer.kind.__name__ if move.optimizer is not None else "the optimizer"
    return {
        "kind": kind,
        "freeze": _freeze(move, kind),
        "moves": _moves(move),
        "averaging": _averaging(move),
        "swap": "" if move.swapped.any() else f"{_freeze(move, kind)}, or ",
        "constraint": type(getattr(move.variable, "constraint", None)).__name__,
        "gradient": _gradient(move),
        "assigned": _assigned(move),
        "restoring": move.restoring,
    }


def _freeze(move: Move, kind: str) -> str:
    if move.trainer.can_freeze:
        return "call freeze_cells, for the optimizer's own mask does not hold these cells"
    return f"train with freezable({kind}), compiled into the model, and call its freeze_cells"


def _moves(move: Move) -> str:
    if move.trainer.is_coupled:
        return "computes a weight from what it keeps, or from other cells, without a gradient, too"
    return "still moves them by what it kept of earlier gradients, although none comes any more"


def _averaging(move: Move) -> str:
    if move.swapped.any():
        return "SwapEMAWeights exchanged weights and averages"
    return "it overwrote the weights" + ("" if move.stepped else " after the last step")


def _gradient(move: Move) -> str:
    old, new = move.numbers
    if not np.isfinite(new).all():
        message = "the step was not finite; 0 times NaN is NaN, and clipping by norm spreads it"
    elif (new == 0).all() and (np.abs(old) < DENORMAL).all():
        message = "adding a zero makes 0.0 of -0.0 and of denormal numbers"
    else:
        message = "nothing holds these cells"
    return message


def _assigned(move: Move) -> str:
    if move.stepped and move.optimizer is None:
        return (
            "the optimizer does not train this variable, so that something else assigned to it, "
            "such as the layer itself (BatchNormalization does so)"
        )
    names = ", ".join(move.foreign_callbacks)
    by = f"; the callback {names} may have done it" if names else ""
    return f"assign, set_weights or load_weights, outside the optimizer{by}"
