"""What fits is what the bars say: a peak that passes the machine's memory does not."""

import math

import ipywidgets
import pytest

from helpers.studies.fits import Fits

PEAKS = {"plain": {"steps": 5.0}, "rows": {"set up": 5.3, "steps": 1.3, "filled": 1.25}}


def test_what_fits_follows_both_sliders():
    fits = Fits({1: PEAKS}, table=4, memory=16)
    assert fits.fitting() == {"plain": [], "rows": ["steps", "filled"]}
    fits.table.value = 2
    assert fits.fitting() == {"plain": ["steps"], "rows": ["set up", "steps", "filled"]}
    fits.table.value, fits.memory.value = 4, 64
    assert "machine: plain, rows." in fits._told.value
    fits.table.value, fits.memory.value = 16, 8
    assert "machine: nothing." in fits._told.value


def test_a_way_trains_if_its_steps_fit_and_it_can_begin():
    peaks = {"compact": {"set up": 6.0, "steps": 1.5}, "rows": PEAKS["rows"], "plain": {"steps": 5}}
    fits = Fits({1: peaks}, table=4, memory=16)
    assert [fits.trains(way) for way in peaks] == [False, True, False]
    fits.memory.value = 24
    assert [fits.trains(way) for way in peaks] == [True, True, True]


def test_what_fits_follows_the_share_that_is_free():
    fits = Fits({1: {"compact": {"steps": 1.5}}, 20: {"compact": {"steps": 5.5}}}, 4, 16)
    assert fits.trains("compact")
    fits.free.value = 20
    assert not fits.trains("compact") and "machine: nothing." in fits._told.value


def test_a_peak_of_exactly_the_memory_fits():
    assert Fits({1: {"plain": {"steps": 4.0}}}, table=4, memory=16).fitting() == {
        "plain": ["steps"]
    }


@pytest.mark.parametrize("peak", [5.0, math.nan])
def test_the_picture_is_drawn_anew_and_where_the_system_does_not_tell_as_well(peak):
    fits = Fits({1: {"plain": {"steps": peak}}})
    before = fits._picture.value
    fits.memory.value = 32
    assert fits._picture.value != before


def test_it_is_shown_with_a_picture_for_readers_without_a_kernel():
    shown = Fits({1: PEAKS})._repr_mimebundle_()
    assert shown["image/png"] == Fits({1: PEAKS}).picture().data and shown["text/plain"].startswith(
        "Fits"
    )


def test_a_slider_for_the_share_is_shown_only_where_there_are_shares_to_choose(monkeypatch):
    boxes, draw = [], ipywidgets.VBox
    monkeypatch.setattr(ipywidgets, "VBox", lambda parts: boxes.append(parts) or draw(parts))
    alone, several = Fits({1: PEAKS}), Fits({1: PEAKS, 20: PEAKS})
    for fits in (alone, several):
        fits._repr_mimebundle_()
    assert alone.free not in boxes[0] and several.free in boxes[1]
