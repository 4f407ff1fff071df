"""Plausible attempts at the exercise of Freeze a variable that fall short, and the hint that each
gets."""

import copy

from helpers.device import keras


def nothing_but_a_clone(model):
    return keras.models.clone_model(model)


def with_weights(model):
    clone = keras.models.clone_model(model)
    clone.set_weights(model.get_weights())
    return clone


def without_weights(model):
    clone = keras.models.clone_model(model)
    for new, old in zip(clone.weights, model.weights):
        new.trainable = old.trainable
    return clone


def labelled_by_layer(model):
    clone = with_weights(model)
    for new, old in zip(clone.layers, model.layers):
        new.trainable = old.trainable
    return clone


def labelled_by_name(model):
    clone = with_weights(model)
    labels = {v.name: v.trainable for v in model.weights}
    for variable in clone.weights:
        variable.trainable = labels[variable.name]
    return clone


def frozen_by_name(model):
    clone = with_weights(model)
    frozen = {v.name for v in model.weights if not v.trainable}
    for variable in clone.weights:
        variable.trainable = variable.name not in frozen
    return clone


def copied_deeply(model):
    return copy.deepcopy(model)


def the_same_variables(model):
    return keras.Sequential(model.layers)


MISTAKES = {
    nothing_but_a_clone: "hold other weights",
    with_weights: "is lost",
    without_weights: "hold other weights",
    labelled_by_layer: "is lost",
    labelled_by_name: "is lost",
    frozen_by_name: "several variables share a name",
    copied_deeply: "is lost",
    the_same_variables: "training one trains the other",
}
