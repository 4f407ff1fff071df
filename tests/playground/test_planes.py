"""Frames: what the browser is told is coarse, but never lies about a bit or a NaN."""

import json
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from helpers import bits
from helpers.playground.painter import planes

SHAPES = st.tuples(st.integers(1, 6), st.integers(1, 6))
DTYPES = ["float16", "float32", "float64"]
SPECIAL = [0.0, -0.0, 1.0, -1.0, 5e-324, -1e-310, 1e-45, -6e-8, 1e-30, 3e-5, 1e30, -3e38, 1e308]
SPECIAL += [float("nan"), float("inf"), -float("inf")]


@st.composite
def pairs(draw):
    """Two arrays of one shape and dtype, of any numbers, some of them equal."""
    dtype, shape = draw(st.sampled_from(DTYPES)), draw(SHAPES)
    width = {"float16": 16, "float32": 32, "float64": 64}[dtype]
    with np.errstate(all="ignore"):
        special = [float(x) for x in np.array(SPECIAL, dtype)]
    numbers = st.sampled_from(special) | st.floats(width=width)
    before = draw(hnp.arrays(dtype, shape, elements=numbers))
    after = draw(hnp.arrays(dtype, shape, elements=numbers))
    return before, np.where(draw(hnp.arrays(bool, shape)), before, after)


def shown(before, after):
    """The header and the arrays of a frame, as the browser reads them; nothing is frozen."""
    nothing = np.zeros(before.shape, bool)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        header, made = planes.of_grid(
            after, bits.changed_bits(before, after), before, nothing, nothing
        )
    weights = np.frombuffer(made["weights"], np.int8).reshape(before.shape)
    return header, weights, np.frombuffer(made["moved"], np.uint8).reshape(before.shape)


@given(pairs())
def test_moved_is_zero_exactly_where_no_bit_has_changed(pair):
    _, _, moved = shown(*pair)
    np.testing.assert_array_equal(moved > 0, bits.changed_bits(*pair))


@given(pairs())
def test_weights_are_minus_128_exactly_where_they_are_not_finite(pair):
    _, weights, _ = shown(*pair)
    np.testing.assert_array_equal(weights == planes.NOT_FINITE, ~np.isfinite(pair[1]))


@given(pairs())
def test_scales_are_positive_numbers_that_json_can_carry(pair):
    header, _, _ = shown(*pair)
    scales = json.loads(json.dumps(header, allow_nan=False))
    assert scales["scale"] > 0 and scales["moved_scale"] > 0


@given(pairs())
def test_codes_are_within_half_a_step_of_the_weights(pair):
    header, weights, _ = shown(*pair)
    finite = np.isfinite(pair[1])
    wanted = pair[1][finite].astype(float) * (127 / header["scale"])
    assert np.all(np.abs(weights[finite] - wanted) <= 0.51)


@given(pairs())
def test_moved_is_rounded_up_and_the_farthest_is_255(pair):
    header, _, moved = shown(*pair)
    with np.errstate(all="ignore"):
        distance = np.abs(pair[1].astype(float) - pair[0].astype(float))
        steps = np.minimum(np.nan_to_num(distance, nan=np.inf) / header["moved_scale"], 1) * 255
    changed = bits.changed_bits(*pair)
    assert np.all(moved[changed] >= np.floor(steps[changed] - 0.1))
    assert np.all(moved[changed] <= np.ceil(np.maximum(steps[changed], 1) + 0.1))


def test_a_step_of_one_bit_beside_a_large_one_is_seen():
    before = np.ones((1, 2), np.float32)
    after = np.array([[np.nextafter(np.float32(1), 2), 1e6]], np.float32)
    assert shown(before, after)[2].tolist() == [[1, 255]]


def test_a_changed_sign_of_zero_is_seen():
    assert shown(np.zeros((1, 2)), np.array([[-0.0, 0.0]]))[2].tolist() == [[1, 0]]


def test_a_frame_changes_nothing_it_is_made_of():
    before, after = np.array([[np.nan, 1.0]]), np.array([[np.inf, -0.0]])
    shown(before, after)
    assert np.isnan(before[0, 0]) and np.isinf(after[0, 0]) and np.signbit(after[0, 1])


@given(SHAPES.flatmap(lambda shape: hnp.arrays(bool, shape)))
def test_packed_masks_come_back(mask):
    np.testing.assert_array_equal(planes.unpack(planes.pack(mask), mask.shape), mask)


def test_the_first_cell_is_the_lowest_bit():
    mask = np.zeros((2, 5), bool)
    mask[0, 0] = mask[1, 4] = True
    assert planes.pack(mask) == bytes([0b00000001, 0b00000010])


@pytest.mark.parametrize("which", ["frozen", "leaked"])
def test_each_mask_goes_to_its_own_plane(which):
    cells = {"frozen": np.zeros((2, 2), bool), "leaked": np.zeros((2, 2), bool)}
    cells[which][1, 0] = True
    one = np.ones((2, 2))
    _, made = planes.of_grid(one, np.zeros((2, 2), bool), one, **cells)
    assert {name: made[name] for name in cells} == {"frozen": b"\0", "leaked": b"\0", which: b"\4"}
