"""Optimizers inside an optimizer, as LossScaleOptimizer and MultiOptimizer have: they make slots.

While the outer optimizer is built, each one inside gets an `add_variable_from_reference` of its
own, which reports the slot. It belongs to that one object: no class changes, so optimizers can be
built side by side in threads.
"""

import contextlib
from collections.abc import Mapping

import keras

from . import private

METHOD = "add_variable_from_reference"


@contextlib.contextmanager
def reporting(optimizer, report):
    """While this is open, call `report(slot, reference, maker, name, initializer)` for each slot
    that an optimizer inside this one makes for a variable `reference`."""
    heard = [optimizer]
    with contextlib.ExitStack() as stack:

        def listen_inside(outer):
            for inner in _held(outer):
                listen(inner)
            if isinstance(outer, getattr(keras.optimizers, "MultiOptimizer", ())):
                stack.enter_context(_listening_to_chosen(outer, listen))

        def listen(inner):
            if not any(inner is one for one in heard):
                heard.append(inner)
                stack.enter_context(_listening_to(inner, report))
                listen_inside(inner)

        listen_inside(optimizer)
        yield


def _held(optimizer):
    """The optimizers that this one has as an attribute, or in a list or a dict of its own."""
    for value in list(vars(optimizer).values()):
        if isinstance(value, Mapping):
            value = list(value.values())
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(one, keras.optimizers.Optimizer):
                yield one


@contextlib.contextmanager
def _listening_to(inner, report):
    make, outer_listener = getattr(inner, METHOD), vars(inner).get(METHOD)

    def make_and_report(reference_variable, name=None, initializer="zeros"):
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
def _listening_to_chosen(multi_optimizer, listen):
    """A MultiOptimizer may be given a function that makes an optimizer when it is asked for one."""
    choose = private.chooser(multi_optimizer)

    def choose_and_listen(variable):
        inner = choose(variable)
        listen(inner)
        return inner

    private.set_chooser(multi_optimizer, choose_and_listen)
    try:
        yield
    finally:
        private.set_chooser(multi_optimizer, choose)
