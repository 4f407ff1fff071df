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
        assert (slots[memory] == old).all() == (memory == "old")
    assert not slots["empty"].any() and slots["up to date"].any()


def test_a_seed_starts_afresh_whatever_ran_before_it(run):
    first, other, again = run("old", 0), run("empty", 1), run("old", 0)
    assert (first == again).all() and (first != other).any()
    assert first.shape == (thawing.AFTER + 1,)


def test_at_the_thaw_all_memories_have_the_same_loss_and_then_others(run):
    losses = [run(memory, 0) for memory in thawing.MEMORIES]
    np.testing.assert_allclose([each[0] for each in losses], losses[0][0], rtol=1e-12)
    assert len({each[-1] for each in losses}) == len(thawing.MEMORIES)


def test_what_is_told_is_the_last_loss_of_each_seed(run):
    told = thawing.losses_after(keras.optimizers.SGD, **MOMENTUM)
    for memory, losses in told.items():
        np.testing.assert_allclose(losses, [run(memory, seed)[-1] for seed in range(2)], rtol=1e-12)
