"""Curves of loss and accuracy: short, and of all steps, however they arrive."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.playground import progress
from helpers.playground.progress import CURVE_POINTS, AccuracyCurve, Curve, HeldOutAccuracy


@given(st.lists(st.integers(1, 700), max_size=12))
def test_a_curve_is_the_same_however_its_losses_arrive(parts):
    losses = np.arange(sum(parts), dtype=np.float32)
    whole, chunked, at = Curve(), Curve(), 0
    for one in losses:
        whole.add(np.array([one]))
    for part in parts:
        chunked.add(losses[at : at + part])
        at += part
    np.testing.assert_array_equal(whole.points, chunked.points)
    assert chunked.steps == len(losses) and len(chunked.losses) <= CURVE_POINTS
    steps, values = chunked.points
    np.testing.assert_array_equal(steps, values + 1)
    if parts:
        assert chunked.last == losses[-1] and steps[0] == 1
        assert len(losses) - steps[-1] < chunked.stride


@given(st.lists(st.integers(0, 900), max_size=700))
def test_accuracies_are_few_points_spread_over_all_steps_the_newest_among_them(gaps):
    curve, step = AccuracyCurve(["old", "new"]), 0
    for gap in gaps:
        step += gap
        curve.add(step, (step / 1e6, 1 - step / 1e6))
    steps, old, new = curve.points.astype(float)
    assert len(steps) <= CURVE_POINTS
    np.testing.assert_allclose(old, steps / 1e6, atol=1e-6)
    np.testing.assert_allclose(new, 1 - steps / 1e6, atol=1e-6)
    if gaps:
        assert (steps[0], steps[-1]) == (gaps[0], step) and (np.diff(steps) >= 0).all()


def test_however_often_accuracies_are_measured_their_points_lie_evenly():
    curve = AccuracyCurve(["old"])
    for step in range(1, 20_000):
        curve.add(step, (0.5,))
    steps, _ = curve.points
    assert len(steps) > CURVE_POINTS / 3 and np.diff(steps[:-1]).max() < 4 * np.diff(steps).mean()


@pytest.fixture
def measured(stopped_clock):
    """A HeldOutAccuracy whose measurements take `cost` seconds of a clock that stands still."""
    clock = stopped_clock(progress)
    clock.cost = 0.001

    def predict(inputs):
        clock.now += clock.cost
        return np.eye(2)[inputs]

    right = np.array([0, 1, 1]), np.array([0, 1, 0])
    return HeldOutAccuracy(predict, {"one": right, "two": (right[0], right[0])}, {}), clock


def test_it_is_measured_four_times_a_second_and_more_often_while_steps_are_few(measured):
    accuracy, clock = measured
    accuracy.take(100)
    accuracy.take(160)
    assert accuracy.by_name == {"one": 2 / 3, "two": 1} and accuracy.share == 5 / 6
    assert not accuracy.due(170)
    clock.now += 0.1
    assert not accuracy.due(169) and accuracy.due(170)
    clock.now += 0.16
    assert accuracy.due(161)


def test_what_takes_long_is_not_measured_more_often(measured):
    accuracy, clock = measured
    clock.cost = 0.015  # each of two
    accuracy.take(1)  # which may be longer than usual
    assert accuracy.due(2)
    accuracy.take(10)
    clock.now += 0.2
    assert not accuracy.due(100)
    clock.now += 0.06
    assert accuracy.due(10)
