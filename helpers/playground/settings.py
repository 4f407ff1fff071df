"""The settings of a panel as traits: each checks what is assigned to it, wherever that is done."""

import functools
import numbers
from collections.abc import Iterable
from typing import get_args

import numpy as np
import traitlets

from helpers.names import known
from helpers.playground.driver import Knob, Setting
from helpers.playground.painter import checks

# Every tool there is, as a teacher would call it; the browser shows them in this order.
CONTROLS = (
    *("train", "step", "reset", "speed"),
    *("freeze", "predict", "tool", "size", "undo", "invert", "clear", "presets", "pin"),
    *("technique", "optimizer", "page"),
    *("rate", "momentum", "decay"),
    *("view", "drawing", "share", "hints", "more", "tour"),
)
# Those that are seen first, where nobody asks for others: "more" unfolds all that are not named. A
# "tour" is no tool: it leads whoever comes first over the others, once in each browser.
FEW = ("train", "reset", "freeze", "technique", "optimizer", "drawing", "more")
SPEEDS = (
    (1, "1 step a second"),
    (10, "10 steps a second"),
    (200, "200 steps a second"),
    (None, "as fast as it goes, fewer pictures"),
)
# Training until somebody stops it rests when nobody has watched for so many seconds.
REST_AFTER = 60.0
RESTS = "Training rests, since nobody has watched for a minute. Press Train to go on."
PAUSES = "Training pauses at step {step}, as this page wants it. Paint, then press Train."
SETTINGS, KNOBS = get_args(Setting), get_args(Knob)
NUMBERS = ("speed", *KNOBS)
BELOW_1 = "momentum"  # at 1 nothing would fade
LARGEST = float(np.finfo(np.float32).max)


def known_controls(controls):
    """Return `controls`, or the FEW for None, as a list; ValueError for other names."""
    names = FEW if controls is None else controls
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise checks.refused("The controls", names, "a list of names, such as ['train', 'reset'],")
    return [known("control", name, CONTROLS) for name in names]


def known_pauses(steps):
    """Return the steps at which training is to pause, as ints in their order; ValueError for what
    is no list of whole numbers from 1 up."""
    wanted = "a list of numbers of steps from 1 up, such as [100],"
    if isinstance(steps, str) or not isinstance(steps, Iterable):
        raise checks.refused("The pauses", steps, wanted)
    return sorted({_known_pause(step, wanted) for step in steps})


def _known_pause(step, wanted):
    if isinstance(step, bool) or not isinstance(step, numbers.Integral) or step < 1:
        raise checks.refused("The pause", step, wanted)
    return int(step)


def _checked(check):
    """Return a trait's validator that turns what `check` raises into a TraitError."""

    @functools.wraps(check)
    def validate(self, panel, value):
        try:
            return check(self, panel, value)
        except (TypeError, ValueError) as error:
            raise traitlets.TraitError(str(error)) from error

    return validate


class Chosen(traitlets.Unicode):
    """One of the names that the panel's `choices` offer under the trait's own name."""

    @_checked
    def validate(self, panel, value):
        """Return the name, if it is offered."""
        if not isinstance(value, str):
            raise checks.refused(f"The {self.name}", value, "a name")
        return known(self.name, value, [name for name, _ in panel.choices[self.name]])


class Speed(traitlets.TraitType):
    """Steps a second, or None for as fast as it goes."""

    @_checked
    def validate(self, panel, value):
        """Return the speed, if it is one."""
        if value is None or (checks.is_number(value) and 0 < value < float("inf")):
            return value if value is None or isinstance(value, int) else float(value)
        wanted = "a positive number of steps a second, or None for as fast as it goes,"
        raise checks.refused("The speed", value, wanted)


def known_number(knob, value, numbers, optimizer):
    """Return `value` as a float, to which a knob is to be turned.

    ValueError: it is out of range, or not among the `numbers` of the optimizer of this name, a dict
    from its knobs' names.
    """
    if knob not in numbers:
        has = ", ".join(numbers) or "none"
        raise ValueError(
            f"The {knob} {value!r} arrived, and {optimizer} has no {knob}; its knobs are: {has}. "
            "Turn one of these, or choose another optimizer first."
        )
    if checks.is_number(value) and 0 <= value <= LARGEST and (knob != BELOW_1 or value < 1):
        return float(value)
    upwards = "from 0 to less than 1" if knob == BELOW_1 else "from 0 up"
    raise checks.refused(f"The {knob}", value, f"a number {upwards}")


class Turned(traitlets.TraitType):
    """The number at which a knob stands, or None where the optimizer in use does not have it."""

    @_checked
    def validate(self, panel, value):
        """Return the number, if the knob can be turned to it."""
        if value is None and panel.in_force[self.name] is None:
            return None
        has = {name: panel.in_force[name] for name in KNOBS if panel.in_force[name] is not None}
        return known_number(self.name, value, has, panel.in_force["optimizer"])


class Choices(traitlets.Dict):
    """What the lists offer: a list's name -> [[value, label], …]."""

    @_checked
    def validate(self, panel, value):
        """Return the lists, if they are lists, and offer what is chosen now."""
        lists = {name: [_pair(pair) for pair in pairs] for name, pairs in dict(value).items()}
        for name, chosen in panel.in_force.items():
            if name not in NUMBERS:  # of which any may be chosen
                offered = [value for value, _ in lists.get(name, [])]
                known(f"{name} in use", chosen, offered, "Offer it too, or choose another first.")
        return lists


class Controls(traitlets.List):
    """The names of the tools that are shown."""

    @_checked
    def validate(self, panel, value):
        """Return the names, if there are such tools."""
        return known_controls(value)


def _pair(pair):
    if len(pair) != 2:
        raise checks.refused("The choice", pair, "a pair (value, label)")
    value, label = pair
    return [value, str(label)]
