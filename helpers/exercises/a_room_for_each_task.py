"""A room for each task: which cells of several layers a room needs, and no others."""

from itertools import pairwise

import numpy as np

from helpers.device import keras
from helpers.exercises.exercise import Exercise, expect
from helpers.freezing import freezable

UNITS = 5, 6, 4, 3  # inputs, two hidden layers, answers
STEPS = 3


def room_masks(rooms):
    """Freeze the kernel's cells from a room to the next one, and the biases of the next one."""
    masks = []
    for n in range(1, len(rooms)):
        before, after = rooms[n - 1], rooms[n]
        masks.append(np.outer(before, after))
        masks.append(after)
    return masks


def judge(attempt):
    """Two hidden layers, each with a room; the second task trains all cells that are free."""
    rooms = [np.arange(units) % 2 == 0 for units in UNITS]
    rooms[0][:], rooms[-1][:] = True, True
    layers = _layers()
    weights = [w for layer in layers for w in (layer.kernel, layer.bias)]
    masks = [np.asarray(mask) for mask in attempt([room.copy() for room in rooms])]
    expect(len(masks) == len(weights), f"Return {len(weights)} masks: a kernel, a bias, and so on.")
    expect(all(mask.dtype == bool for mask in masks), "Return bool masks, with True for frozen.")
    for mask, weight in zip(masks, weights):
        wanted = tuple(weight.shape)
        shapes = f"A mask of shape {mask.shape} came where {wanted} was wanted."
        expect(mask.shape == wanted, f"{shapes} A kernel has a row for each unit before it.")
    accepted = _answers(layers, rooms)
    _train(layers, weights, masks)
    changed = (_answers(layers, rooms) != accepted).any(axis=1).sum()
    _compare(masks, room_masks(rooms), changed)
    frozen, cells = (sum(np.sum(each) for each in m) for m in (masks, [m | True for m in masks]))
    return f"Every answer is the same to the bit, with {frozen} of {cells} cells frozen."


def _compare(masks, wanted, changed):
    """Give the hint that fits masks that freeze too little or too much."""
    said = f"{changed} of 8 answers changed."
    free = [(need & ~mask).any() for mask, need in zip(masks, wanted)]
    expect(not any(free[1::2]), f"{said} A bias of the room is free: it adds to a unit's output.")
    expect(not free[-2], f"{said} The last kernel is free where it reads units of the room.")
    expect(not any(free), f"{said} A kernel is free between two units that the task uses.")
    over = sum((mask & ~need).sum() for mask, need in zip(masks, wanted))
    told = "A cell needs a freeze only if the task uses the unit before it and the one after it."
    expect(over == 0, f"Every answer holds, with {over} cells too many. {told}")


def _layers():
    draw, layers = np.random.default_rng(0), []
    for before, after in pairwise(UNITS):
        layer = keras.layers.Dense(after)
        layer.build((None, before))
        layer.set_weights([draw.normal(size=(before, after)), draw.normal(size=after)])
        layers.append(layer)
    return layers


def _answers(layers, rooms):
    """Return what the first task reads: units outside its rooms give 0."""
    values = np.random.default_rng(1).normal(size=(8, UNITS[0])).astype("float32")
    for layer, room in zip(layers, rooms[1:]):
        values = layer(values) * room.astype("float32")
    return np.asarray(values)


def _train(layers, weights, masks):
    """Take steps in which each free cell moves."""
    adam = freezable(keras.optimizers.AdamW)(0.1, weight_decay=0.1)
    adam.build(weights)
    for weight, mask in zip(weights, masks):
        adam.freeze_cells(weight, mask)
    for _ in range(STEPS):
        adam.apply([keras.ops.ones_like(weight) for weight in weights])


exercise = Exercise(
    room_masks,
    judge,
    [
        "Take two rooms that follow each other: rooms[n - 1] and rooms[n].",
        "A cell of the kernel leads from a unit before to a unit after. It matters to the task if "
        "both are in their rooms. An entry of the bias matters if its unit is.",
        "np.outer(before, after), for bool arrays, is True where both are True.",
    ],
)
