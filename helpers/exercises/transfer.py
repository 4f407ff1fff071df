"""Transfer: thaw the last convolutions of a frozen base, and no normalisation with them."""

import numpy as np

from helpers.bits import changed_bits
from helpers.device import keras
from helpers.exercises.exercise import Exercise, expect
from helpers.model_trainer import ModelTrainer
from helpers.networks import mean_square

LAYERS = keras.layers


def thaw_last(base, count):
    """Thaw the last convolutions of a frozen base, and nothing else."""
    convolutions = [x for x in base.layers if isinstance(x, keras.layers.Conv2D)]
    base.trainable = True
    thawed = convolutions[len(convolutions) - count :]  # count may be 0
    for layer in base.layers:
        layer.trainable = any(layer is last for last in thawed)


def judge(attempt):
    """Try a functional base and a sequential one, in which the last layer is no convolution."""
    for build, count in ((functional, 1), (sequential, 2)):
        base = build()
        base.trainable = False
        attempt(base, count)
        judge_step(base, count)
    return "The last convolutions moved, and not a bit of anything else."


def judge_step(base, count):
    """Take a step with what is trainable, and see which layers moved."""
    expect(base.trainable_variables, "Nothing is left to train: thaw the base itself, too.")
    named = {layer.name: layer for layer in base.layers}
    before = {name: layer.get_weights() for name, layer in named.items()}
    step(base)
    moved = {name for name, old in before.items() if differs(old, named[name].get_weights())}
    wanted = {"third"} if count == 1 else {"second", "third"}
    hint = "A normalisation moved: it is thawed as long as its own flag says so."
    expect(not any(name.startswith("norm") for name in moved), hint)
    convolutions = {name for name in moved if not name.startswith("dense")}
    expect(wanted <= moved, f"Of {count} convolutions to thaw, {len(wanted & moved)} moved.")
    expect(convolutions == wanted, "An earlier convolution moved: only the last ones are meant.")
    expect(moved == wanted, "A layer moved that is no convolution.")


def step(base):
    """One step of plain descent on what is trainable, in training mode."""
    pictures = np.random.default_rng(0).random((8, 6, 6, 1), "float32")
    ModelTrainer(base, keras.optimizers.SGD(0.1), mean_square).step(pictures, 1.0)


def differs(before, after):
    """Return whether any array of a layer has changed."""
    return any(changed_bits(old, new).any() for old, new in zip(before, after, strict=True))


def convolution(name):
    """Return a convolution that keeps rows and columns; no ReLU, so that every kernel gets a
    gradient."""
    return LAYERS.Conv2D(2, 3, padding="same", name=name)


def functional():
    """Layers: the input, three convolutions, each but the last with a normalisation."""
    pixels = outputs = keras.Input((6, 6, 1))
    for name in ("first", "second"):
        outputs = LAYERS.BatchNormalization(name=f"norm_{name}")(convolution(name)(outputs))
    return keras.Model(pixels, convolution("third")(outputs))


def sequential():
    """Layers: three convolutions, a normalisation after each, and a dense layer on top."""
    base = keras.Sequential([keras.Input((6, 6, 1))])
    for name in ("first", "second", "third"):
        base.add(convolution(name))
        base.add(LAYERS.BatchNormalization(name=f"norm_{name}"))
    base.add(LAYERS.Flatten(name="flat"))
    base.add(LAYERS.Dense(3, name="dense"))
    return base


exercise = Exercise(
    thaw_last,
    judge,
    [
        "Which layers are convolutions? isinstance(layer, keras.layers.Conv2D) knows.",
        "base.trainable = True thaws everything below it. Which flags are to be changed then?",
        "Give every layer its flag: True for the last convolutions, False for all others.",
    ],
)
