"""What saves time and memory: thaw rows of a split layer, so that it computes the same, and trains
them as well."""

import numpy as np

from helpers.bits import changed_bits
from helpers.device import keras
from helpers.exercises.exercise import Exercise, expect
from helpers.model_trainer import ModelTrainer
from helpers.networks import mean_square
from helpers.studies.split import split_rows


def thaw(split, rows):
    """Join the parts, and split them again where they are still frozen."""
    layer = keras.layers.Dense(split.shape[1], split.activation, split.use_bias)
    layer.build((None, split.shape[0]))
    layer.set_weights([split.whole(), split.bias.numpy()] if split.use_bias else [split.whole()])
    return split_rows(layer, split.frozen & ~rows)


def judge(attempt):
    """Split layers with and without a bias; of the rows to train, one trains already."""
    frozen, rows = np.array([True, False, True, True, False]), np.arange(5) < 2
    for use_bias in (True, False):
        given = _layer(frozen, use_bias)
        before = given.whole()
        made = attempt(given, rows.copy())
        hint = "The layer that was given has changed: return a new one."
        expect((given.frozen == frozen).all(), hint)
        _judge_values(made, given, frozen & ~rows)
        expect(not changed_bits(before, given.whole()).any(), hint)
    return "It computes the same, trains what is thawed, and holds the rest."


def _layer(frozen, use_bias):
    layer = keras.layers.Dense(3, "tanh", use_bias, bias_initializer="random_normal")
    layer.build((None, len(frozen)))
    return split_rows(layer, frozen)


def _judge_values(made, given, still):
    expect(made is not None, "Return the new layer.")
    hint = "A split layer was wanted: a whole one has slots for frozen rows, too."
    expect(hasattr(made, "frozen") and hasattr(made, "whole"), hint)
    hint = "The kernel's values are not those that were there: join both parts, held and free."
    same = made.whole().shape == given.shape and not changed_bits(given.whole(), made.whole()).any()
    expect(same, hint)
    hint = "Rows that trained before are frozen now: what is free stays free."
    expect(not (made.frozen & ~given.frozen).any(), hint)
    expect(not (made.frozen & ~still).any(), "Rows that were to be thawed are still frozen.")
    expect((made.frozen == still).all(), "Too much trains: thaw only the rows that are named.")
    inputs = np.random.default_rng(0).normal(size=(8, len(still))).astype("float32")
    hint = "It computes something else: bias and activation belong to the layer as well."
    expect(np.allclose(made(inputs), given(inputs), atol=1e-5), hint)
    _judge_step(made, inputs, still)


def _judge_step(made, inputs, still):
    before = made.whole()
    ModelTrainer(made, keras.optimizers.SGD(0.1), mean_square).step(inputs, 0.0)
    moved = changed_bits(before, made.whole()).any(axis=1)
    expect((moved == ~still).all(), "After a step, not just the rows that are free have moved.")


exercise = Exercise(
    thaw,
    judge,
    [
        "There is a way from a Dense layer to a split one. Which way leads back?",
        "split.whole() is the kernel. Make a Dense layer of split.shape that holds it.",
        "Units, activation and use_bias are arguments of Dense; build it, then set_weights.",
        "split_rows(layer, split.frozen & ~rows) splits it again.",
    ],
)
