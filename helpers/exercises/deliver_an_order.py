"""Deliver an order: hand the masks of one optimizer over to another."""

import numpy as np

from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.exercises.exercise import Exercise, expect
from helpers.freezing import freezable

SHAPES = (3, 4), (4,)


def hand_over(old, new, variables):
    """Let a new optimizer freeze what the old one freezes."""
    new.build(variables)
    for variable in variables:
        new.freeze_cells(variable, old.frozen_cells(variable))


def judge(attempt):
    """Two variables with a mask each, and a new optimizer of another kind that takes steps."""
    draw = np.random.default_rng(0)
    variables = [keras.Variable(draw.normal(size=shape)) for shape in SHAPES]
    masks = [draw.random(shape) < 0.5 for shape in SHAPES]
    old = freezable(keras.optimizers.Adam)(0.1)
    old.build(variables)
    for variable, frozen in zip(variables, masks):
        old.freeze_cells(variable, frozen)
    new = freezable(keras.optimizers.AdamW)(0.1)
    before = [variable.numpy() for variable in variables]
    attempt(old, new, variables)
    moved = any(changed_bits(b, v.numpy()).any() for b, v in zip(before, variables))
    expect(not moved, "It changed a weight. Masks are handed over without a step.")
    expect(new.built, "The new optimizer is not built yet, so it has no place for a mask.")
    judge_masks(old, new, variables, masks)
    new.apply([tf.ones_like(v) for v in variables], variables)
    held = [changed_bits(b, v.numpy())[m] for b, v, m in zip(before, variables, masks)]
    expect(not np.concatenate(held).any(), "A frozen cell moved in the new optimizer's first step.")
    return "The new optimizer holds what the old one held, and steps the rest."


def judge_masks(old, new, variables, masks):
    """Compare the masks of both optimizers with what they were."""
    for number, (variable, frozen) in enumerate(zip(variables, masks)):
        kept = np.array_equal(old.frozen_cells(variable), frozen)
        expect(kept, "The old optimizer has lost a mask: only the new one is to be told.")
        found = new.frozen_cells(variable).numpy()
        expect(found.any(), f"Variable {number} has no mask in the new optimizer.")
        expect(not np.array_equal(found, ~frozen), "The masks are inverted: True means frozen.")
        expect(np.array_equal(found, frozen), f"The mask of variable {number} is another one.")


exercise = Exercise(
    hand_over,
    judge,
    [
        "old.frozen_cells(variable) returns a mask, new.freeze_cells(variable, frozen) takes one.",
        "An optimizer can take a mask once it is built: new.build(variables).",
        "One loop over all variables, with one line in it.",
    ],
)
