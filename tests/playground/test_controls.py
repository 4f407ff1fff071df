"""Buttons and lists: each does what the playground's method of its name does."""

import threading

import numpy as np
import pytest

from helpers.bits import changed_bits
from helpers.optimizers import LISTED
from helpers.playground import tasks
from helpers.playground.controls import SPEEDS
from helpers.techniques import TECHNIQUES


@pytest.fixture
def lab(playground):
    """A playground over a small picture."""
    return playground(task=tasks.snowflake(0, 8, 8))


def labels(chosen):
    """What a list offers, as its values."""
    return [option[1] if isinstance(option, tuple) else option for option in chosen.options]


def test_the_lists_offer_everything_there_is(playground):
    lab = playground()
    assert labels(lab.controls.technique) == list(TECHNIQUES)
    assert labels(lab.controls.optimizer) == list(LISTED)
    assert labels(lab.controls.page) == list("0123456789")
    assert labels(lab.controls.speed) == list(SPEEDS.values())


def test_a_task_of_one_page_has_no_list_of_pages(lab, playground):
    def shown(one):
        return set(one.controls.box.children[0].children)

    other = playground()
    assert lab.controls.page not in shown(lab)
    assert other.controls.page in shown(other)


def test_the_lists_show_what_the_playground_was_made_with(playground):
    lab = playground(optimizer="momentum", technique="restore", page="7")
    chosen = [lab.controls.technique, lab.controls.optimizer, lab.controls.page]
    assert [one.value for one in chosen] == ["restore", "momentum", "7"]


def test_another_optimizer_joins_the_list(playground):
    lab = playground(task=tasks.snowflake(0, 8, 8), optimizer="lion")
    assert lab.controls.optimizer.value == "lion" and "adam" in labels(lab.controls.optimizer)


def test_train_starts_and_pauses_and_says_which(lab, until):
    lab.controls.train.click()
    until(lambda: lab.steps > 3 and lab.controls.train.description == "Pause")
    assert lab.painter.status == "training"
    lab.controls.train.click()
    until(lambda: lab.controls.train.description == "Train")
    at = lab.weights
    assert not changed_bits(at, lab.weights).any() and lab.painter.status == "paused"


def test_step_takes_one_step(lab, until):
    for step in (1, 2, 3):
        lab.controls.step.click()
        until(lambda step=step: lab.steps == step)
    lab.session.trainer.wait()
    assert lab.steps == 3


def test_step_while_it_trains_pauses_after_one_more(lab, until):
    lab.controls.train.click()
    until(lambda: lab.steps > 3)
    lab.controls.step.click()
    until(lambda: lab.controls.train.description == "Train")
    assert lab.painter.status == "paused"


def test_step_tells_of_a_failure(playground, spoilt, until):
    lab = playground(task=spoilt(tasks.snowflake(0, 8, 8), 2))
    lab.start()
    until(lambda: lab.painter.status == "failed")
    lab.painter.error = ""
    lab.controls.step.click()
    assert "step 3" in lab.painter.error and lab.steps == 2


def test_another_speed_does_not_make_an_end_endless(lab, until):
    lab.train(1)  # compiles
    training = threading.Thread(target=lab.train, args=(2000,))
    training.start()
    until(lambda: lab.session.trainer.running)
    lab.controls.speed.value = None
    training.join(30)
    assert not training.is_alive() and lab.steps == 2001


def test_reset_takes_the_weights_back(lab):
    lab.train(5)
    lab.controls.reset.click()
    assert lab.weights.tobytes() == lab.initial.tobytes() and lab.steps == 0


def test_choosing_a_technique_and_an_optimizer_trains_with_them(lab):
    lab.train(10)
    lab.paint(slice(0, 4), slice(None))
    lab.controls.technique.value = "gradient_times_mask"
    lab.train(1)
    assert lab.leaks().sum() == 32
    lab.reset()
    lab.controls.optimizer.value = "sgd"
    lab.train(10)
    assert not lab.leaks().any()


def test_choosing_a_page_paints_there(playground):
    lab = playground()
    lab.controls.page.value = "6"
    lab.paint(1, 1)
    assert lab.session.loop.frozen.reshape(8, 8, 10)[1, 1, 6] and lab.session.loop.frozen.sum() == 1


def test_a_choice_made_in_python_is_shown_and_made_once(lab, monkeypatch):
    used = []
    loop, take = lab.session.loop, lab.session.loop.use_optimizer
    monkeypatch.setattr(loop, "use_optimizer", lambda name: (used.append(name), take(name)))
    lab.use("restore", "sgd")
    assert lab.controls.technique.value == "restore" and lab.controls.optimizer.value == "sgd"
    assert used == ["sgd"]


def test_a_refused_choice_is_not_shown(lab):
    with pytest.raises(ValueError):
        lab.use("restore", "nothing")
    assert lab.controls.technique.value == "none" and lab.controls.optimizer.value == "adam"


@pytest.mark.parametrize("limit", list(SPEEDS.values()))
def test_the_chosen_speed_is_the_limit(lab, limit):
    lab.controls.speed.value = limit
    lab.start()
    assert lab.controls.limit == lab.session.trainer.limit == limit
    lab.stop()


def test_another_speed_takes_hold_while_it_trains_and_starts_nothing(lab):
    lab.controls.speed.value = 10
    assert not lab.session.trainer.running
    lab.start()
    lab.controls.speed.value = 200
    assert lab.session.trainer.running and lab.session.trainer.limit == 200
    lab.stop()


def test_a_failure_is_shown_at_the_widget_and_goes_with_the_next_press(playground, spoilt, until):
    lab = playground(task=spoilt(tasks.snowflake(0, 8, 8), 3))
    lab.controls.train.click()
    until(lambda: lab.painter.status == "failed")
    assert "step 4" in lab.painter.error and lab.controls.train.description == "Train"
    lab.controls.reset.click()
    until(lambda: lab.painter.status == "paused")
    assert lab.painter.error == ""
    lab.train(3)
    assert lab.steps == 3


def test_a_failure_stays_in_sight_however_often_train_is_pressed(playground, spoilt, until):
    lab = playground(task=spoilt(tasks.snowflake(0, 8, 8), 3))
    for _ in range(4):
        lab.controls.train.click()
        until(lambda: "step 4" in lab.painter.error and not lab.session.trainer.running)
    assert lab.steps == 3 and np.isfinite(lab.weights).all()
    lab.reset()


def test_a_press_after_closing_says_so(lab):
    lab.close()
    lab.controls.train.click()
    assert "closed" in lab.painter.error
