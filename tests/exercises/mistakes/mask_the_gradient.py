"""Plausible attempts at the exercise of Mask the gradient that fall short, and the hint that each
gets."""

import numpy as np

from helpers.device import keras, tf


def _path(optimizer, start, gradients):
    cell = keras.Variable([start])
    optimizer.build([cell])
    path = [cell.numpy()]
    for gradient in gradients:
        optimizer.apply([tf.constant([gradient])], [cell])
        path.append(cell.numpy())
    return path


def never_trained(optimizer):
    path = _path(optimizer, 1.0, [0.0, 0.0])
    return path[0] == path[-1]


def about_equal(optimizer):
    path = _path(optimizer, 1.0, [1.0, 1.0, 0.0])
    return np.allclose(path[-1], path[-2], rtol=1e-3)


def by_default_tolerance(optimizer):
    path = _path(optimizer, 1.0, [1.0, 1.0, 0.0])
    return np.allclose(path[-1], path[-2])


def never_masked(optimizer):
    path = _path(optimizer, 1.0, [1.0, 1.0])
    return path[-1] == path[-2]


def whether_it_leaks(optimizer):
    path = _path(optimizer, 1.0, [1.0, 1.0, 0.0])
    return path[-1] != path[-2]


def printed(optimizer):
    print(type(optimizer).__name__)


MISTAKES = {
    never_trained: "which remembers a direction",
    about_equal: "which decays",
    by_default_tolerance: "a millionth",
    never_masked: "False came back",
    whether_it_leaks: "False came back",
    printed: "Nothing came back",
}
