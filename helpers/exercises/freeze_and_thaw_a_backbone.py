"""Freeze and thaw a backbone: thaw all but its normalisations, for a fit at another rate."""

import numpy as np

from helpers.bits import changed_bits
from helpers.datasets import digits
from helpers.device import keras
from helpers.exercises.exercise import Exercise, NotYet, expect

LAYERS = keras.layers
RATE = 0.002


def thaw(model, rate):
    """Thaw the backbone first and freeze its normalisations again; then compile anew."""
    backbone = model.get_layer("backbone")
    backbone.trainable = True
    for layer in backbone.layers:
        if isinstance(layer, keras.layers.BatchNormalization):
            layer.trainable = False
    model.compile(keras.optimizers.Adam(rate), model.loss)


def judge(attempt):
    """Try a functional model and a sequential one, in which the backbone has other numbers."""
    for build in (functional, sequential):
        model = build()
        model.get_layer("backbone").trainable = False
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(keras.optimizers.Adam(0.01), loss)
        fit(model)
        attempt(model, RATE)
        judge_fit(model)
    return "Convolutions and head trained on, and no bit of a normalisation changed."


def judge_fit(model):
    """Fit once more, and see which layers moved."""
    backbone, head = model.get_layer("backbone"), model.get_layer("head")
    before = [(layer, layer.get_weights()) for layer in (*backbone.layers, head) if layer.weights]
    _fit_with_what_it_has(model)
    moved = {layer.name for layer, old in before if _changed(old, layer.get_weights())}
    convolutions = {layer.name for layer, _ in before if "conv" in layer.name}
    norms = {layer.name for layer, _ in before if "norm" in layer.name}
    expect("head" in moved, "The head did not move.")
    expect(
        not norms & moved,
        "A BatchNormalization moved: the flag of the backbone sets all flags inside, so set "
        "theirs after it.",
    )
    expect(
        convolutions <= moved or not all(backbone.get_layer(c).trainable for c in convolutions),
        "The flags are right, and nobody read them: compile.",
    )
    expect(convolutions <= moved, "A convolution of the backbone is still frozen.")
    found = float(model.optimizer.learning_rate)
    expect(np.isclose(found, RATE), "It trains, but not at the rate that was asked for.")


def _fit_with_what_it_has(model):
    try:
        fit(model)
    except ValueError as error:
        if "Unknown variable" not in str(error):
            raise
        hint = "The optimizer was built for the head alone, and knows no other variable."
        raise NotYet(f"{hint} Make a new one.") from None


def _changed(before, after):
    return any(changed_bits(old, new).any() for old, new in zip(before, after))


def fit(model):
    """Four steps, always with batches of the same shape."""
    images, labels = digits()
    model.fit(images[:128].reshape(-1, 8, 8, 1), labels[:128], batch_size=32, verbose=0)


def backbone(blocks):
    """Return so many convolutions, each with its normalisation."""
    maps = pixels = keras.Input((8, 8, 1))
    for block in range(blocks):
        maps = LAYERS.Conv2D(4, 3, activation="relu", name=f"conv_{block}")(maps)
        maps = LAYERS.BatchNormalization(name=f"norm_{block}")(maps)
    return keras.Model(pixels, maps, name="backbone")


def functional():
    """Layers: the input, the backbone, flat, head."""
    picture = keras.Input((8, 8, 1))
    flat = LAYERS.Flatten()(backbone(1)(picture))
    return keras.Model(picture, LAYERS.Dense(10, name="head")(flat))


def sequential():
    """Layers: the backbone, flat, head."""
    head = LAYERS.Dense(10, name="head")
    return keras.Sequential([keras.Input((8, 8, 1)), backbone(2), LAYERS.Flatten(), head])


exercise = Exercise(
    thaw,
    judge,
    [
        "Three things: the flags, in the right order, an optimizer, and something that reads both.",
        "isinstance(layer, keras.layers.BatchNormalization) finds them in backbone.layers.",
        "compile(keras.optimizers.Adam(rate), model.loss) comes last.",
    ],
)
