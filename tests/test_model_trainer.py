"""The one trainer of a model: each technique holds, and its steps are those of a plain loop."""

import numpy as np
import pytest

from helpers import datasets, masks, networks
from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.freezing import freezable
from helpers.model_trainer import ModelTrainer
from helpers.techniques import TECHNIQUES

(IMAGES, LABELS), _ = datasets.digits_split()
BATCH = IMAGES[:64], LABELS[:64]
TWO_STEPS = 2


def network(**options):
    return networks.dense(0, (16,), **options)


def trained(model, optimizer, frozen=None, **options):
    """The arrays of a model after two steps."""
    trainer = ModelTrainer(model, optimizer, **options)
    if frozen:
        trainer.freeze(frozen)
    for _ in range(TWO_STEPS):
        trainer.step(*BATCH)
    return model.get_weights()


SGD = keras.optimizers.SGD
KINDS = [(name, SGD) for name in sorted(set(TECHNIQUES) - {"free_values", "none", "exact"})]
KINDS += [("exact", freezable(SGD)), ("exact", freezable(SGD, compact=True))]


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_each_technique_holds_the_frozen_cells_of_every_variable(name, kind):
    model, optimizer = network(), kind(0.1)
    before = model.get_weights()
    frozen = [masks.random(w.shape, 0.5, seed=n) for n, w in enumerate(before)]
    after = trained(model, optimizer, frozen, technique=TECHNIQUES[name])
    for old, new, mask in zip(before, after, frozen, strict=True):
        assert not changed_bits(old, new)[mask].any() and changed_bits(old, new)[~mask].any()


def test_a_model_is_shown_a_frozen_cell_as_it_was_at_its_own_freeze():
    decaying = keras.optimizers.AdamW(0.1, weight_decay=0.5)
    trainer = ModelTrainer(network(), decaying, technique=TECHNIQUES["shadow_copy"])
    kernel, nothing = trainer.variables[0], [np.zeros(v.shape, bool) for v in trainer.variables]
    first = kernel.numpy()
    for rows in (32, 64):
        nothing[0][:rows] = True
        trainer.freeze(nothing)
        at_freeze = kernel.numpy()
        trainer.step(*BATCH)
    copy = trainer._shadows[0].numpy()
    assert not changed_bits(first[:32], copy[:32]).any()
    assert not changed_bits(at_freeze[32:], copy[32:]).any()
    assert changed_bits(first, at_freeze).any(axis=1)[:32].any()


def test_steps_are_those_of_a_loop_of_ones_own_and_normalisation_remembers_its_batches():
    model, optimizer = network(normalised=True), keras.optimizers.Adam(0.01)
    optimizer.build(model.trainable_variables)
    for _ in range(TWO_STEPS):
        with tf.GradientTape() as tape:
            logits = model(BATCH[0], training=True)
            loss = networks.cross_entropy(BATCH[1], logits)
        slope = tape.gradient(loss, model.trainable_variables)
        optimizer.apply(slope, model.trainable_variables)
    found = trained(network(normalised=True), keras.optimizers.Adam(0.01))
    assert not any(changed_bits(*pair).any() for pair in zip(model.get_weights(), found))


def test_steps_in_a_graph_see_their_number():
    trainer, seen = ModelTrainer(network(), SGD(0.1)), tf.Variable([0, 0, 0])

    @tf.function
    def run(count):
        def batch(number):
            seen.scatter_nd_update([[number]], [number + 1])
            return BATCH

        trainer.steps(batch, count)

    run(tf.constant(2))
    assert seen.numpy().tolist() == [1, 2, 0]


def test_a_technique_that_trains_another_variable_is_refused():
    with pytest.raises(ValueError, match="another variable.*'restore'"):
        ModelTrainer(network(), SGD(), technique=TECHNIQUES["free_values"])


@pytest.mark.parametrize("technique", ["restore", "exact"])
def test_too_few_masks_are_refused_with_the_names_of_the_variables(technique):
    trainer = ModelTrainer(network(), freezable(SGD)(0.1), technique=TECHNIQUES[technique])
    mask = np.ones(trainer.variables[0].shape, bool)
    with pytest.raises(ValueError, match=r"1 masks arrived; one for each of \d+ .*kernel.*bias"):
        trainer.freeze([mask])
    assert not any(held.numpy().any() for held in trainer.frozen)


@pytest.mark.parametrize(("name", "moves"), [("shadow_copy", False), ("where_gradient", True)])
def test_what_the_model_computes_with_is_told(name, moves):
    decaying = keras.optimizers.AdamW(0.1, weight_decay=0.5)
    trainer = ModelTrainer(network(), decaying, technique=TECHNIQUES[name])
    trainer.freeze([np.ones(v.shape, bool) for v in trainer.variables])
    before = trainer.seen()
    trainer.step(*BATCH)
    assert changed_bits(before[0], trainer.seen()[0]).any() == moves
