"""Optimizers by the names that a list on the screen shows, all of them able to freeze cells."""

from helpers.device import keras
from helpers.freezing import freezable

# All are freezable, so that the exact freeze can be chosen; with no mask set, a freezable optimizer
# takes the very step of Keras' own.
OPTIMIZERS = {
    "sgd": lambda rate: freezable(keras.optimizers.SGD)(rate or 0.1),
    "momentum": lambda rate: freezable(keras.optimizers.SGD)(rate or 0.01, momentum=0.9),
    "adam": lambda rate: freezable(keras.optimizers.Adam)(rate or 0.001),
    "adamw": lambda rate: freezable(keras.optimizers.AdamW)(rate or 0.001, weight_decay=0.01),
}


def known_optimizer(optimizer):
    """Return the name under which `optimizer` (a name or a Keras optimizer) is listed."""
    if isinstance(optimizer, keras.optimizers.Optimizer):
        return optimizer.name
    name = str(optimizer).lower()
    if name not in OPTIMIZERS:
        optimizer_class(optimizer)
    return name


def make_optimizer(optimizer, rate=None):
    """Return a freezable optimizer for a name ("adam"); for an optimizer, a freezable copy of it,
    with the same settings and empty state."""
    if isinstance(optimizer, keras.optimizers.Optimizer):
        return freezable(type(optimizer)).from_config(optimizer.get_config())
    name = known_optimizer(optimizer)
    if name in OPTIMIZERS:
        return OPTIMIZERS[name](rate)
    return freezable(optimizer_class(name))()


def optimizer_class(name):
    """Return the Keras optimizer class of a name, in upper or lower case; else ValueError."""
    known, base = vars(keras.optimizers), keras.optimizers.Optimizer
    for listed, found in known.items():
        if listed.lower() == str(name).lower() and isinstance(found, type) and found is not base:
            return found
    raise ValueError(
        f"The optimizer {name!r} arrived; a Keras optimizer or its name was wanted, "
        f"for example {', '.join(map(repr, OPTIMIZERS))}."
    )
