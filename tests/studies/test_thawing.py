"""A hidden layer is frozen, and thawed with three memories."""

import numpy as np
import pytest

from helpers.device import keras
from helpers.studies import thawing

MOMENTUM = {"learning_rate": 0.1, "momentum": 0.9}


@pytest.fixture
def run(monkeypatch):
    monkeypatch.setattr(thawing, "SEEDS", 2)
    return thawing._ThawedReader(thawing.freezable(keras.optimizers.SGD)(**MOMENTUM))


@pytest.mark.parametrize("memory", thawing.MEMORIES)
def test_the_kernel_is_held_and_then_moves(run, memory):
    run.train(run.upright, 5)
    run.freeze_kernel(memory)
    held = run.kernel.numpy()
    run.train(run.mirrored, 5)
    assert (run.kernel.numpy() == held).all()
    run.thaw_kernel(memory)
    run.train(run.mirrored, 1)
    assert (run.kernel.numpy() != held).any()


def test_each_memory_is_what_its_name_says(run):
    slots = {}
    for memory in thawing.MEMORIES:
        run.start(seed=0)
        run.train(run.upright, 5)
        old = run.optimizer.slots_of(run.kernel)["momentum"].numpy()
        run.freeze_kernel(memory)
        run.train(run.mirrored, 5)
        run.thaw_kernel(memory)
        slots[memory] = run.optimizer.slots_of(run.kernel)["momentum"].numpy()
        assert (slots[memory] == old).all() == (memory == "keep")
    assert not slots["reset"].any() and slots["restore"].any()


def test_a_seed_starts_afresh_whatever_ran_before_it(run):
    first, other, again = run("keep", 0), run("reset", 1), run("keep", 0)
    assert (first == again).all() and (first != other).any()
    assert first.shape == (thawing.BEFORE + thawing.AFTER,)


def test_until_the_thaw_all_memories_have_the_same_loss(run, monkeypatch):
    losses = thawing.compare_memories(keras.optimizers.SGD, **MOMENTUM)
    for memory in thawing.MEMORIES[1:]:
        until = thawing.BEFORE + 1  # the first loss after it is of the thawed weights, unmoved
        np.testing.assert_allclose(
            losses[memory][:, :until], losses["restore"][:, :until], rtol=1e-12
        )
