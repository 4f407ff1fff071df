"""Plausible attempts at the exercise that fall short, and the hint that each gets."""

from helpers.device import tf


def the_wrong_way_round(variable, shadow, frozen, cells):
    shadow.assign(tf.where(frozen & cells, variable, shadow))
    return frozen & ~cells


def everything(variable, shadow, frozen, cells):
    variable.assign(shadow)
    return frozen & ~cells


def every_cell_that_is_named(variable, shadow, frozen, cells):
    variable.assign(tf.where(cells, shadow, variable))
    return frozen & ~cells


def by_arithmetic(variable, shadow, frozen, cells):
    mask = tf.cast(frozen & cells, tf.float32)
    variable.assign(mask * shadow + (1 - mask) * variable)
    return frozen & ~cells


def the_mask_alone(variable, shadow, frozen, cells):
    return frozen & ~cells


def the_thawed_cells(variable, shadow, frozen, cells):
    variable.assign(tf.where(frozen & cells, shadow, variable))
    return frozen & cells


def nothing_returned(variable, shadow, frozen, cells):
    variable.assign(tf.where(frozen & cells, shadow, variable))


MISTAKES = {
    the_wrong_way_round: "2 of 6 cells are seen",
    everything: "3 of 3 free cells changed",
    every_cell_that_is_named: "1 of 3 free cells changed",
    by_arithmetic: "2 of 6 cells are seen",
    the_mask_alone: "2 of 6 cells are seen",
    the_thawed_cells: "The mask is another one",
    nothing_returned: "It returned nothing",
}
