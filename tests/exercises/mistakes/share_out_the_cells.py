"""Plausible attempts at the exercise of Share out the cells that fall short, and the hint that
each gets."""

import numpy as np

from helpers import masks


def forgets_who_was_there(kernel, owner, task, share):
    return np.where(masks.largest(kernel, share), task, owner)


def the_mask_that_holds_all(kernel, owner, task, share):
    return np.where(masks.grow(owner > 0, np.abs(kernel), share), task, owner)


def the_wrong_way_round(kernel, owner, task, share):
    taken = masks.grow(owner == 0, np.abs(kernel), share)
    return np.where(taken & (owner != 0), task, owner)


def signed(kernel, owner, task, share):
    taken = masks.grow(owner > 0, kernel, share)
    return np.where(taken & (owner == 0), task, owner)


def the_smallest(kernel, owner, task, share):
    taken = masks.grow(owner > 0, -np.abs(kernel), share)
    return np.where(taken & (owner == 0), task, owner)


def a_share_of_all_cells(kernel, owner, task, share):
    free = np.flatnonzero(owner == 0)
    order = free[np.argsort(-np.abs(kernel).ravel()[free], kind="stable")]
    claimed = owner.copy()
    claimed.flat[order[: round(share * owner.size)]] = task
    return claimed


def in_place(kernel, owner, task, share):
    taken = masks.grow(owner > 0, np.abs(kernel), share)
    owner[taken & (owner == 0)] = task
    return owner


def a_mask(kernel, owner, task, share):
    return masks.grow(owner > 0, np.abs(kernel), share)


MISTAKES = {
    forgets_who_was_there: "only cells of owner 0 are free",
    the_mask_that_holds_all: "from task 1",
    the_wrong_way_round: "from task 1",
    signed: "positive weights only",
    the_smallest: "keep the largest",
    a_share_of_all_cells: "the share counts free cells",
    in_place: "return new ones",
    a_mask: "whole numbers",
}
