"""Notebook 02: freeze a model inside a model that has been fitted before, statistics included."""

from helpers.bits import changed_bits
from helpers.datasets import digits
from helpers.device import keras
from helpers.exercises.exercise import Exercise, expect

LAYERS = keras.layers
STATISTICS = ("moving_mean", "moving_variance")


def freeze_backbone(model):
    """Freeze the inner model, and have the next fit look at the flags anew."""
    model.get_layer("backbone").trainable = False
    model.make_train_function(force=True)


def judge(attempt):
    """Return a functional model and a sequential one, in which the backbone has other numbers."""
    for build in (functional, sequential):
        model = build()
        model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
        fit(model)
        attempt(model)
        judge_fit(model)
    return "After the next fit every bit of the backbone was the same, and the head had moved."


def judge_fit(model):
    """Fit once more, and see which weights moved."""
    backbone, head = model.get_layer("backbone"), model.get_layer("head")
    expect(head.trainable, "The head is frozen, too. Is the backbone one of the layers, or ten?")
    missed = any(v.trainable for v in backbone.trainable_variables)
    expect(not missed, "The flag missed the backbone in one model: ask for it by its name.")
    before = [(weight, weight.numpy()) for weight in backbone.weights + head.weights]
    fit(model)
    moved = [w for w, old in before if changed_bits(old, w.numpy()).any()]
    inside = {w.name for w in moved if any(w is other for other in backbone.weights)}
    expect(not inside - set(STATISTICS), "The flags are right, and nobody read them: compile.")
    expect(not inside, "Its moving statistics moved: they ask the layer's flag, not a variable's.")
    expect(all(any(w is m for m in moved) for w in head.weights), "The head did not move.")


def fit(model):
    """Four steps, always with batches of the same shape."""
    images, labels = digits()
    model.fit(images[:128].reshape(-1, 8, 8, 1), labels[:128], batch_size=32, verbose=0)


def backbone():
    """Return a convolution and its normalisation."""
    pixels = keras.Input((8, 8, 1))
    maps = LAYERS.Conv2D(4, 3, activation="relu")(pixels)
    return keras.Model(pixels, LAYERS.BatchNormalization()(maps), name="backbone")


def functional():
    """Layers: the input, the backbone, flat, head."""
    picture = keras.Input((8, 8, 1))
    flat = LAYERS.Flatten()(backbone()(picture))
    return keras.Model(picture, LAYERS.Dense(10, name="head")(flat))


def sequential():
    """Layers: the backbone, flat, head."""
    head = LAYERS.Dense(10, name="head")
    return keras.Sequential([keras.Input((8, 8, 1)), backbone(), LAYERS.Flatten(), head])


exercise = Exercise(
    freeze_backbone,
    judge,
    [
        "Two things are needed: a flag, and something that reads it.",
        "model.get_layer finds the backbone wherever it stands; set the flag of all of it.",
        "The graph of the former fit goes with model.make_train_function(force=True), or compile.",
    ],
)
