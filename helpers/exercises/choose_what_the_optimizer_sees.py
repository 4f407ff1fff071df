"""Choose what the optimizer sees: a step in which each group of variables has its optimizer."""

import numpy as np

from helpers.device import keras
from helpers.exercises.exercise import Exercise, expect

RATES = 0.25, 0.5
STEPS = 2


def step_by_group(gradients, variables, groups):
    """Hand each variable and its gradient to the optimizer of its group, in one call for each."""
    for optimizer, members in groups:
        pairs = zip(gradients, variables)
        own = [(g, v) for g, v in pairs if any(v is member for member in members)]
        optimizer.apply([g for g, _ in own], [v for _, v in own])


def judge(attempt):
    """Variables of one cell, which can be compared by value, and then of several."""
    judge_step(attempt, shape=(1,))
    judge_step(attempt, shape=(2,))
    return "Each went to its own optimizer, with its own gradient, and each optimizer counted once."


def judge_step(attempt, shape):
    """Four variables of one name and value: two groups, in another order, and one that is in
    none."""
    variables = [keras.Variable(np.ones(shape), name="kernel", dtype="float64") for _ in range(4)]
    first, second, third, _ = variables
    gradients = [keras.ops.full(shape, number, "float64") for number in (1, 2, 4, 8)]
    slow, fast = (keras.optimizers.SGD(rate) for rate in RATES)
    for optimizer in (slow, fast):
        optimizer.build(variables)
    groups = [(fast, [third, first]), (slow, [second])]
    before = [v.numpy() for v in variables]
    for _ in range(STEPS):
        step(attempt, gradients, variables, groups)
    moved = [old - v.numpy() for old, v in zip(before, variables)]

    expect(not moved[-1].any(), "A variable that is in no group has moved: ask by `is`.")
    waiting = sum(not each.any() for each in moved[:3])
    expect(not waiting, f"{waiting} of 3 variables that are in a group have not moved.")
    rates = RATES[1], RATES[0], RATES[1]
    hint = "A variable was moved by a gradient, or by an optimizer, that is not its own."
    for change, gradient, rate in zip(moved, gradients, rates):
        expect((change == STEPS * rate * keras.ops.convert_to_numpy(gradient)).all(), hint)
    counts = [int(optimizer.iterations) for optimizer in (slow, fast)]
    hint = "hand each optimizer all its variables in one call, for every call counts as a step."
    expect(counts == [STEPS, STEPS], f"In {STEPS} steps one has counted {max(counts)}: {hint}")


def step(attempt, gradients, variables, groups):
    """Let an attempt take a step; a comparison by value of several cells is named as such."""
    try:
        attempt(list(gradients), list(variables), list(groups))
    except ValueError as error:
        hint = "Variables were compared by == or `in`, cell by cell: ask whether one is the other."
        expect("truth value" not in str(error), hint)
        raise


exercise = Exercise(
    step_by_group,
    judge,
    [
        "Go through the groups. Which of the pairs of gradient and variable belong to this one?",
        "any(v is member for member in members) asks whether v is in a group.",
        "optimizer.apply(gradients, variables) takes two lists of the same order, and counts once.",
    ],
)
