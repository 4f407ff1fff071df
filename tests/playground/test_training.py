"""Training in a playground: live or blocking, step by step the same; and what leaks meanwhile."""

import os
import signal
import threading

import numpy as np
import pytest

from helpers.bits import changed_bits
from helpers.device import keras
from helpers.masks import as_frozen
from helpers.optimizers import LISTED
from helpers.playground import session, tasks
from helpers.techniques import TECHNIQUES
from tests.playground.small import bits, small

# Training


@pytest.mark.parametrize("task", list(tasks.TASKS))
def test_the_same_seed_and_calls_give_the_same_bits(playground, task):
    def play(seed):
        lab = playground(task=task, technique="gradient_times_mask", seed=seed)
        lab.train(10)
        lab.paint(slice(0, 4), slice(0, 3))
        lab.train(15)
        lab.use(optimizer="momentum")
        lab.train(5)
        return bits(lab), lab.leaks().tobytes()

    assert play(1) == play(1) != play(2)


def test_training_in_parts_is_training(playground):
    one, other = playground(task=small()), playground(task=small())
    one.train(100)
    for steps in (40, 0, 1, 59):
        other.train(steps)
    assert one.steps == other.steps == 100 and bits(one) == bits(other)


def test_train_returns_when_its_steps_are_taken_and_noted(lab):
    for _ in range(30):
        lab.reset()
        lab.train(3)
        assert lab.steps == 3
    assert lab.session.run.curve.points.shape == (2, 3)


