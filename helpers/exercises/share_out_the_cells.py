"""Share out the cells: a task takes its cells among those that no earlier task has."""

import numpy as np

from helpers import masks
from helpers.exercises.exercise import Exercise, expect


def claim(kernel, owner, task, share):
    """Give a task the share of the free cells (owner 0) with the largest magnitudes."""
    taken = masks.grow(owner > 0, np.abs(kernel), share)
    return np.where(taken & (owner == 0), task, owner)


def judge(attempt):
    """Task 1 has 40 of 100 cells, large ones among them; task 2 asks for half, 3 for the rest."""
    kernel = np.random.default_rng(0).normal(size=(10, 10))
    given = np.zeros((10, 10), int)
    given.flat[np.argsort(-np.abs(kernel), axis=None)[20:60]] = 1
    owner = given.copy()
    second = np.asarray(attempt(kernel.copy(), owner, 2, 0.5))
    expect(np.array_equal(owner, given), "The owners that arrived were changed: return new ones.")
    expect(second.shape == (10, 10), "Return one owner for each cell of the kernel.")
    expect(second.dtype.kind == "i", "Return whole numbers: 0 for free, else the task's.")
    _judge_cells(kernel, given, second)
    third = np.asarray(attempt(kernel.copy(), second.copy(), 3, 1.0))
    counts = np.bincount(third.ravel(), minlength=4).tolist()
    expect(counts == [0, 40, 30, 30], "Task 3 asked for all that was free, and got something else.")
    return "Every task has its cells, and none took another's."


def _judge_cells(kernel, given, second):
    taken = second == 2
    robbed = int((taken & (given == 1)).sum())
    expect(robbed == 0, f"Task 2 took {robbed} cells from task 1: only cells of owner 0 are free.")
    expect((second[given == 1] == 1).all(), "Task 1 no longer has its cells.")
    expect(taken.sum() != 50, "Task 2 took 50 cells: the share counts free cells, of which 60 are.")
    expect(taken.sum() == 30, f"Task 2 took {taken.sum()} cells; half of 60 free ones were wanted.")
    size = np.abs(kernel)
    expect(not (kernel[taken] > 0).all(), "Task 2 took positive weights only: -3 is larger than 2.")
    largest = size[taken].min() > size[second == 0].max()
    expect(largest, "A free cell is larger than one that task 2 took: keep the largest.")


exercise = Exercise(
    claim,
    judge,
    [
        "Which cells may the task choose from? Those whose owner is 0.",
        "masks.grow(frozen, scores, fraction) freezes a share of what is free, and nothing else.",
        "What is frozen before is owner > 0. What is frozen after holds the new cells, too.",
        "np.where(new, task, owner), with new True where it is frozen after and was free before.",
    ],
)
