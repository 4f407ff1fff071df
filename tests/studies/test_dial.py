"""The slider of one setting: each value is tried once, and what it gave stays on the chart."""

import numpy as np
import pytest
from matplotlib.axes import Axes

from helpers.studies.dial import Dial


@pytest.fixture
def made():
    asked = []

    def measure(value):
        asked.append(value)
        return {"old": 100 - value, "new": value}

    dial = Dial("strength", [0, 10, 90], measure, begin=10, shown=[0, 90])
    dial.asked = asked
    return dial


def test_a_value_is_tried_where_the_slider_is_let_go_and_only_once(made):
    assert made.asked == [10] and "strength 10: old 90 %, new 10 %" in made._told.value
    before = made._picture.value
    made.slider.value = 90
    assert made.asked == [10, 90] and "strength 90: old 10 %, new 90 %" in made._told.value
    assert made._picture.value != before
    made.slider.value = 10
    assert made.asked == [10, 90] and set(made.tried) == {10, 90}
    assert not made.slider.continuous_update


def test_a_trial_that_fails_leaves_a_slider_that_works(made):
    made._measure = lambda value: made.slider.disabled and 1 / 0
    with pytest.raises(ZeroDivisionError):
        made.slider.value = 90
    assert not made.slider.disabled and set(made.tried) == {10}


def test_without_a_browser_there_is_a_picture_of_what_was_to_be_shown(made):
    shown = made._repr_mimebundle_()
    assert shown["image/png"].startswith(b"\x89PNG") and shown["text/plain"] == "Dial(strength)"
    assert made.asked == [10, 0, 90] and set(made.tried) == {10}


def test_a_line_joins_neighbours_alone(monkeypatch):
    drawn = []
    monkeypatch.setattr(Axes, "plot", lambda _, found, *rest, **more: drawn.append(found))
    monkeypatch.setattr(Axes, "legend", lambda *_, **more: None)
    Dial("rate", [1, 2, 3], lambda value: {"new": value}, begin=1, shown=[1]).slider.value = 3
    assert np.array_equal(drawn[-1], [1, np.nan, 3], equal_nan=True)


@pytest.mark.parametrize(
    ("found", "ends"), [(90, (0, 103)), (200, (0, 206)), (-10, (-13.3, 103.3))]
)
def test_what_is_more_than_all_or_less_than_nothing_is_drawn_as_well(monkeypatch, found, ends):
    drawn = []
    monkeypatch.setattr(Axes, "set_ylim", lambda _, *both, **more: drawn.append(both))
    Dial("batch", [8, 32], lambda _: {"by mask": found}, begin=8, shown=[8])
    assert drawn[-1] == pytest.approx(ends)


@pytest.mark.parametrize(("found", "ends"), [(90, (30, 102.1)), (10, (7.3, 102.7))])
def test_a_chart_may_begin_higher_and_still_shows_what_is_lower(monkeypatch, found, ends):
    drawn = []
    monkeypatch.setattr(Axes, "set_ylim", lambda _, *both, **more: drawn.append(both))
    Dial("rate", [1, 2], lambda _: {"new": found}, begin=1, shown=[1], least=30)
    assert drawn[-1] == pytest.approx(ends)


@pytest.mark.parametrize(("count", "numbers"), [(8, "12345678"), (9, "13579")])
def test_where_there_are_many_values_every_other_one_has_its_number(monkeypatch, count, numbers):
    drawn = []
    monkeypatch.setattr(Axes, "set_xticks", lambda _, at, labels: drawn.append((at, labels)))
    Dial("rate", range(1, count + 1), lambda _: {"new": 1}, begin=1, shown=[1])
    ((at, labels),) = drawn
    assert sorted(labels) == sorted(numbers) and [str(place + 1) for place in at] == labels


def test_points_are_not_called_per_cent():
    dial = Dial("angle", [0, 9], lambda _: {"mean": 3}, begin=0, shown=[0], unit="points")
    assert "mean 3 points" in dial._told.value


def test_a_goal_is_reached_by_what_is_found():
    goals = {"by mask, over 50": lambda found: found["by mask"] > 50}
    dial = Dial("batch", [8, 64], lambda b: {"by mask": b}, begin=8, shown=[8], goals=goals)
    assert not dial.reached and "○ by mask" in dial._told.value
    dial.slider.value = 64
    dial.slider.value = 8
    assert dial.reached == set(goals) and "✓ by mask" in dial._told.value
