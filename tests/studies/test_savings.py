"""Savings: a chart of what was measured, read where a slider stands."""

import numpy as np
import pytest
from matplotlib.axes import Axes

from helpers.studies.savings import Savings


@pytest.fixture
def shown():
    time = {
        "mask": [(1.1, 1.2, 1.3), (1.0, 1.2, 1.3), (1.1, 1.2, 1.3)],
        "rows split off": [(0.2, 0.3, 0.4), (0.3, 0.4, 0.5), (0.6, 0.7, 1.0)],
    }
    return Savings([0.01, 0.1, 0.5], time, (0.9, 1.0, 1.05), "time", free=0.01)


def test_the_chart_follows_the_slider(shown):
    before = shown._picture.value
    shown._slider.value = 0.5
    assert shown.free == 0.5 and shown._picture.value != before


def test_a_curve_appears_where_the_slider_has_been(shown, monkeypatch):
    drawn, draw = [], Axes.errorbar

    def note(axes, at, median, *rest, **more):
        drawn.append(list(median))
        return draw(axes, at, median, *rest, **more)

    monkeypatch.setattr(Axes, "errorbar", note)
    shown._slider.value = 0.5
    assert np.array_equal(drawn[-1], [0.3, np.nan, 0.7], equal_nan=True)
    shown._slider.value = 0.1
    assert drawn[-1] == [0.3, 0.4, 0.7] and shown._picture.value == shown.still().data


@pytest.mark.parametrize(
    ("share", "mask", "rows"),
    [
        (0.01, (1.2, "takes more"), (0.3, "saves")),
        (0.1, (1.2, "not told apart"), (0.4, "saves")),
        (0.5, (1.2, "takes more"), (0.7, "not told apart")),
    ],
)
def test_a_way_saves_where_its_bar_lies_below_the_noise(shown, share, mask, rows):
    shown._slider.value = share
    assert shown.read("mask") == mask and shown.read("rows split off") == rows


def test_a_share_that_was_not_measured_cannot_be_read(shown):
    assert [share for _, share in shown._slider.options] == [0.01, 0.1, 0.5]
    assert Savings([0.1], {"mask": [(1, 1, 1)]}, (1, 1, 1), "time").free == 0.1


@pytest.mark.parametrize(
    ("noise", "busy"),
    [((0.9, 1.0, 1.15), False), ((0.75, 1.0, 1.1), True), ((0.95, 1.0, 1.3), True)],
)
def test_a_busy_machine_is_told_above_the_chart(noise, busy, monkeypatch):
    titles, draw = [], Axes.set_title
    monkeypatch.setattr(
        Axes, "set_title", lambda *of, **more: [titles.append(of[1]), draw(*of, **more)][1]
    )
    shown = Savings([0.1, 0.5], {"rows": [(0.4, 0.5, 0.6)] * 2}, noise, "time")
    assert shown.busy == busy and any("too busy" in title for title in titles) == busy


def test_what_was_not_tried_is_said_to_be_so(shown, monkeypatch):
    said = []
    nothing = {"mask": [(1.1, 1.2, 1.3), (float("nan"),) * 3]}
    shown = Savings([0.1, 0.5], nothing, (1, 1, 1), "time", free=0.5)
    monkeypatch.setattr(Axes, "legend", lambda axes, **_: said.extend(axes.containers))
    shown.still()
    assert [each.get_label() for each in said] == ["mask: not tried"]
    assert shown.read("mask")[1] == "not told apart"


def test_a_reader_without_a_kernel_sees_the_chart_and_one_with_it_the_slider(shown):
    bundle = shown._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["image/png"].startswith(b"\x89PNG")
    assert bundle["text/plain"] == "Savings(mask, rows split off)"
