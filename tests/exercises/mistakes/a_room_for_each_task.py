"""Plausible attempts at the exercise of A room for each task that fall short, and the hint that
each gets."""

from itertools import pairwise

import numpy as np


def whole_columns(rooms):
    masks = []
    for before, after in pairwise(rooms):
        masks += [np.tile(after, (len(before), 1)), after]
    return masks


def everything(rooms):
    masks = []
    for before, after in pairwise(rooms):
        masks += [np.ones((len(before), len(after)), bool), np.ones(len(after), bool)]
    return masks


def biases_forgotten(rooms):
    masks = []
    for before, after in pairwise(rooms):
        masks += [np.outer(before, after), np.zeros(len(after), bool)]
    return masks


def the_wrong_way_round(rooms):
    masks = []
    for before, after in pairwise(rooms):
        masks += [~np.outer(before, after), after]
    return masks


def the_last_layer_left_free(rooms):
    masks = []
    for before, after in pairwise(rooms):
        masks += [np.outer(before, after), after]
    masks[-2] = np.zeros_like(masks[-2])
    return masks


def turned(rooms):
    masks = []
    for before, after in pairwise(rooms):
        masks += [np.outer(after, before), after]
    return masks


def kernels_alone(rooms):
    return [np.outer(before, after) for before, after in pairwise(rooms)]


def numbers(rooms):
    masks = []
    for before, after in pairwise(rooms):
        masks += [np.outer(1.0 * before, 1.0 * after), after]
    return masks


MISTAKES = {
    whole_columns: "too many",
    everything: "too many",
    biases_forgotten: "A bias of the room is free",
    the_wrong_way_round: "is free",
    the_last_layer_left_free: "last kernel is free",
    turned: "a row for each unit before it",
    kernels_alone: "a kernel, a bias",
    numbers: "bool masks",
}
