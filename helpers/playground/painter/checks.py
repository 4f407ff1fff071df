"""What arrives from a browser is checked, not trusted: each check returns the value, or raises.

Every error is a ValueError that says what arrived and what was wanted; the widget shows it.
"""

import math
import numbers
import reprlib

LONGEST_NAME = 100


def message(content):
    """Return a message: a dict that says what `kind` it is."""
    if not isinstance(content, dict) or not isinstance(content.get("kind"), str):
        raise refused("A message", content, "a dict with its kind")
    return content


def whole(content, name, low=0, high=None):
    """Return the whole number of a message's field, from `low` up and, if there is a `high`, below
    it."""
    value = content.get(name)
    last = math.inf if high is None else high - 1
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= last:
        upwards = f"from {low} up" if high is None else f"from {low} to {last}"
        raise refused(f"The {name}", value, f"a whole number {upwards}")
    return value


def truth(content, name):
    """Return the boolean of a message's field; a number would hide what it means."""
    value = content.get(name)
    if not isinstance(value, bool):
        raise refused(f"The {name}", value, "true or false")
    return value


def share(content, name):
    """Return the number of a message's field, from 0 to 1."""
    value = content.get(name)
    if not is_number(value) or not 0 <= value <= 1:
        raise refused(f"The {name}", value, "a number from 0 to 1")
    return value


def text(content, name, longest=LONGEST_NAME):
    """Return the text of a message's field, of `longest` letters at the most."""
    value = content.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= longest:
        raise refused(f"The {name}", value, f"a text of 1 to {longest} letters")
    return value


def is_number(value):
    """Return whether it is a real number; True and False are none, though Python counts with
    them."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def refused(what, value, wanted):
    """Return the error that says so, however long the value is."""
    return ValueError(
        f"{what} {reprlib.repr(value)} arrived; {wanted} was wanted. Nothing changed."
    )
