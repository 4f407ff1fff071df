"""Plausible attempts at the exercise of Deliver an order, and the hint that each gets."""

import tensorflow as tf


def not_built(old, new, variables):
    assert old.built


def only_built(old, new, variables):
    new.build(variables)


def the_first_one_alone(old, new, variables):
    new.build(variables)
    new.freeze_cells(variables[0], old.frozen_cells(variables[0]))


def inverted(old, new, variables):
    new.build(variables)
    for variable in variables:
        new.freeze_cells(variable, ~old.frozen_cells(variable))


def everything(old, new, variables):
    new.build(variables)
    for variable in variables:
        new.freeze_cells(variable, tf.ones(variable.shape, bool))


def a_step_to_build_it(old, new, variables):
    new.apply([tf.ones_like(v) for v in variables], variables)
    for variable in variables:
        new.freeze_cells(variable, old.frozen_cells(variable))


def taken_from_the_old(old, new, variables):
    new.build(variables)
    for variable in variables:
        new.freeze_cells(variable, old.frozen_cells(variable))
        old.freeze_cells(variable, tf.zeros(variable.shape, bool))


MISTAKES = {
    not_built: "not built yet",
    only_built: "Variable 0 has no mask",
    the_first_one_alone: "Variable 1 has no mask",
    inverted: "The masks are inverted",
    everything: "The mask of variable 0 is another one",
    a_step_to_build_it: "It changed a weight",
    taken_from_the_old: "The old optimizer has lost a mask",
}
