"""What saves time: a product with a kernel of which some rows do not train."""

import numpy as np

from helpers.device import keras, tf
from helpers.exercises.exercise import Exercise, NotYet, expect

BATCH, ROWS, UNITS = 5, 8, 3
PUT_TOGETHER = (
    "The outputs are right, but the whole kernel has been put together on the way, so the gradient "
    "of all its rows is computed. Take two products, and add them."
)


def product(inputs, held, free, frozen):
    """Sum the products with the frozen rows and with the free ones."""
    of_held = keras.ops.take(inputs, np.flatnonzero(frozen), axis=1) @ held
    return of_held + keras.ops.take(inputs, np.flatnonzero(~frozen), axis=1) @ free


def judge(attempt):
    """Frozen rows first, and anywhere; outputs, the gradient, and what the graph holds."""
    draw = np.random.default_rng(0)
    for frozen in (np.arange(ROWS) < ROWS // 2, np.arange(ROWS) % 2 == 1):
        inputs, kernel = draw.normal(size=(BATCH, ROWS)), draw.normal(size=(ROWS, UNITS))
        _judge_one(attempt, inputs, kernel, frozen)
    return "Outputs and gradient are right, and only the free rows have a gradient."


def _judge_one(attempt, inputs, kernel, frozen):
    held, free = tf.constant(kernel[frozen]), tf.Variable(kernel[~frozen])

    def both(inputs):
        with tf.GradientTape() as tape:
            outputs = attempt(inputs, held, free, frozen.copy())
        expect(outputs is not None, "Return the outputs.")
        return outputs, tape.gradient(outputs, free)

    compiled = tf.function(both, autograph=False)
    traced = compiled.get_concrete_function(tf.TensorSpec(inputs.shape, inputs.dtype))
    outputs, gradient = traced(tf.constant(inputs))
    _judge_outputs(outputs, inputs, kernel, frozen)
    expect(gradient is not None, "No gradient comes to `free`: use it as it is, as a variable.")
    shapes = [each.shape for step in traced.graph.get_operations() for each in step.outputs]
    expect(tf.TensorShape(kernel.shape) not in shapes, PUT_TOGETHER)
    wanted = np.repeat(inputs[:, ~frozen].sum(axis=0)[:, None], UNITS, axis=1)
    expect(np.allclose(gradient, wanted), "The gradient of `free` is not that of these outputs.")


def _judge_outputs(outputs, inputs, kernel, frozen):
    expect(outputs.shape == (BATCH, UNITS), f"The outputs have the shape {tuple(outputs.shape)}.")
    if np.allclose(outputs, inputs @ kernel):
        return
    first = np.arange(ROWS) < frozen.sum()
    for hint, found in {
        "The frozen rows are missing from the outputs.": inputs[:, ~frozen] @ kernel[~frozen],
        "True means frozen: `held` has the rows of True.": _sum(inputs, ~frozen, kernel, frozen),
        "Frozen rows can be anywhere: go by the mask.": _sum(inputs, first, kernel, frozen),
    }.items():
        expect(not np.allclose(outputs, found), hint)
    raise NotYet("The outputs are not inputs @ kernel.")


def _sum(inputs, columns, kernel, frozen):
    """Return what comes out if these columns of the inputs meet the frozen rows."""
    return inputs[:, columns] @ kernel[frozen] + inputs[:, ~columns] @ kernel[~frozen]


exercise = Exercise(
    product,
    judge,
    [
        "An output is a sum over the rows. Sum over the frozen ones, then over the free ones.",
        "Of the inputs, row i of the kernel meets column i.",
        "np.flatnonzero(frozen) has the numbers of the frozen rows.",
        "keras.ops.take(inputs, numbers, axis=1) picks these columns of the inputs.",
    ],
)
