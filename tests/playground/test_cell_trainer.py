"""Where a page does not show what a thread has changed, as in Colab, no thread does anything."""

import math
import sys
import threading
import types

import numpy as np
import pytest

from helpers.playground import Playground, cell_trainer
from helpers.playground.painter import link
from tests.playground.hands import Hands
from tests.playground.page import Page


@pytest.fixture
def colab(monkeypatch):
    """As if this were Colab; a press on Train ends soon."""
    monkeypatch.setitem(sys.modules, "google.colab", types.ModuleType("google.colab"))
    monkeypatch.setattr(cell_trainer, "LONGEST_SECONDS", 0.3)


@pytest.fixture
def lab(colab, playground):
    """A playground over the small task, in Colab."""
    from tests.playground.small import small

    return playground(task=small(), technique="exact")


@pytest.fixture
def sent(lab, monkeypatch):
    """What has been sent to the page: pairs of a thread's name and a message."""
    pairs, send = [], lab.painter.link._send

    def noted(message, buffers):
        pairs.append((threading.current_thread().name, message))
        send(message, buffers)

    monkeypatch.setattr(lab.painter.link, "_send", noted)
    return pairs


def test_elsewhere_a_thread_trains(playground, trainers):
    from tests.playground.small import small

    lab = playground(task=small())
    assert len(trainers()) == 1 and not lab.painter.link._unheard


def test_steps_are_taken_by_the_cell_that_asks_for_them(lab, trainers):
    lab.paint(slice(0, 3), slice(None))
    lab.train(25)
    lab.step()
    assert lab.steps == 26 and not lab.training and not trainers()
    assert not lab.leaks().any()
    assert (lab.weights != lab.initial)[3:].any() and not (lab.weights != lab.initial)[:3].any()


def test_steps_are_those_that_a_thread_takes(lab, playground, monkeypatch):
    from tests.playground.small import small

    monkeypatch.delitem(sys.modules, "google.colab")
    other = playground(task=small(), technique="exact")
    for each in (lab, other):
        each.train(30)
        each.paint(slice(0, 3), slice(None))
        each.use(optimizer="momentum")
        each.train(30)
    np.testing.assert_array_equal(lab.weights, other.weights)


def test_train_on_the_page_trains_for_some_seconds_and_pauses(lab, sent, trainers):
    page = Page(lab.painter)
    page.ask("train")
    assert lab.steps > 0 and not lab.training and lab.painter.status == "paused"
    at = lab.steps
    page.ask("step")
    assert lab.steps == at + 1
    assert {name for name, _ in sent} == {threading.current_thread().name} and not trainers()


def test_frames_leave_while_steps_are_taken_though_nobody_is_heard(lab, sent, monkeypatch):
    monkeypatch.setattr(link, "UNHEARD_INTERVAL", 0.005)
    Page(lab.painter).ask("train")
    steps = [message["step"] for _, message in sent]
    assert len(steps) > link.FRAMES_IN_FLIGHT + 1
    assert steps == sorted(steps) and steps[-1] == lab.steps


def test_what_fails_ends_training_and_is_told(colab, playground, spoilt):
    from helpers.playground import tasks

    lab = playground(task=spoilt(tasks.snowflake(0, 6, 6), 3), optimizer="sgd")
    with pytest.raises(ArithmeticError, match="step 4"):
        lab.train(10)
    assert lab.steps == 3 and not lab.training


def test_an_observer_cannot_wait_for_steps_from_within_one(lab):
    told = []

    def again(change):
        try:
            lab.session.trainer.wait()
        except RuntimeError as error:
            told.append(str(error))

    lab.painter.observe(again, "step")
    lab.train(3)
    assert told and "its own steps" in told[0] and lab.steps == 3


def test_what_is_posted_from_within_a_turn_is_done_in_the_next(lab):
    done, trainer = [], lab.session.trainer
    lab.painter.observe(lambda _: trainer.post(lambda: done.append(1)), "step")
    lab.train(1)
    assert done


def test_an_interrupt_pauses_and_the_grid_goes_on(lab, monkeypatch):
    run, loop = lab.session.loop.run, lab.session.loop

    def interrupted(steps):
        raise KeyboardInterrupt

    monkeypatch.setattr(loop, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        lab.train(10)
    monkeypatch.setattr(loop, "run", run)
    assert not lab.training
    lab.train(10)
    assert lab.steps == 10


def test_closed_is_closed(lab):
    trainer = lab.session.trainer
    lab.close()
    lab.close()
    with pytest.raises(RuntimeError, match="closed"):
        trainer.start(math.inf)


def test_a_playground_can_be_made_anew_by_its_cell(colab):
    for _ in range(3):
        lab = Playground("snowflake")
        lab.train(2)
    lab.close()


@pytest.mark.browser
def test_a_person_paints_and_trains_without_a_thread(notebook):
    threads = "[each.name for each in __import__('threading').enumerate()]"
    colab = "import sys, types; sys.modules['google.colab'] = types.ModuleType('google.colab')"
    before = notebook.python(threads, colab).count("freezing-trainer")
    notebook.show(1, "lab = Playground(technique='exact')\nlab")
    hands = Hands(notebook)
    hands.drag((1, 1), (1, 5))
    assert hands.settle().sum() == 5
    hands.button("Train").click()
    hands.until("lab.steps > 10 and not lab.training")
    hands.wait_for_leaks("0 of 5 frozen cells have changed")
    hands.page.wait_for_selector(".painter[data-status=paused]")
    # The last frame may still be on its way to a busy page, but it comes.
    hands.widget.get_by_text(f"step {hands.python('lab.steps'):,} ·").wait_for()
    assert notebook.python(threads).count("freezing-trainer") == before
    notebook.python("lab.close()", "del sys.modules['google.colab']")