@pytest.mark.skipif(os.name == "nt", reason="a waiting thread cannot be interrupted there")
def test_an_interrupt_ends_the_training_that_blocks(lab, interruptible):
    main = threading.main_thread().ident
    threading.Timer(0.3, signal.pthread_kill, (main, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        lab.train(10**9)
    at = lab.steps
    lab.train(1)
    assert lab.steps == at + 1


@pytest.mark.skipif(os.name == "nt", reason="a waiting thread cannot be interrupted there")
def test_an_interrupt_before_the_first_step_leaves_nothing_to_train(lab, busy, interruptible):
    main = threading.main_thread().ident
    with busy(lab) as done, pytest.raises(KeyboardInterrupt):  # noqa: PT012
        threading.Timer(0.3, signal.pthread_kill, (main, signal.SIGINT)).start()
        threading.Timer(0.6, done.set).start()
        lab.train(10**9)
    assert not lab.session.trainer.do(lambda: lab.session.trainer.running)


def test_start_returns_at_once_and_stop_ends_it(lab, until):
    lab.start()
    until(lambda: lab.steps > 20)
    assert lab.painter.status == "training"
    lab.stop()
    at = bits(lab)
    until(lambda: lab.painter.status == "paused")
    assert bits(lab) == at and lab.session.trainer.do(lambda: lab.session.loop.step) == lab.steps


def test_steps_taken_live_are_the_same_steps(playground, until):
    live, blocked = playground(task=small()), playground(task=small())
    live.start()
    until(lambda: live.steps > 20)
    live.stop()
    blocked.train(live.session.trainer.do(lambda: live.session.loop.step))
    assert bits(live) == bits(blocked)


def test_reset_takes_everything_but_the_mask_back(lab, half):
    lab.frozen = half
    lab.train(30)
    once = bits(lab)
    assert lab.leaks().any()
    lab.reset()
    assert bits(lab) == lab.initial.tobytes() and lab.steps == 0 and not lab.leaks().any()
    np.testing.assert_array_equal(lab.frozen, half)
    lab.train(30)
    assert bits(lab) == once


def test_reset_while_it_trains_stops_and_takes_back(lab, until):
    lab.start()
    until(lambda: lab.steps > 20)
    lab.reset()
    assert bits(lab) == lab.initial.tobytes() and lab.steps == 0
    until(lambda: lab.painter.status == "paused")


def test_everything_can_be_changed_while_it_trains(playground, half, until):
    lab = playground(task="digits")
    lab.start()
    for technique in TECHNIQUES:
        for optimizer in LISTED:
            at = lab.steps
            lab.use(technique, optimizer)
            lab.paint(at % 8, slice(None))
            until(lambda at=at: lab.steps > at)
    for page in lab.task.pages:
        lab.use(page=page)
        lab.frozen = half[:8, :8]
        lab.undo()
        lab.redo()
        at = lab.steps
        until(lambda at=at: lab.steps > at)
    assert lab.painter.status == "training"
    lab.stop()
    assert lab.session.loop.traces == 2 * len(LISTED)  # the free values alone have their own


def test_it_is_compiled_before_train_is_pressed_once_somebody_looks_on(
    playground, until, monkeypatch
):
    monkeypatch.setattr(session, "COMPILE_AFTER", 0.3)
    lab, unseen = playground(task=small()), playground(task=small())
    lab.painter._receive(None, {"kind": "hello", "client": "a browser", "seen": 0}, [])
    assert lab.session.loop.traces == 0  # not at once: the page is being laid out
    until(lambda: lab.session.loop.traces == 1)
    assert lab.steps == 0 and bits(lab) == lab.initial.tobytes() and unseen.session.loop.traces == 0
    lab.train(3)
    assert lab.session.loop.traces == 1 and lab.steps == 3


def test_a_mask_changed_from_python_while_it_trains_is_never_skipped(playground, half, until):
    lab = playground(task=small(), technique="restore")
    lab.start()
    for _ in range(20):
        lab.frozen = half
        before = lab.weights
        at = lab.steps
        until(lambda at=at: lab.steps > at + 3)
        assert not changed_bits(before, lab.weights)[half].any() and not lab.leaks().any()
        lab.frozen = ~half
    lab.stop()


def test_one_optimizer_serves_two_playgrounds(playground):
    mine = keras.optimizers.Adam(0.01)
    for lab in (playground(task=small(), optimizer=mine), playground(optimizer=mine)):
        lab.use("exact")
        lab.paint(0, slice(None))
        lab.train(5)
        assert not lab.leaks().any() and (lab.weights != lab.initial)[1:].any()


# Leaks


def test_the_popular_recipe_leaks_at_once_and_restore_never(lab, half):
    lab.train(20)
    lab.frozen = half
    lab.use(technique="gradient_times_mask")
    lab.train(1)
    np.testing.assert_array_equal(lab.leaks(), half)
    lab.reset()
    lab.use(technique="restore")
    lab.train(300)
    assert not lab.leaks().any() and changed_bits(lab.initial, lab.weights)[~half].all()


def test_thawing_and_freezing_again_forgets_the_leak(lab, half):
    lab.train(5)
    lab.frozen = half
    lab.train(5)
    assert lab.leaks().any()
    lab.frozen = np.zeros((12, 12), bool)
    assert not lab.leaks().any()
    lab.frozen = half
    assert not lab.leaks().any()


def test_a_new_optimizer_starts_with_empty_state(lab, half):
    """Warm Adam leaks through its momentum; Adam that has just been chosen has none."""
    lab.train(20)
    lab.use("gradient_times_mask", "sgd")
    lab.use(optimizer="adam")
    lab.frozen = half
    lab.train(20)
    assert not lab.leaks().any()


# Small parts


def test_nobody_sees_a_step_half_taken(playground, half, until):
    """A frozen cell moves and is put back within a step, and a page may be reloaded meanwhile."""
    lab = playground(task=small(), technique="restore")
    lab.frozen = half
    lab.start()
    until(lambda: lab.steps > 10)
    for _ in range(500):
        assert not lab.painter.driver.snapshot()["leaked"].any()
    lab.stop()


def test_a_mask_read_from_the_playground_is_a_mask(lab):
    assert as_frozen(lab.frozen, lab.weights.shape).dtype == bool


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_an_embedding_table_can_be_painted(playground, technique):
    """Its gradient is a list of rows, in which a row may occur twice."""
    layers = [keras.layers.Embedding(6, 4), keras.layers.Flatten(), keras.layers.Dense(2)]
    model = keras.Sequential([keras.layers.Input((3,)), *layers])
    words = np.array([[0, 1, 1], [4, 4, 5], [2, 0, 5], [3, 3, 3]] * 8)
    task = tasks.own(model, model.layers[0].embeddings, words, np.ones((32, 2)), "mse")
    lab = playground(task=task, optimizer="adamw", technique=technique)
    lab.paint(slice(0, 3), slice(None))
    lab.train(20)
    assert (lab.weights != lab.initial)[3:].any(1).all()
    holds = technique in ("exact", "restore", "scatter_update", "shadow_copy", "free_values")
    assert lab.leaks().any() != holds  # AdamW moves what only has no gradient
