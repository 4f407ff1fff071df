"""The loss curve: short, and the same however the losses arrive."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from helpers.playground.progress import CURVE_POINTS, Curve


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
