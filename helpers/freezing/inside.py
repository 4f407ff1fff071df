"""Optimizers inside an optimizer, as LossScaleOptimizer and MultiOptimizer have: they make slots.

While the outer optimizer is built, each one inside gets an `add_variable_from_reference` of its
own, which reports the slot. It belongs to that one object: no class changes, so optimizers can be
built side by side in threads.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import keras

from . import private
from .kinds import Variable

# Called as report(slot, reference, maker, name, initializer).
Report = Callable[..., None]
METHOD = "add_variable_from_reference"


@contextlib.contextmanager
def reporting(optimizer: keras.Optimizer, report: Report) -> Iterator[list[keras.Optimizer]]:
    """While this is open, call `report(slot, reference, maker, name, initializer)` for each slot
    that an optimizer inside this one makes for a variable `reference`, or has made before.

    Yields a list of all inside, which is complete when it is closed."""
    heard: list[keras.Optimizer] = []
    with contextlib.ExitStack() as stack:

        def listen_inside(outer: keras.Optimizer) -> None:
            for inner in held(outer):
                listen(inner)
            if isinstance(outer, getattr(keras.optimizers, "MultiOptimizer", ())):
                stack.enter_context(_listening_to_chosen(outer, listen))

        def listen(inner: keras.Optimizer) -> None:
            if not any(inner is one for one in (optimizer, *heard)):
                heard.append(inner)
                if inner.built:
                    _report_built(inner, report)
                stack.enter_context(_listening_to(inner, report))
                listen_inside(inner)

        listen_inside(optimizer)
        yield heard


def family(optimizer: keras.Optimizer) -> list[keras.Optimizer]:
    """Return an optimizer and all optimizers inside, the outer ones first: a list."""
    known = [optimizer]
    for outer in known:  # which grows meanwhile
        known += [inner for inner in held(outer) if not any(inner is one for one in known)]
    return known


def is_leaf(optimizer: keras.Optimizer) -> bool:
    """Return whether there is no optimizer inside."""
    return not any(True for _ in held(optimizer))


def slots_by_variable(
    optimizer: keras.Optimizer,
) -> Iterator[tuple[Variable, dict[str, keras.Variable]]]:
    """Yield each variable that an optimizer trains itself, and its slots: a dict from the name of
    Keras' attribute, a list with one for each variable, to the slot."""
    variables = private.built_for(optimizer) if optimizer.built and is_leaf(optimizer) else []
    own = {id(variable) for variable in optimizer.variables}
    lists = {name: value for name, value in vars(optimizer).items() if isinstance(value, list)}
    for number, variable in enumerate(variables):
        each = {name: slots[number] for name, slots in lists.items() if len(slots) > number}
        of_slots = {n: slot for n, slot in each.items() if id(slot) in own and n != "_variables"}
        yield variable, of_slots


def trains(optimizer: keras.Optimizer, variable: Variable) -> bool:
    """Return whether an optimizer was built to step this variable."""
    keys = (private.key(optimizer, one) for one in private.built_for(optimizer))
    return private.key(optimizer, variable) in keys


def slots_of(optimizer: keras.Optimizer, variable: Variable) -> dict[str, Variable]:
    """Return what an optimizer keeps for each cell of a variable that it steps: a dict from Keras'
    names to slots of the variable's shape. Of a compact optimizer: while it has slots for all."""
    if hasattr(optimizer, "slots_of"):
        slots = optimizer.slots_of(variable)
    else:
        key = private.key(optimizer, variable)
        of_all = slots_by_variable(optimizer)
        slots = next(slots for one, slots in of_all if private.key(optimizer, one) == key)
    whole = {name: slot for name, slot in slots.items() if slot.shape == variable.shape}
    return {name.strip("_"): slot for name, slot in whole.items()}


def _report_built(inner: keras.Optimizer, report: Report) -> None:
    for variable, slots in slots_by_variable(inner):
        for slot in slots.values():
            name = slot.name.removeprefix(variable.path.replace("/", "_") + "_")
            report(slot, variable, inner, name, None)


def held(optimizer: keras.Optimizer) -> Iterator[keras.Optimizer]:
    """Yield the optimizers that this one has as an attribute, or in a list or a dict."""
    for value in list(vars(optimizer).values()):
        if isinstance(value, Mapping):
            value = list(value.values())
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(one, keras.optimizers.Optimizer):
                yield one


@contextlib.contextmanager
def _listening_to(inner: keras.Optimizer, report: Report) -> Iterator[None]:
    make, outer_listener = getattr(inner, METHOD), vars(inner).get(METHOD)

    def make_and_report(
        reference_variable: Variable, name: str | None = None, initializer: Any = "zeros"
    ) -> keras.Variable:
        slot = make(reference_variable, name=name, initializer=initializer)
        report(slot, reference_variable, inner, name, initializer)
        return slot

    setattr(inner, METHOD, make_and_report)
    try:
        yield
    finally:
        delattr(inner, METHOD)
        if outer_listener:  # of a freezable optimizer around the one being built
            setattr(inner, METHOD, outer_listener)


@contextlib.contextmanager
def _listening_to_chosen(
    multi_optimizer: keras.Optimizer, listen: Callable[[keras.Optimizer], None]
) -> Iterator[None]:
    """Have `listen` called with each optimizer that a MultiOptimizer makes when it is asked for."""
    choose = private.chooser(multi_optimizer)

    def choose_and_listen(variable: Variable) -> keras.Optimizer:
        inner = choose(variable)
        listen(inner)
        return inner

    private.set_chooser(multi_optimizer, choose_and_listen)
    try:
        yield
    finally:
        private.set_chooser(multi_optimizer, choose)
