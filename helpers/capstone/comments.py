"""What a teacher would say about a delivery: what happened, why, and what to try next."""

import textwrap

from helpers.capstone.plan import HELD_BY_OPTIMIZER, NEW

WIDTH = 72


def on(report):
    """Return comments on a Report, the weightiest first; for a good one, what made it good."""
    rules = [_early_leak, _late_leak, _flag, _own_cells, _competes, _cautious, _weak]
    rules += [_patch, _memory]
    said = [text for text in (rule(report) for rule in rules) if text]
    return said or [_praise(report)]


def wrapped(comment):
    """Return a comment as lines of a width that JupyterLab does not break."""
    return textwrap.wrap(comment, WIDTH, initial_indent="- ", subsequent_indent="  ")


def _counts(leaks):
    return sum(int(leak.sum()) for leak in leaks)


def _early_leak(report):
    count = _counts(report.early)
    if not count or report.plan.freeze_by == "flags":
        return None
    first = report.plan.optimizers[0]
    return (
        f"{count:,} frozen cells moved before the interruption already. {first} "
        "reaches cells past this recipe: see the drawing of a step on the page Where frozen "
        "cells escape, and look for an arrow that enters after the station where the recipe acts."
    )


def _late_leak(report):
    """Say which of two causes it has that leaks began after the interruption."""
    count, plan = _counts(report.late), report.plan
    if not count or _counts(report.early) or plan.freeze_by == "flags":
        return None
    if plan.freeze_by in HELD_BY_OPTIMIZER and not plan.freeze_again:
        return (
            f"Before the interruption nothing leaked, after it {count:,} frozen cells. The masks "
            "of the exact freeze belong to the optimizer. They were in the file, and the loaded "
            "optimizer had them; but then a new optimizer took its place, and nobody handed them "
            "over."
        )
    return (
        f"Before the interruption nothing leaked, after it {count:,} frozen cells. Nothing in "
        f"your recipe changed, but the optimizer did: {plan.optimizers[0]} had never seen a "
        "gradient of these cells, so it had nothing to move them by, while adamw shrinks every "
        "weight in each step and asks for no gradient. A recipe that acts on the gradient is no "
        "promise about the next optimizer."
    )


def _flag(report):
    if report.plan.freeze_by != "flags" or not report.leaked:
        return None
    layers = list(zip(report.frozen[::2], report.frozen[1::2]))  # kernel and bias
    mixed = [masks for masks in layers if _is_mixed(masks)]
    beside = sum(_counts(masks) for masks in mixed)
    return (
        f"A flag freezes a layer as a whole. In {len(mixed)} of the {len(layers)} layers, cells "
        f"that should train stand beside {beside:,} that should not. Such a layer could "
        f"not be flagged, and {report.leaked:,} of these cells have moved. Where one variable "
        "holds both kinds, a flag is too coarse: give the new output a layer of its own, or freeze "
        "cells."
    )


def _is_mixed(masks):
    return any(mask.any() for mask in masks) and not all(mask.all() for mask in masks)


def _own_cells(report):
    if not report.old_scores or report.leaked:
        return None
    trained = sum(int((~mask).sum()) for mask in report.frozen)
    if not any(mask.any() for mask in report.frozen):
        return (
            "Nothing was frozen, so nothing could leak: all cells trained, and the old scores with "
            "them. Which cells does no old score depend on?"
        )
    of_new = [~report.frozen[4][:, NEW], ~report.frozen[5][NEW]]
    fed = trained - _counts(of_new)
    return (
        f"Every frozen cell kept its bits, and the old scores changed all the same: {fed:,} of "
        f"the {trained:,} cells that you trained are used in computing the old scores. The freeze "
        "did its work; the choice of cells did not. Which cells does no old score depend on?"
    )


def _competes(report):
    if report.old_scores or report.contract["answers"].kept:
        return None
    return (
        f"The nine old scores are equal, and yet {report.old_answers} old pictures are answered "
        "differently. There is a tenth score now, and where it is the highest it wins. No freeze "
        "of old cells can prevent that, for nothing old has changed. The new score has to win less "
        "often: let it have to lead by more, or lower its bias."
    )


def _cautious(report):
    if report.contract["read"].kept or not report.plan.ahead:
        return None
    return (
        f"Only {report.new_right:.0f} % of the 9s are read. The lead that you ask of it, "
        f"{report.plan.ahead:g}, is more than many of its pictures have."
    )


def _weak(report):
    if report.contract["read"].kept or report.plan.ahead:
        return None
    trained = sum(int((~mask).sum()) for mask in report.frozen)
    return (
        f"Only {report.new_right:.0f} % of the 9s are read: with these {trained:,} cells "
        "it did not learn enough in 200 steps."
    )


def _patch(report):
    if report.contract["patch"].kept:
        return None
    return (
        f"{report.patch:,} cells would have to be sent, for a patch must hold every cell that "
        "differs, leaked ones too."
    )


def _memory(report):
    broken = [name for name, line in report.contract.items() if not line.kept]
    if broken != ["memory"]:
        return None  # or it would be said of nearly every delivery
    return (
        f"Optimizer and masks take {report.memory:.0%} of what Adam keeps for the whole network. "
        "A mask saves no memory. Slots for the free cells alone would."
    )


def _praise(report):
    if report.plan.freeze_by != "compact":
        return (
            f"All five lines are kept, with {report.patch:,} cells in the patch. Try whether they "
            "would be with other optimizers, too."
        )
    return (
        f"All five lines are kept. No old score can depend on the {report.patch:,} cells that "
        "changed; a new optimizer was given the masks; compact slots fit the small machine; and "
        "the new digit answers only where it leads clearly. This can be delivered."
    )
