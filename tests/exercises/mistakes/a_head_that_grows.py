"""Plausible attempts at the exercise of A head that grows that fall short, and the hint that each
gets."""

import numpy as np


def _room(old_scores, new_scores):
    return old_scores.max(axis=1) - new_scores


def so_that_all_stay(old_scores, new_scores, share):
    return min(0.0, _room(old_scores, new_scores).min())


def between_two_pictures(old_scores, new_scores, share):
    return min(0.0, np.quantile(_room(old_scores, new_scores), 1 - share))


def strictly_below(old_scores, new_scores, share):
    room = _room(old_scores, new_scores)
    return max(at for at in [0.0, *room, room.min() - 1] if at <= 0 and (at < room).mean() >= share)


def against_the_mean(old_scores, new_scores, share):
    room = old_scores.mean(axis=1) - new_scores
    return max(at for at in [0.0, *room] if at <= 0 and (at <= room).mean() >= share)


def raised_where_there_is_room(old_scores, new_scores, share):
    room = _room(old_scores, new_scores)
    return max(at for at in room if (at <= room).mean() >= share)


def nothing_at_all(old_scores, new_scores, share):
    return 0.0


def in_place(old_scores, new_scores, share):
    old_scores -= new_scores[:, None]
    room = old_scores.max(axis=1)
    return max(at for at in [0.0, *room] if at <= 0 and (at <= room).mean() >= share)


MISTAKES = {
    so_that_all_stay: "-4 is further down",
    between_two_pictures: "-0.7 is further down",
    strictly_below: "argmax takes the first",
    against_the_mean: "-2.5 is further down",
    raised_where_there_is_room: "takes old answers away",
    nothing_at_all: "5 of 10 pictures keep their answer, and at least 60% were",
    in_place: "work on a copy",
}
