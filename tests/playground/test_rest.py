"""Training rests when nobody has watched for a while; a page that is closed never says so."""

import time

import pytest

from helpers.playground import settings

HELLO = {"kind": "hello", "client": "a page", "seen": 0}


@pytest.fixture
def lab(playground, monkeypatch):
    monkeypatch.setattr(settings, "REST_AFTER", 0.3)
    lab = playground("digits")
    lab.train(1)  # compiles
    return lab


def test_it_rests_when_the_page_falls_silent_and_says_so_and_goes_on(lab, until):
    lab.painter._receive(None, HELLO, [])
    lab.start()
    until(lambda: lab.painter.error and lab.painter.status == "paused")
    rested = lab.session.steps
    assert rested > 1 and lab.painter.error == settings.RESTS
    lab.painter._receive(None, HELLO, [])
    lab.start()
    until(lambda: lab.session.steps > rested)
    assert lab.painter.error == ""


def test_it_goes_on_while_a_page_is_heard(lab):
    end = time.monotonic() + 1.5
    lab.painter._receive(None, HELLO, [])
    lab.start()
    while time.monotonic() < end:
        shown = {"kind": "shown", "frame": 0, "client": "a page", "seen": 0}
        lab.painter._receive(None, shown, [])
        time.sleep(0.05)
    assert lab.painter.status == "training"


def test_without_a_page_it_trains_until_it_is_stopped(lab):
    lab.start()
    time.sleep(1)
    assert lab.painter.status == "training"


def test_a_number_of_steps_is_taken_whoever_watches(lab):
    lab.painter._receive(None, HELLO, [])
    time.sleep(0.4)
    lab.train(700)
    assert lab.session.steps == 701 and lab.painter.error == ""
