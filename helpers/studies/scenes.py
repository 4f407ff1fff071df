"""Three scenes of two cells, of which the first is frozen: a thaw, a neighbour, the end.

Each takes a class of optimizers with a method `freeze_cells(variable, frozen)`, True = frozen.
"""

import functools

import matplotlib.pyplot as plt
import numpy as np

from helpers.device import keras, tf

NAMES = "thaw, frozen cell", "neighbour, free cell", "the end, frozen cell"
FREEZE, LOWEST = ((5, 35), None, (10, 20)), (-17, -2.1, -1.1)  # the neighbour's cell is free


def thaw(kind):
    """Return the path of a cell that trains 5 steps with momentum, is frozen for 30, and trains on
    for 15: its weight before the first step and after each."""
    cells, optimizer = _two_cells(kind, momentum=0.9)
    path = [0.0]
    for number in range(50):
        optimizer.freeze_cells(cells, [5 <= number < 35, False])
        optimizer.apply([tf.ones(2, tf.float64)], [cells])
        path.append(cells.numpy()[0])
    return np.array(path)


def neighbour(kind, pull_on_frozen=1000.0):
    """Return the path of a free cell beside a frozen one with a large gradient, under clipping."""
    cells, optimizer = _two_cells(kind, global_clipnorm=1.0)
    optimizer.freeze_cells(cells, [True, False])
    path = [0.0]
    for _ in range(20):
        optimizer.apply([tf.constant([pull_on_frozen, 1.0], tf.float64)], [cells])
        path.append(cells.numpy()[1])
    return np.array(path)


def ending(kind):
    """Return the path of a cell that trains 10 steps and is frozen for 10, and last what it holds
    once the average of the weights has been written over them."""
    cells, optimizer = _two_cells(kind, use_ema=True, ema_momentum=0.9)
    path = [0.0]
    for number in range(20):
        optimizer.freeze_cells(cells, [number >= 10, False])
        optimizer.apply([tf.ones(2, tf.float64)], [cells])
        path.append(cells.numpy()[0])
    optimizer.finalize_variable_values([cells])
    return np.array([*path, cells.numpy()[0]])


def as_wanted(kind):
    """Return for each of the three scenes whether it goes as wanted under a class of optimizers."""
    return [np.array_equal(*pair) for pair in zip(_paths(kind), _wanted())]


def picture(kind):
    """Draw what becomes of the three scenes under a class of optimizers, and what is wanted."""
    paths = _paths(kind)
    figure, axes = plt.subplots(1, 3, figsize=(10, 2.9), layout="constrained")
    for axis, name, freeze, low, path, wanted in zip(axes, NAMES, FREEZE, LOWEST, paths, _wanted()):
        if freeze:
            axis.axvspan(*freeze, color="#eeeeee")
        held = np.array_equal(path, wanted)
        colour = "#2f79b5" if held else "#c0392b"
        axis.plot(path, color=colour, linewidth=2, label="what happens")
        axis.plot(wanted, "--", color="black", label="what is wanted")
        axis.set_title(f"{name}: {'as wanted ✓' if held else 'differs ✗'}", color=colour)
        axis.set(xlabel="step", ylim=(low, -0.05 * low))
    axes[2].annotate(
        "average written", (21, paths[2][-1]), (8, -0.25), arrowprops={"arrowstyle": "-"}
    )
    axes[0].set_ylabel("weight")
    axes[0].legend(frameon=False)
    figure.suptitle(kind.__name__)
    plt.show()


def _paths(kind):
    return thaw(kind), neighbour(kind), ending(kind)


class _NeverFrozen(keras.optimizers.SGD):
    def freeze_cells(self, variable, frozen):
        """Freeze nothing."""


@functools.cache
def _wanted():
    """Return the paths that a freeze should have: a pause, a frozen gradient of 0, and the weight
    as it was at the freeze."""
    free = thaw(_NeverFrozen)
    paused = np.concatenate([free[:6], np.repeat(free[5], 30), free[6:21]])
    alone = neighbour(_NeverFrozen, pull_on_frozen=0.0)
    trained = ending(_NeverFrozen)[:11]
    return paused, alone, np.concatenate([trained, np.repeat(trained[-1], 11)])


def _two_cells(kind, **options):
    cells, optimizer = keras.Variable([0.0, 0.0], dtype="float64"), kind(0.1, **options)
    optimizer.build([cells])
    return cells, optimizer
