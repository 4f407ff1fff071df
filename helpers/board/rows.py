"""What stands on a board: a row for each layer, in it a tile for each of its variables."""

import os
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from helpers.device import keras, tf


@dataclass(frozen=True)
class Thing:
    """What has a place on the board.

    key        its place, as in "backbone/conv/kernel"
    name       how its owner calls it
    code       Python that stands for it, as in 'model.get_layer("conv").kernel'
    about      a word or two below its name
    trainable  its flag; None if it has none
    lockable   whether the flag can be changed
    depth      of a row: 1 stands inside the row of depth 0 above it
    """

    key: str
    name: str
    code: str
    about: str = ""
    trainable: bool | None = None
    lockable: bool = False
    depth: int = 0


@dataclass(frozen=True)
class Tile(Thing):
    """A variable or a constant: `value`."""

    value: Any = None

    @property
    def bits(self):
        """All that it holds now, as bytes."""
        return np.asarray(self.value).tobytes()


@dataclass(frozen=True)
class Row(Thing):
    """A layer, a model or an optimizer, with the tiles that are its own; or variables that belong
    to none."""

    tiles: list = field(default_factory=list)

    @property
    def alone(self):
        """Whether its variables belong to no layer."""
        return bool(self.tiles) and self.tiles[0].key == self.key


def rows_of(name, thing):
    """Return the Rows of what a `name` stands for: a Keras layer or model, an optimizer, a
    variable, a constant. The keys of several models differ if the names of their layers do."""
    if isinstance(thing, keras.Layer):
        return _layer(thing, name, name)
    if isinstance(thing, keras.Optimizer):
        named = zip(_slot_names(thing), thing.variables)
        tiles = [Tile(f"{name}/{key}", key, "", _shape(v), value=v) for key, v in named]
        return [Row(name, name, name, type(thing).__name__, tiles=tiles)]
    return [Row(name, name, name, tiles=[_tile(name, name, name, thing)])]


def joined(rows):
    """Return the rows, in which variables that belong to no layer share one, side by side."""
    together = []
    for row in rows:
        if row.alone and together and together[-1].alone:
            before = together.pop()
            row = replace(before, name="variables", tiles=before.tiles + row.tiles)
        together.append(row)
    return together


def _slot_names(optimizer):
    """Return what an optimizer's variables are called, without what all slots begin with: the
    model."""
    names = [variable.path.rpartition("/")[2] for variable in optimizer.variables]
    slots = [name for name in names if name not in ("iteration", "learning_rate")]
    shared = os.path.commonprefix(slots).rpartition("_")  # noqa: RUF071 - these are no paths
    return [name.removeprefix(shared[0] + shared[1]) for name in names]


def _layer(layer, key, code, depth=0):
    """Return the rows of a layer and, if it is a model, of the layers in it."""
    inner = layer.layers if isinstance(layer, keras.Model) else []
    theirs = {id(variable) for each in inner for variable in each.weights}
    own = [(place, v) for place, v in enumerate(layer.weights) if id(v) not in theirs]
    tiles = [_tile(f"{key}/{v.name}", v.name, _code(layer, code, place), v) for place, v in own]
    about = type(layer).__name__
    name = layer.name if depth else key  # of a model by itself Keras makes up "sequential_3"
    rows = [Row(key, name, code, about, layer.trainable, True, depth, tiles)]
    for each in inner:
        inside = f"{key}/{each.name}" if depth else each.name
        rows += _layer(each, inside, f'{code}.get_layer("{each.name}")', depth + 1)
    return rows


def _code(layer, code, place):
    """Python that stands for a layer's variable, the one at a place among its weights."""
    variable = layer.weights[place]
    named = getattr(layer, variable.name, None) is variable
    return f"{code}.{variable.name}" if named else f"{code}.weights[{place}]"


def _tile(key, name, code, value):
    """Return the tile of a variable or of a constant."""
    flag = bool(value.trainable) if isinstance(value, keras.Variable | tf.Variable) else None
    lockable = isinstance(value, keras.Variable)
    return Tile(key, name, code, _shape(value), flag, lockable, value=value)


def _shape(value):
    return " × ".join(map(str, value.shape)) or "one number"
