"""Freeze a layer: freeze all but one layer of a model that has been fitted, averages included."""

from helpers.bits import changed_bits
from helpers.datasets import digits
from helpers.device import keras
from helpers.exercises.exercise import Exercise, expect

LAYERS = keras.layers
AVERAGES = {"moving_mean", "moving_variance"}


def freeze_all_but_head(model):
    """Set the flag of every layer, and have the next fit look at the flags anew."""
    for layer in model.layers:
        layer.trainable = layer.name == "head"
    model.compile(model.optimizer, model.loss)


def judge(attempt):
    """Try a model whose head is the last layer, and one in which something comes after it."""
    for build in (sequential, functional):
        model = build()
        model.compile(keras.optimizers.Adam(0.01), keras.losses.SparseCategoricalCrossentropy())
        fit(model)
        optimizer = model.optimizer
        attempt(model)
        expect(model.trainable, "The model's own flag is False, and then nothing in it trains.")
        expect(model.optimizer is optimizer, "It is another optimizer: give compile the old one.")
        judge_fit(model)
    return "After the next fit only the head had moved, in both models."


def judge_fit(model):
    """Fit once more, and see which weights moved."""
    head = model.get_layer("head")
    expect(head.trainable, "The head is frozen, too. Is it always the last layer?")
    before = [(weight, weight.numpy()) for weight in model.weights]
    fit(model)
    moved = [weight for weight, old in before if changed_bits(old, weight.numpy()).any()]
    others = {w.name for w in moved if not any(w is own for own in head.weights)}
    flags = [v.trainable for layer in model.layers if layer is not head for v in layer.weights]
    expect(not others or not any(flags), "Some layers beside the head still have the flag True.")
    expect(not others - AVERAGES, "The flags are right, and nobody read them: compile.")
    expect(not others, "The averages moved: they ask the layer's flag, not a variable's.")
    expect(moved, "The head did not move.")


def fit(model):
    """Four steps, always with batches of the same shape."""
    images, labels = digits()
    model.fit(images[:128], labels[:128], batch_size=32, verbose=0)


def sequential():
    """Layers: hidden, norm, head."""
    norm = LAYERS.BatchNormalization(name="norm")
    head = LAYERS.Dense(10, activation="softmax", name="head")
    return keras.Sequential([keras.Input((64,)), LAYERS.Dense(8, name="hidden"), norm, head])


def functional():
    """Layers: the input, hidden, norm, head, and one that turns its outputs into shares."""
    pixels = keras.Input((64,))
    normal = LAYERS.BatchNormalization(name="norm")(LAYERS.Dense(8, name="hidden")(pixels))
    scores = LAYERS.Dense(10, name="head")(normal)
    return keras.Model(pixels, LAYERS.Softmax(name="shares")(scores))


exercise = Exercise(
    freeze_all_but_head,
    judge,
    [
        "Go through model.layers. A layer's name says whether it is the head.",
        "Which flag stops the averages of a BatchNormalization: the layer's, or a variable's?",
        "compile(model.optimizer, model.loss) has the next fit read the flags, and keeps both.",
    ],
)
