"""Plausible attempts at the exercise of Transfer that fall short, and the hint that each gets."""

from helpers.device import keras


def is_convolution(layer):
    return isinstance(layer, keras.layers.Conv2D)


def the_label_of_the_base(base, count):
    base.trainable = True


def the_base_stays_labelled(base, count):
    for layer in [x for x in base.layers if is_convolution(x)][-count:]:
        layer.trainable = True


def the_last_layers(base, count):
    base.trainable = True
    for layer in base.layers[:-count]:
        layer.trainable = False


def the_first_ones(base, count):
    base.trainable = True
    convolutions = [x for x in base.layers if is_convolution(x)]
    for layer in base.layers:
        layer.trainable = any(layer is first for first in convolutions[:count])


def all_convolutions(base, count):
    base.trainable = True
    for layer in base.layers:
        layer.trainable = is_convolution(layer)


def only_normalisations_frozen(base, count):
    base.trainable = True
    first_thawed = [x for x in base.layers if is_convolution(x)][-count]
    for layer in base.layers[: base.layers.index(first_thawed)]:
        layer.trainable = False
    for layer in base.layers:
        if isinstance(layer, keras.layers.BatchNormalization):
            layer.trainable = False


MISTAKES = {
    the_label_of_the_base: "A normalisation moved",
    the_base_stays_labelled: "Nothing is left to train",
    the_last_layers: "Of 2 convolutions to thaw, 0 moved",
    the_first_ones: "Of 1 convolutions to thaw, 0 moved",
    all_convolutions: "An earlier convolution moved",
    only_normalisations_frozen: "A layer moved that is no convolution",
}
