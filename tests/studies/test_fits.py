"""What fits is what the bars say: a peak that passes the machine's memory does not."""

import math

import ipywidgets
import pytest

from helpers.studies import peaks
from helpers.studies.fits import Fits, parts

PEAKS = {"nothing": (3.0, 5.0), "rows split off": (5.3, 1.3)}


def test_what_trains_follows_both_sliders():
    fits = Fits({1: PEAKS}, table=4, memory=16)
    assert not any(map(fits.trains, PEAKS)) and "machine: nothing." in fits._told.value
    fits.table.value = 2
    assert (
        all(map(fits.trains, PEAKS)) and "machine: plain Adam, rows split off." in fits._told.value
    )
    fits.table.value, fits.memory.value = 16, 64
    assert not any(map(fits.trains, PEAKS))


def test_a_way_trains_if_it_fits_while_it_is_set_up_and_in_its_steps():
    ways = {"compact slots": (6.0, 1.5), "rows split off": (1.5, 6.0), "free values": (3.9, 3.9)}
    fits = Fits({1: ways}, table=4, memory=16)
    assert [fits.trains(way) for way in ways] == [False, False, True]
    fits.memory.value = 24
    assert [fits.trains(way) for way in ways] == [True, True, True]


def test_what_fits_follows_the_share_that_is_free():
    fits = Fits({1: {"compact slots": (1.8, 1.5)}, 20: {"compact slots": (3.5, 5.5)}}, 4, 16)
    assert fits.trains("compact slots")
    fits.free.value = 20
    assert not fits.trains("compact slots") and "machine: nothing." in fits._told.value


def test_a_peak_of_exactly_the_memory_fits():
    assert Fits({1: {"nothing": (3.0, 4.0)}}, table=4, memory=16).trains("nothing")


def test_where_the_system_does_not_tell_the_computed_peaks_are_taken():
    fits = Fits({1: dict.fromkeys(peaks.WAYS, (math.nan, math.nan))}, table=4, memory=16)
    assert fits.peak("nothing") == (5, "in a step")
    assert fits.peak("rows split off") == (2.02, "set up")
    assert not fits.trains("nothing") and fits.trains("free values")


@pytest.mark.parametrize("peak", [5.0, math.nan])
def test_the_picture_is_drawn_anew_and_where_the_system_does_not_tell_as_well(peak):
    fits = Fits({1: {"nothing": (3.0, peak)}})
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


def test_compact_slots_are_a_mask_above_a_third():
    assert parts("compact slots", 0.34)["in a step"] == parts("by mask", 0.34)["in a step"]
    assert parts("compact slots", 0.33)["in a step"]["slots"] == 0.66


@pytest.mark.thorough
def test_the_computed_parts_are_nearly_all_that_is_measured():
    for way, pair in peaks.at_shares([*peaks.WAYS], [10], 250_000)[10].items():
        for at, of in zip(pair, parts(way, 0.1).values()):
            assert -0.02 < at - sum(of.values()) < 0.25, (way, at, of)


def test_goals_are_there_where_a_share_can_be_chosen_and_what_fits_reaches_them():
    ways = {"nothing": (3.0, 5.0), "compact slots": (1.8, 1.3), "free values": (3.6, 2.0)}
    assert not Fits({1: ways}).goals
    fits = Fits({1: ways, 10: ways}, table=4, memory=16)
    of_8_gb, at_10, alone, plain = fits.goals
    assert not fits.reached
    fits.table.value = 3
    assert fits.reached == {plain}
    fits.table.value = 8
    assert fits.reached == {plain, of_8_gb}
    fits.memory.value = 24  # three tables
    assert at_10 not in fits.reached
    fits.free.value = 10
    assert fits.reached == {plain, of_8_gb, at_10} and fits._told.value.count("✓") == 3


def test_once_the_steps_alone_count_a_way_that_takes_more_to_set_up_fits():
    fits = Fits({1: {"free values": (4.6, 3.6)}, 20: {"free values": (4.6, 3.6)}}, 4, 16)
    fits.free.value = 20
    assert not fits.reached and fits.peak("free values") == (4.6, "set up")
    fits.steps_alone.value = True
    assert fits.peak("free values") == (3.6, "in a step") and len(fits.reached) == 1


def test_what_does_not_fit_reaches_no_goal():
    too_much = {"nothing": (6.0, 6.0), "compact slots": (6.0, 6.0), "free values": (6.0, 6.0)}
    fits = Fits({1: too_much, 10: too_much}, table=4, memory=16)
    for fits.table.value in (3, 8):
        for fits.free.value in (1, 10):
            for fits.memory.value in (16, 24):
                assert not fits.reached
