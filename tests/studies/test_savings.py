"""Savings: a chart of what was measured, read where a slider stands."""

import pytest

from helpers.studies.savings import Savings


@pytest.fixture
def shown():
    time = {
        "mask": [(1.1, 1.2, 1.3), (1.0, 1.2, 1.3), (1.1, 1.2, 1.3)],
        "rows split off": [(0.2, 0.3, 0.4), (0.3, 0.4, 0.5), (0.6, 0.7, 1.0)],
    }
    return Savings([0.01, 0.1, 0.5], time, noise=(0.9, 1.0, 1.05), free=0.01)


def test_the_chart_follows_the_slider(shown):
    before = shown._shown.value
    shown._slider.value = 0.5
    assert shown.free == 0.5 and shown._shown.value == shown.picture().data != before


@pytest.mark.parametrize(
    ("share", "mask", "rows"),
    [
        (0.01, (1.2, "longer"), (0.3, "shorter")),
        (0.1, (1.2, "not told apart"), (0.4, "shorter")),
        (0.5, (1.2, "longer"), (0.7, "not told apart")),
    ],
)
def test_a_way_is_told_apart_where_its_bar_lies_beside_the_noise(shown, share, mask, rows):
    shown._slider.value = share
    assert shown.read("mask") == mask and shown.read("rows split off") == rows


def test_a_share_that_was_not_measured_cannot_be_read(shown):
    assert [share for _, share in shown._slider.options] == [0.01, 0.1, 0.5]
    assert Savings([0.1], {"mask": [(1, 1, 1)]}, (1, 1, 1)).free == 0.1


def test_a_reader_without_a_kernel_sees_the_chart_and_one_with_it_the_slider(shown):
    bundle = shown._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["image/png"].startswith(b"\x89PNG")
    assert bundle["text/plain"] == "Savings(mask, rows split off)"
