"""A hidden layer is frozen, and thawed with three memories, or never."""

import itertools

import numpy as np
import pytest

from helpers.device import keras
from helpers.studies import thawing

MOMENTUM = {"learning_rate": 0.1, "momentum": 0.9}


@pytest.fixture
def run(monkeypatch):
    for name, fewer in [("SEEDS", 2), ("FROZEN", 5), ("AFTER", 4)]:
        monkeypatch.setattr(thawing, name, fewer)
    return thawing.ThawedReader(keras.optimizers.SGD, **MOMENTUM)


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


def test_never_frozen_trains_in_all_steps(run):
    run.until_thawed("never frozen", 5, 0)
    found = run.kernel.numpy()
    run.start(seed=0)
    run.train(run.upright, 5)
    run.train(run.mirrored, 5)
    assert (run.kernel.numpy() == found).all()


def test_a_seed_starts_afresh_whatever_ran_before_it(run):
    first = run.losses(5, [1])
    run.losses(7, [1])
    again = run.losses(5, [1], memories=["old"])
    assert (first["old"] == again["old"]).all() and (first["old"] != first["empty"]).all()


def test_each_rate_goes_on_from_the_thaw(run):
    together = run.losses(5, [0.5, 1, 2])["old"]
    alone = [run.losses(5, [factor], memories=["old"])["old"] for factor in (0.5, 1, 2)]
    assert (together == np.hstack(alone)).all()
    assert len(set(together[0])) == 3


def test_at_the_thaw_all_memories_have_the_same_loss_and_then_others(run):
    at_the_thaw, later = [], []
    for memory in thawing.MEMORIES:
        run.until_thawed(memory, 5, 0)
        at_the_thaw.append(run.held_out_loss())
        later.append(run.losses(5, [1], memories=[memory])[memory][0, 0])
    np.testing.assert_allclose(at_the_thaw, at_the_thaw[0], rtol=1e-12)
    assert len(set(later)) == len(thawing.MEMORIES)


def test_pictures_are_mirrored_left_to_right_and_none_that_is_tested_is_trained_on(run):
    upright, mirrored = run.upright.numpy(), run.mirrored.numpy()
    assert (mirrored.reshape(-1, 8, 8)[:, :, ::-1].reshape(-1, 64) == upright).all()
    assert not {each.tobytes() for each in run._held_out.numpy()} & {m.tobytes() for m in mirrored}


def test_there_is_a_loss_for_each_memory_seed_and_rate(run):
    told = run.losses(5, [1, 2, 3])
    assert tuple(told) == (*thawing.MEMORIES, thawing.NEVER)
    assert all(losses.shape == (2, 3) for losses in told.values())
    assert len({loss for losses in told.values() for loss in losses.flat}) == 4 * 2 * 3


def test_the_freeze_begins_when_it_is_told_to_with_the_memories_that_are_wanted(run):
    wanted = ("empty", "old")
    told = run.losses(7, [1], memories=wanted)
    assert tuple(told) == wanted
    for memory, seed in itertools.product(wanted, range(2)):
        run.start(seed)
        run.train(run.upright, 7)
        run.freeze_kernel(memory)
        run.train(run.mirrored, 5)
        run.thaw_kernel(memory)
        run.train(run.mirrored, 4)
        np.testing.assert_allclose(told[memory][seed], run.held_out_loss(), rtol=1e-12)


def test_v_is_from_before_the_freeze_or_up_to_date_and_the_count_goes_on(run):
    trained = thawing.ThawedReader(keras.optimizers.Adam, learning_rate=0.01)
    v = {"old": [], "up to date": []}
    for memory, each in v.items():
        for seed in range(2):
            trained.start(seed)
            trained.train(trained.upright, 5)
            trained.freeze_kernel(memory)
            trained.train(trained.mirrored, 5)
            trained.thaw_kernel(memory)
            each.append(trained.optimizer.slots_of(trained.kernel)["velocity"].numpy().mean())
        found = trained.mean_v(5, memory)
        np.testing.assert_allclose(found, np.mean(each) / (1 - 0.999 ** (5 + 5)), rtol=1e-6)
