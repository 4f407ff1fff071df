"""Drivers and front ends know each other by what they declare, and by nothing else."""

import numpy as np
import pytest

from helpers.playground.driver import Closed, Driver, FrontEnd, Grid, Nobody
from helpers.playground.offered import optimizers
from helpers.playground.painter import Painter
from helpers.playground.panel import Panel
from helpers.playground.session import Session
from tests.playground.small import small


class Terminal:
    """A front end of lines of text. What it is made with, a Panel is, too."""

    speed, status, applied, unwatched = None, "paused", {}, 0.0

    def __init__(self, values, choices, controls, *, driver, mask, **_):
        self.driver, self.mask, self.values = driver, mask, values
        self.lines, self.choices = [], choices

    @property
    def frozen(self):
        return self.mask.frozen

    def publish(self, full_speed=False):
        """Write how things stand."""
        shown = self.driver.snapshot()
        step = shown["header"].get("step", "?")
        self.lines.append(f"step {step}: {shown['leaked'].sum()} leaked")

    def show_status(self, status):
        self.status = status

    def changed(self):
        self.driver.wake()

    def hand_over(self, driver):
        self.driver = driver

    def _nothing(self, *_, **__):
        """A terminal does not show this."""

    turn_to = mark_stale = report = show_stations = show_knobs = tell = offer = _nothing


def declared(protocol):
    """The names that a Protocol declares."""
    return {name for name in vars(protocol) if not name.startswith("_")} | set(
        protocol.__annotations__
    )


@pytest.mark.parametrize("kind", [Session, Nobody, Closed])
def test_a_driver_answers_all_that_is_declared_itself(kind):
    for name in declared(Driver):
        assert getattr(kind, name) is not getattr(Driver, name), name


@pytest.mark.parametrize("kind", [Panel, Terminal])
def test_a_front_end_has_all_that_is_declared(kind):
    names = declared(FrontEnd) | declared(Grid) - {"values"}  # which is made with the widget
    assert len(names) > 12 and [name for name in names if not hasattr(kind, name)] == []


def test_another_front_end_trains_through_the_same_session(until):
    task = small()
    chosen = dict(technique="exact", optimizer="adam", page=next(iter(task.pages)))
    offered = optimizers("adam", task)
    session = Session(task, offered, "cpu", None, None, Terminal, **chosen)
    terminal = session.painter
    session.open()
    terminal.driver.do(lambda: terminal.driver.order("step"))
    # The step is taken before it is told: what is told is what to wait for.
    until(lambda: terminal.lines[-1:] == ["step 1: 0 leaked"] and terminal.status == "paused")
    assert session.steps == 1
    session.close()
    with pytest.raises(RuntimeError, match="closed"):
        terminal.driver.order("step")
    terminal.driver.wake()
    assert terminal.lines[-1] == "step ?: 0 leaked"


def test_nobody_shows_what_the_painter_was_made_with():
    painter = Painter(np.ones((2, 3), np.float32))
    painter.paint(0, 1)
    shown = painter.driver.snapshot()
    assert shown["frozen"].sum() == 1 and not shown["leaked"].any() and shown["header"] == {}
    painter.close()
