"""A head that grows: how far the new column's bias has to come down, so that old answers stay."""

import numpy as np

from helpers.exercises.exercise import Exercise, expect

# Of ten pictures: by how much the best old score is above the new one. All are exact in binary.
ROOM = np.array([-4.0, -2.5, -2.5, -1.0, -0.5, 0.5, 1.0, 3.0, 3.0, 6.0])


def bias_to_add(old_scores, new_scores, share):
    """Return the largest number, 0 at most, to add to the new scores, so that at least this share
    of the pictures keeps its old answer."""
    room = old_scores.max(axis=1) - new_scores
    enough = [at for at in [0.0, *room] if at <= 0 and np.mean(at <= room) >= share]
    return max(enough)


def judge(attempt):
    """Ask for shares between the least and all, and once where every answer stays as it is."""
    for share in (0.5, 0.6, 0.65, 0.9, 1.0):
        _judge_one(attempt, ROOM, share)
    _judge_one(attempt, ROOM[5:], 1.0)
    return "The bias comes down as far as it must, and no further."


def _judge_one(attempt, room, share):
    old, new = _scores(room)
    given = old.copy(), new.copy()
    added = float(attempt(*given, share))
    kept = np.array_equal(given[0], old) and np.array_equal(given[1], new)
    expect(kept, "The scores that were given to it have changed: work on a copy.")
    of = f"of {len(room)} pictures"
    expect(added <= 0, f"It adds {added:g}: a bias that is raised takes old answers away.")
    wanted = bias_to_add(old, new, share)
    stay, needed = int((added <= room).sum()), int((wanted <= room).sum())
    few = f"{stay} {of} keep their answer, and at least {share:.0%} were asked for."
    expect(stay >= needed, f"{few} The old answer is the largest of the old scores.")
    equal = "Of equal scores argmax takes the first, so the old one still wins."
    far = f"{wanted:g} is enough for {share:.0%} {of}, and {added:g} is further down."
    expect(added == wanted, f"{far} {equal}")


def _scores(room):
    """Return scores of five old classes, the best of which is this much above the new one's."""
    new = np.arange(len(room)) / 4
    others = [new + room - below for below in (8.0, 0.0, 2.0, 4.0, 1.0)]
    return np.stack(others, axis=1), new


exercise = Exercise(
    bias_to_add,
    judge,
    [
        "By how much may the new score of a picture rise before it is the largest of the six?",
        "room = old_scores.max(axis=1) - new_scores says so; below 0 the old answer is lost.",
        "After b is added, those pictures keep their answer for which b <= room.",
        "The only numbers worth trying are 0 and those in room that are below 0.",
    ],
)
