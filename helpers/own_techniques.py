"""Recipes of one's own: a function becomes a technique, and is tried before it may train."""

import inspect

import numpy as np

from helpers.device import tf
from helpers.techniques import Technique

# Where a function of one's own acts, by the names of its parameters.
PLACES = {
    ("value", "frozen"): "weights",
    ("shadow", "value", "frozen"): "shadow",
    ("gradient", "frozen"): "gradient",
    ("before", "after", "frozen"): "after",
}


def as_technique(recipe):
    """Return a Technique as it is, or make one of a function; its parameters' names say where it
    acts: (value, frozen), (shadow, value, frozen), (gradient, frozen) or (before, after, frozen).

    Raises TypeError for anything else.
    """
    if isinstance(recipe, Technique):
        return recipe
    if not callable(recipe):
        raise TypeError(f"{recipe!r} arrived; a Technique or a function was wanted.")
    names = tuple(inspect.signature(recipe).parameters)
    if names not in PLACES:
        signatures = ", ".join(f"({', '.join(names)})" for names in PLACES)
        raise TypeError(
            f"A function of ({', '.join(names)}) arrived. The names of the parameters say where in "
            f"a step it acts, so they must be one of {signatures}; in `frozen`, True = frozen."
        )
    label = getattr(recipe, "__name__", "a function")
    return Technique(label.replace("_", " "), **{PLACES[names]: recipe})


def check(technique, variable):
    """Try a technique on ordinary numbers; raise ValueError if what it returns cannot be used.

    `variable` is a tensor or variable of the shape and dtype of those that it will get.
    """
    draw = np.random.default_rng(0)
    if technique.values:
        _check_values(technique, variable, draw)
    for names, place in PLACES.items():
        function = getattr(technique, place)
        if function is None:
            continue
        values = [tf.cast(draw.normal(size=variable.shape), variable.dtype) for _ in names[1:]]
        frozen = tf.constant(draw.random(variable.shape) < 0.5)
        _try(technique.label, function, *values, frozen, like=values[0])


def _check_values(technique, variable, draw):
    """Do the same for a function of (held, places, free)."""
    held = tf.cast(draw.normal(size=variable.shape), variable.dtype)
    places = tf.constant(np.argwhere(draw.random(variable.shape) < 0.5))
    free = tf.cast(draw.normal(size=len(places)), variable.dtype)
    _try(technique.label, technique.values, held, places, free, like=held)


def _try(label, function, *arguments, like):
    try:
        found = function(*arguments)
    except Exception as error:
        raise ValueError(f"{label!r} raised {type(error).__name__}: {error}") from error
    _check_like(label, found, like)


def _check_like(label, found, like):
    if not tf.is_tensor(found):
        raise ValueError(
            f"{label!r} returned {type(found).__name__}; a tensor was wanted. Does it end in "
            "a return?"
        )
    wanted = f"{like.dtype.name} of shape {tuple(like.shape)}"
    if found.dtype != like.dtype or found.shape != like.shape:
        raise ValueError(
            f"{label!r} returned {found.dtype.name} of shape {tuple(found.shape)}; {wanted} was "
            "wanted, as it got."
        )
    if not np.isfinite(found).all():
        raise ValueError(f"{label!r} returned NaN or infinity for ordinary numbers.")
