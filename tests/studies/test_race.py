"""A race: what is chosen is timed on the press of a button, and goals are what bars show."""

import numpy as np
import pytest
from matplotlib.axes import Axes

from helpers.studies import race
from helpers.studies.race import Race

ONE = np.ones(3)


def bars(compact=1.0, plain_xla=0.5, rows=0.5):
    spread = np.array([0.9, 1, 1.1])
    each = dict(plain=(1, plain_xla), compact=(compact, 0.5), rows=(rows, rows))
    return {way: tuple(middle * spread for middle in both) for way, both in each.items()}


@pytest.fixture
def made():
    asked = []

    def measure(**setting):
        asked.append(setting)
        return bars(compact=setting["width"] / 200)

    form = Race(measure, bars(), width=[600, 200, 1_200], batch=[32, 8])
    form.asked = asked
    return form


def test_what_is_chosen_is_timed_on_the_press_of_the_button(made):
    assert [each.value for each in made.sliders.values()] == [600, 32] and not made.asked
    made.sliders["width"].value = 1_200
    assert not made.asked
    before = made._picture.value
    made._button.click()
    assert made.asked == [{"width": 1_200, "batch": 32}] and made.found["compact"][0][1] == 6
    assert "Timed: width 1,200, batch 32." in made._told.value and made._picture.value != before


def test_a_race_that_fails_leaves_a_button_that_works(made):
    made._measure = lambda **setting: made._button.disabled and 1 / 0
    with pytest.raises(ZeroDivisionError):
        made.run()
    assert not made._button.disabled and made.found["compact"][0][1] == 1


@pytest.mark.parametrize(
    ("found", "reached"),
    [
        (bars(), ""),
        (bars(compact=1.05), ""),  # its bar goes below the plain step
        (bars(compact=1.2), "compact slots take longer than the plain step"),
        (bars(plain_xla=0.85), ""),
        (bars(plain_xla=0.95), "XLA alone saves nothing"),
        (bars(rows=0.32), ""),  # its bar goes above a third
        (bars(rows=0.3), "a step takes less than a third of the plain one"),
        (bars() | {"no update": bars(rows=0.2)["rows"]}, ""),
    ],
)
def test_a_goal_is_reached_by_a_whole_bar(found, reached):
    assert [goal for goal, reaches in race.GOALS.items() if reaches(found)] == [reached][
        : bool(reached)
    ]


def test_the_bars_of_the_race_before_stay_marked_and_within_the_chart(made, monkeypatch):
    drawn, limits = [], []
    monkeypatch.setattr(Axes, "plot", lambda axes, at, *rest, **more: drawn.append(list(at)))
    monkeypatch.setattr(Axes, "set_xlim", lambda axes, *given, **more: limits.append((given, more)))
    made.sliders["width"].value = 1_200
    made.run()
    assert drawn == [[1, 0.5, 1, 0.5, 0.5, 0.5]]
    made.sliders["width"].value = 200
    made.run()
    assert drawn[1][2] == 6 and limits[-1][1]["right"] >= 6


def test_it_is_shown_with_a_picture_for_readers_without_a_kernel(made):
    shown = made._repr_mimebundle_()
    assert shown["image/png"].startswith(b"\x89PNG") and shown["text/plain"] == "Race(width, batch)"
