"""What frozen layers save: count the products of a step, for any choice of frozen layers."""

import functools
import itertools

from helpers.exercises.exercise import Exercise, expect
from helpers.studies import costs

WIDTH = 4


def products(frozen):
    """Forward through all, a gradient for each free kernel, handed back to the first of them."""
    first = list(frozen).index(False)
    handed_back = len(frozen) - 1 - first
    return len(frozen) + list(frozen).count(False) + handed_back


def judge(attempt):
    """All choices of up to three layers, and two of five, against the graph of a step; those with
    frozen layers behind a free one come last."""
    cases = [each for count in (1, 2, 3) for each in itertools.product([False, True], repeat=count)]
    cases += [(True, True, False, True, False), (False, True, True, True, True)]
    for frozen in sorted(cases, key=lambda each: any(each) + (not _come_first(each))):
        if all(frozen):
            continue
        counted, found = _counted(frozen), attempt(list(frozen))
        expect(found is not None, "Return how many products there are.")
        named = f"With frozen = {list(frozen)} a step takes {counted} products, and not {found}"
        expect(found == counted, f"{named}. {_what_is_wrong(frozen)}")
    return "It counts what the graph of a step has, for each choice of layers."


def _come_first(frozen):
    """Tell whether all frozen layers come before the free ones."""
    return list(frozen) == sorted(frozen, reverse=True)


def _what_is_wrong(frozen):
    if not any(frozen):
        return "Each layer takes one forward and one for its kernel; who hands a gradient back?"
    if _come_first(frozen):
        return "Frozen layers work forward, too, and a gradient ends at the first free layer."
    return "The gradient has to come through frozen layers that lie behind the first free one."


@functools.cache
def _counted(frozen):
    model = costs.network(WIDTH, len(frozen))
    for layer, held in zip(model.layers, frozen):
        layer.trainable = not held
    return len(costs.products(model))


exercise = Exercise(
    products,
    judge,
    [
        "Add up three numbers: forward, gradients of kernels, gradients that are handed back.",
        "Forward each layer takes one. A kernel's gradient is for free layers alone.",
        "Each layer behind the first free one hands a gradient back, frozen or not.",
        "frozen.index(False) is the place of the first free layer.",
    ],
)
