"""Savings: charts of what was measured, read where a slider stands."""

import pytest

from helpers.studies.savings import Savings


@pytest.fixture
def shown():
    time = {"mask": [1.2, 1.2, 1.2], "rows split off": [0.3, 0.4, 0.7]}
    memory = {"mask": [1.125] * 3, "rows split off": [0.01, 0.1, 0.5]}
    return Savings([0.01, 0.1, 0.5], time, memory, free=0.01)


def test_the_charts_follow_the_slider(shown):
    before = shown._shown.value
    shown._slider.value = 0.5
    assert shown.free == 0.5 and shown._shown.value == shown.picture().data != before


def test_a_share_that_was_not_measured_cannot_be_read(shown):
    assert [share for _, share in shown._slider.options] == [0.01, 0.1, 0.5]
    assert Savings([0.1], {"mask": [1]}, {"mask": [1]}).free == 0.1


def test_a_reader_without_a_kernel_sees_the_charts_and_one_with_it_the_slider(shown):
    bundle = shown._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["image/png"].startswith(b"\x89PNG")
    assert bundle["text/plain"] == "Savings(mask, rows split off)"
