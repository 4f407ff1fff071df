"""Hold the memory: put back the weights, and what the optimizer remembers of them."""

import numpy as np

from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.exercises.exercise import Exercise, expect


def put_back(before, after, frozen):
    """Put back what has the mask's shape, cell by cell, and let the rest go on."""
    return [
        tf.where(frozen, old, new) if new.shape == frozen.shape else new
        for old, new in zip(before, after)
    ]


def judge(attempt):
    """Momentum for three steps, of which the second frozen cell's gradient is NaN."""
    cells = keras.Variable([1.0, -0.0, 2.0], dtype="float32")
    optimizer = keras.optimizers.SGD(0.1, momentum=0.9)
    optimizer.build([cells])
    held = cells.numpy()
    for _ in range(3):
        _step(attempt, optimizer, cells, [True, True, False], [1.0, np.nan, 1.0])
    expect(cells.numpy()[2] != held[2], "The free cell did not move: True means frozen.")
    steps = int(optimizer.iterations.numpy())
    expect(steps == 3, f"Three steps were taken, and {steps} are counted: that goes on.")
    changed = changed_bits(held, cells.numpy())
    expect(not changed[0], "A frozen cell changed.")
    expect(not changed[1], "A frozen -0.0 met a NaN, and changed: choose, and do not compute.")
    _step(attempt, optimizer, cells, [False, False, False], [1.0, 1.0, 1.0])
    jump = held[0] - cells.numpy()[0]
    hint = f"Thawed, a cell steps {jump:.2f} far, from rest 0.10: the velocity went on growing."
    expect(np.allclose(held[:2] - cells.numpy()[:2], 0.1), hint)
    return "A thawed cell starts from rest, and the count of steps has gone on."


def _step(attempt, optimizer, cells, frozen, gradient):
    variables = [cells, *optimizer.variables]
    before = [tf.identity(variable.value) for variable in variables]
    optimizer.apply([tf.constant(gradient)], [cells])
    after = [tf.identity(variable.value) for variable in variables]
    found = list(attempt(before, after, tf.constant(frozen)))
    expect(len(found) == len(after), f"{len(after)} tensors went in, and {len(found)} came out.")
    for variable, value in zip(variables, found):
        hint = "A tensor has got another shape: tf.where stretches a single number to the mask's."
        expect(np.shape(value) == variable.shape, hint)
        variable.assign(value)


exercise = Exercise(
    put_back,
    judge,
    [
        "Walk through both lists at once. Which tensors have cells that the mask can name?",
        "Their shape tells: that of the mask. Everything else is returned as it is after the step.",
        "For the others tf.where(frozen, old, new), as in restore.",
    ],
)
