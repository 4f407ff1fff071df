"""Optimizers by name: those of Keras, those that a list on the screen shows, those on the site."""

import re

from helpers.device import keras
from helpers.freezing import freezable
from helpers.names import known

K = keras.optimizers
# Those of Keras that need no other inside, by their names in lower case.
CLASSES = {
    name.lower(): value
    for name, value in vars(K).items()
    if isinstance(value, type) and issubclass(value, K.Optimizer) and "Optimizer" not in name
}
# What the list on the screen, the guide and the leak laboratory offer: class, learning rate where a
# task names none, other settings.
LISTED = {
    "sgd": (K.SGD, 0.1, {}),
    "momentum": (K.SGD, 0.01, {"momentum": 0.9}),
    "adam": (K.Adam, 0.001, {}),
    "adamw": (K.AdamW, 0.001, {"weight_decay": 0.01}),
}
# Those that a grid on the site can train with: `site/trainer/optimizers.mjs` steps them.
ON_SITE = ("sgd", "momentum", "adam", "adamw", "rmsprop")
NAMES = [*LISTED, *sorted(CLASSES.keys() - LISTED.keys())]


def name_of(optimizer):
    """Return the name of an optimizer, or a known name in lower case; else raises ValueError.

    Keras counts optimizers up ("adam", "adam_1", …); the number does not belong to the name. Nor
    does the line in the middle of those that Keras names itself: its AdamW is called "adam_w".
    """
    if isinstance(optimizer, K.Optimizer):
        name = re.sub(r"_\d+$", "", optimizer.name).replace("_", "")
        return name if name in CLASSES else optimizer.name
    return _known(optimizer)


def optimizer_class(name):
    """Return the Keras optimizer class of a name, in upper or lower case; else ValueError."""
    name = _known(name)
    return LISTED[name][0] if name in LISTED else CLASSES[name]


def plain_optimizer(name):
    """Return Keras' own optimizer of that name, with Keras' settings; "momentum" is 0.9."""
    settings = LISTED["momentum"][2] if name == "momentum" else {}
    return optimizer_class(name)(**settings)


def freezable_optimizer(optimizer, rate=None):
    """Return an optimizer that can freeze cells; while nothing is frozen its step is Keras' own.

    `optimizer` is a name such as "adam"; those in LISTED take the learning `rate`, if one is given.
    Or it is a Keras optimizer, of which this is a copy with the same settings and empty state.
    """
    if isinstance(optimizer, K.Optimizer):
        return freezable(type(optimizer)).from_config(optimizer.get_config())
    name = _known(optimizer)
    # It is called so, too: TensorFlow keeps some 30 kB for each name that a variable ever had, and
    # Keras would count the optimizers up, a new name for every slot of every playground.
    if name not in LISTED:
        return freezable(CLASSES[name])(name=name)
    cls, usual, settings = LISTED[name]
    return freezable(cls)(usual if rate is None else rate, name=name, **settings)


def _known(name):
    lower = str(name).lower()
    advice = "A Keras optimizer will do as well."
    return known("optimizer", lower if lower in NAMES else name, NAMES, advice)
