"""Plausible attempts at the exercise of *What saves time and memory*, and the hint each gets."""

from helpers.device import keras
from helpers.studies.split import split_rows


def _joined(split, activation=None, use_bias=None):
    use_bias = split.use_bias if use_bias is None else use_bias
    layer = keras.layers.Dense(split.shape[1], activation or split.activation, use_bias)
    layer.build((None, split.shape[0]))
    layer.kernel.assign(split.whole())
    if use_bias and split.use_bias:
        layer.bias.assign(split.bias)
    return layer


def only_the_named_rows_train(split, rows):
    return split_rows(_joined(split), ~rows)


def freezes_the_named_rows(split, rows):
    return split_rows(_joined(split), split.frozen & rows)


def freezes_them_besides(split, rows):
    return split_rows(_joined(split), split.frozen | rows)


def thaws_everything(split, rows):
    return split_rows(_joined(split), split.frozen & False)


def fresh_values(split, rows):
    layer = keras.layers.Dense(split.shape[1], split.activation, split.use_bias)
    layer.build((None, split.shape[0]))
    return split_rows(layer, split.frozen & ~rows)


def forgets_the_activation(split, rows):
    return split_rows(_joined(split, activation="linear"), split.frozen & ~rows)


def forgets_the_bias(split, rows):
    return split_rows(_joined(split, use_bias=False), split.frozen & ~rows)


def a_whole_layer(split, rows):
    return _joined(split)


def changes_the_mask_alone(split, rows):
    split.frozen = split.frozen & ~rows
    return split


MISTAKES = {
    only_the_named_rows_train: "trained before are frozen now",
    freezes_the_named_rows: "still frozen",
    freezes_them_besides: "trained before are frozen now",
    thaws_everything: "Too much trains",
    fresh_values: "join both parts",
    forgets_the_activation: "bias and activation",
    forgets_the_bias: "bias and activation",
    a_whole_layer: "A split layer was wanted",
    changes_the_mask_alone: "return a new one",
}
