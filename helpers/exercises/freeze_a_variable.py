"""Freeze a variable: a copy of a model that keeps the flag of every variable."""

import numpy as np

from helpers.bits import changed_bits
from helpers.device import keras
from helpers.exercises.exercise import Exercise, expect


def clone_with_flags(model):
    """Copy a model with its weights, and set the flag of every variable as the original's is."""
    clone = keras.models.clone_model(model)
    clone.set_weights(model.get_weights())
    for new, old in zip(clone.weights, model.weights):
        new.trainable = old.trainable
    return clone


def flagged_model():
    """Return a model with statistics, one frozen layer, and three flags that layers know nothing
    of."""
    Dense, Norm = keras.layers.Dense, keras.layers.BatchNormalization
    layers = [Dense(4, name="first"), Norm(name="norm"), Dense(4, name="last", trainable=False)]
    model = keras.Sequential([keras.layers.Input((4,)), *layers, Dense(2, name="out")])
    random = np.random.default_rng(0)
    model.set_weights([random.uniform(0.5, 1, v.shape) for v in model.weights])
    first, norm, _, out = model.layers
    first.kernel.trainable = norm.gamma.trainable = out.bias.trainable = False
    return model


def judge(attempt):
    """Weights by bits, flags one by one, and no variable shared."""
    model = flagged_model()
    flags = [v.trainable for v in model.weights]
    clone = attempt(model)
    expect(isinstance(clone, keras.Model), "Return the copy, a Keras model.")
    variables = clone.weights
    shared = sum(any(new is old for old in model.weights) for new in variables)
    expect(not shared, f"{shared} variables are the original's: training one trains the other.")
    expect(len(variables) == len(flags), "The copy has another number of variables.")
    pairs = list(zip(variables, model.weights))
    others = sum(changed_bits(new.numpy(), old.numpy()).any() for new, old in pairs)
    expect(not others, f"{others} of {len(flags)} variables hold other weights.")
    expect([v.trainable for v in model.weights] == flags, "The original's flags have changed.")
    lost = [old.path for new, old in pairs if new.trainable and not old.trainable]
    hint = "the copy keeps the flags of layers, so that of each variable must be set again."
    expect(not lost, f"The flag of {', '.join(lost)} is lost: {hint}")
    gained = [old.path for new, old in pairs if old.trainable and not new.trainable]
    expect(not gained, f"{', '.join(gained)} should train: several variables share a name.")
    return "Its weights are the same to the bit, and so is the flag of every variable."


exercise = Exercise(
    clone_with_flags,
    judge,
    [
        "Three things have to be copied: the structure, the weights, the flags.",
        "keras.models.clone_model copies the first, get_weights and set_weights the second.",
        "model.weights lists the variables of both models in the same order: zip them.",
    ],
)
