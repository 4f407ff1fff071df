"""Beat random: the cells to train, among those that can learn anything."""

import numpy as np

from helpers import masks
from helpers.exercises.exercise import Exercise, expect

EMPTY = [2, 5, 8]  # pixels in the judge's 200 pictures: the last has ink in two of them
RARE = 3  # a pixel with ink in five of them, which is more than 2 %
MANY = "{} cells are free, and it should be {}: "


def free_with_ink(scores, pictures, count):
    """Leave the highest scores free, of pixels with ink in more than 2 % of the pictures."""
    empty = (pictures > 0).mean(axis=0) <= 0.02
    ranked = scores.copy()
    ranked[empty] = -np.inf
    (frozen,) = masks.all_but_largest([ranked], count / scores.size)
    frozen[empty] = True
    return frozen


def judge(attempt):
    """Scores of both signs, the highest in empty and in rare pixels, and once all below 0."""
    draw = np.random.default_rng(0)
    pictures, scores = draw.uniform(0.5, 1, size=(200, 10)), draw.normal(size=(10, 10))
    pictures[:, EMPTY[:2]] = 0
    pictures[2:, EMPTY[2]] = 0
    pictures[5:, RARE] = 0
    scores[[*EMPTY, RARE]] += 5
    _judge_one(attempt, scores, pictures, 20)
    _judge_one(attempt, scores - 20, pictures, 20)
    _judge_one(attempt, scores, pictures, 90)
    return "The cells with the highest scores train, and no empty pixel has one."


def _judge_one(attempt, scores, pictures, count):
    given = scores.copy(), pictures.copy()
    frozen = np.asarray(attempt(*given, count))
    expect(frozen.shape == scores.shape, "Return a mask of the shape of the scores.")
    expect(frozen.dtype == bool, "Return a mask of truth values, True = frozen.")
    kept = np.array_equal(given[0], scores) and np.array_equal(given[1], pictures)
    expect(kept, "An array that was given to it has changed: work on a copy.")
    wanted = min(count, np.delete(scores, EMPTY, axis=0).size)
    free = int((~frozen).sum())
    hint = MANY.format(free, wanted)
    expect(free != scores.size - wanted, hint + "True means frozen.")
    wasted = int((~frozen[EMPTY]).sum())
    below = " Here all scores are below 0." if scores.max() < 0 else ""
    some = "" if (~frozen[EMPTY[:2]]).any() else " Row 8 has ink in 1 % of the pictures."
    expect(wasted == 0, f"{wasted} free cells have an empty pixel.{below}{some}")
    rare = "a pixel with ink in 5 of 200 pictures is not empty."
    expect(free == wanted or not frozen[RARE].all(), hint + rare)
    expect(free == wanted, hint + "leave out the empty pixels first, and choose then.")
    expect(not frozen[RARE].all(), f"Row {RARE} has high scores: {rare}")
    lit = np.delete(np.arange(len(scores)), EMPTY)
    chosen, left = scores[lit][~frozen[lit]], scores[lit][frozen[lit]]
    highest = not left.size or chosen.min() >= left.max()
    expect(highest, "A frozen cell has a higher score than one that is free.")


exercise = Exercise(
    free_with_ink,
    judge,
    [
        "(pictures > 0).mean(axis=0) says of each pixel in what share of the pictures it has ink.",
        "No cell of an empty pixel may be chosen: score it below all others, such as -np.inf.",
        "masks.all_but_largest([scores], share) takes a list, and returns as many masks.",
        "Where count is larger than what has ink, freeze the rows of empty pixels at the end.",
    ],
)
