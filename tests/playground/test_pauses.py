"""Training pauses of itself at the steps that a page names, and nowhere else."""

import numpy as np
import pytest

from helpers.playground import settings
from tests.playground.page import Page
from tests.playground.small import small


def sentence(step):
    return settings.PAUSES.format(step=step)


@pytest.fixture
def lab(playground):
    lab = playground(task=small(), pauses=[150, 100])
    lab.train(0)
    return lab


def at(lab, step):
    """Whether it stands still at a step, and the panel says so, too."""
    return (lab.steps, lab.training, lab.painter.status) == (step, False, "paused")


@pytest.mark.parametrize("speed", [200, None, 10_000])
def test_it_pauses_at_each_step_that_is_named_and_says_so_and_goes_on(lab, until, speed):
    lab.painter.speed, page = speed, Page(lab.painter)
    page.ask("train")
    until(lambda: at(lab, 100))
    assert lab.painter.error == sentence(100) and lab.painter.calm
    lab.paint(0, slice(None))
    page.ask("train")
    until(lambda: at(lab, 150))
    assert lab.painter.error == sentence(150)
    page.ask("train")
    until(lambda: lab.steps > 160)
    assert lab.training and (lab.painter.error, lab.painter.calm) == ("", False)


def test_start_pauses_as_the_button_does_and_again_after_a_reset(lab, until):
    for _ in range(2):
        lab.start()
        until(lambda: at(lab, 100))
        assert lab.painter.error == sentence(100)
        lab.reset()
        assert at(lab, 0) and lab.painter.error == ""


def test_a_number_of_steps_is_taken_through_a_pause_and_up_to_it_in_silence(lab, until):
    lab.train(100)
    assert at(lab, 100) and lab.painter.error == ""
    lab.train(250)
    assert at(lab, 350)
    lab.reset()
    lab.train(99)
    lab.step()
    until(lambda: at(lab, 100))
    assert lab.painter.error == ""
    lab.start()
    until(lambda: at(lab, 150))


def test_a_pause_is_no_failure_and_what_fails_afterwards_is_one(lab, until):
    lab.start()
    until(lambda: at(lab, 100))
    Page(lab.painter).choose("optimizer", "lion")
    until(lambda: "lion" in lab.painter.error)
    assert not lab.painter.calm


def test_a_playground_without_pauses_goes_on(playground, until):
    lab = playground(task=small())
    lab.start()
    until(lambda: lab.steps > 160)
    assert lab.training


WRONG = {
    "a number": (100, "100"),
    "a name": ("100", "'100'"),
    "nothing": (None, "None"),
    "a step before the first": ([0], "0"),
    "a fraction": ([10, 0.5], "0.5"),
    "a truth": ([True], "True"),
}


@pytest.mark.parametrize("name", WRONG)
def test_other_pauses_are_refused_in_words(playground, name):
    wrong, shown = WRONG[name]
    with pytest.raises(ValueError, match=f"pauses? {shown} arrived; a list of numbers of steps"):
        playground(task=small(), pauses=wrong)


def test_numbers_of_numpy_are_numbers(playground, until):
    lab = playground(task=small(), pauses=np.array([30, 30, 20]))
    lab.start()
    until(lambda: at(lab, 20))
