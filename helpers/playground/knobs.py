"""Knobs: numbers of an optimizer that are turned while it trains, without a new trace.

rate      the learning rate, which Keras keeps in a variable
momentum  the share of the past that is left a step later: β₁ of Adam and its like, μ of SGD
decay     the weight decay

To Keras the last two are Python numbers, and so constants of whatever is traced. While a step is
traced, a Number stands in the place of each.
"""

import contextlib

import numpy as np

from helpers.device import keras, tf
from helpers.optimizers import CLASSES

# Its β₁ says how far the model stands between two points, and leaves nothing of the past.
WITHOUT_MOMENTUM = "schedulefreeadamw"


class Number:
    """A number that a traced graph reads anew each time it runs.

    `value` is a float, and `dtype` that of the variables that train. Within Keras' optimizers it is
    rounded where a Python number would be, and to the same bits.
    """

    def __init__(self, value, dtype="float32"):
        self.variable, self._dtype = tf.Variable(value, dtype=tf.float64, trainable=False), dtype

    def assign(self, value):
        """Be this float from now on."""
        self.variable.assign(value)

    def __rsub__(self, other):
        return tf.cast(other - self.variable, self._dtype)

    def __tf_tensor__(self, dtype=None, name=None):
        return tf.cast(self.variable, dtype or tf.float32)


class Held(Number):
    """A Number as it stands while a graph runs once: read at its beginning, and rounded there, not
    in each of its steps."""

    def __init__(self, number):
        self._number, self._rounded, self._left = number, tf.convert_to_tensor(number), 1 - number

    def __rsub__(self, other):
        return self._left if other == 1 else other - self._number

    def __tf_tensor__(self, dtype=None, name=None):
        in_it = dtype in (None, self._rounded.dtype)
        return self._rounded if in_it else tf.convert_to_tensor(self._number, dtype)


class Knobs:
    """The knobs of a built optimizer; those that it does not have are missing.

    `usual` are the numbers that it was made with, and `now` those that the next step is taken with:
    dicts from a knob's name to a float. `attributes` says how Keras calls each but the rate, and
    `variables` are what a graph reads beside the optimizer's own, a list of tf.Variables.
    """

    def __init__(self, optimizer, dtype="float32"):
        self._optimizer, self.attributes = optimizer, _attributes(optimizer)
        made_with = {name: getattr(optimizer, each) for name, each in self.attributes.items()}
        self._numbers = {name: Number(number, dtype) for name, number in made_with.items()}
        self.variables = [number.variable for number in self._numbers.values()]
        rate = optimizer.learning_rate
        has_rate = isinstance(rate, keras.Variable)  # and no schedule
        self.usual = {"rate": _short(rate.numpy())} if has_rate else {}
        self.usual |= {name: float(number) for name, number in made_with.items()}
        self.now = self.usual

    @property
    def turned(self):
        """Those of them that are not the usual ones."""
        return {name: number for name, number in self.now.items() if number != self.usual[name]}

    @property
    def settings(self):
        """What the optimizer was made with, as Keras tells it, but for its knobs and its name,
        which counts up: a dict."""
        told = ["name", "learning_rate", *self.attributes.values()]
        # Not None, as there stands where an optimizer has no weight decay.
        return self._optimizer.get_config() | dict.fromkeys(told, "not told")

    def turn(self, numbers):
        """Have the next step read these numbers: a dict from names to floats."""
        for name, number in numbers.items():
            if name == "rate":
                self._optimizer.learning_rate = number
            else:
                self._numbers[name].assign(number)
            self.now = self.now | {name: _short(number) if name == "rate" else number}

    @contextlib.contextmanager
    def traced(self, optimizer):
        """While this is open, within a graph, steps of the `optimizer` are traced so that they take
        these numbers, as they stand when the graph begins to run: of the one whose knobs they are,
        or of a copy."""
        made_with = {name: getattr(optimizer, name) for name in self.attributes.values()}
        for name, attribute in self.attributes.items():
            setattr(optimizer, attribute, Held(self._numbers[name]))
        try:
            yield
        finally:
            for attribute, number in made_with.items():
                setattr(optimizer, attribute, number)


def _short(rate):
    """Return, of all numbers that are this one in float32, the one that a person would write."""
    return float(str(np.float32(rate)))


def _attributes(optimizer):
    """Return by which attribute of Keras an optimizer has each knob but the rate. A class of one's
    own may do with them what no Number can, and so has none."""
    found, of_keras = {}, {kind: name for name, kind in CLASSES.items()}
    name = of_keras.get(getattr(optimizer, "keras_class", type(optimizer)))
    if name is None:
        return found
    if hasattr(optimizer, "beta_1") and name != WITHOUT_MOMENTUM:
        found["momentum"] = "beta_1"
    elif name == "sgd" and optimizer.momentum:
        found["momentum"] = "momentum"
    if optimizer.weight_decay is not None:
        found["decay"] = "weight_decay"
    return found
