"""The settings of a panel as traits: each checks what is assigned to it, wherever that is done."""

import functools
from collections.abc import Iterable
from typing import get_args

import traitlets

from helpers.names import known
from helpers.playground.driver import Setting
from helpers.playground.painter import checks

# Every tool there is, as a teacher would call it; the browser shows them in this order.
CONTROLS = (
    *("train", "step", "reset", "speed"),
    *("freeze", "predict", "tool", "size", "undo", "invert", "clear", "presets", "pin"),
    *("technique", "optimizer", "page"),
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
SETTINGS = get_args(Setting)


def known_controls(controls):
    """Return `controls`, or the FEW for None, as a list; ValueError for other names."""
    names = FEW if controls is None else controls
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise checks.refused("The controls", names, "a list of names, such as ['train', 'reset'],")
    return [known("control", name, CONTROLS) for name in names]


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


class Choices(traitlets.Dict):
    """What the lists offer: a list's name -> [[value, label], …]."""

    @_checked
    def validate(self, panel, value):
        """Return the lists, if they are lists, and offer what is chosen now."""
        lists = {name: [_pair(pair) for pair in pairs] for name, pairs in dict(value).items()}
        for name, chosen in panel.in_force.items():
            if name != "speed":  # of which any may be chosen; the list has the usual ones
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
