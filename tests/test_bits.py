"""Bits: what has changed, by how many numbers, and since a cell was frozen."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from helpers import bits

WORDS = {"float16": "uint16", "float32": "uint32", "float64": "uint64"}


@pytest.fixture
def watch():
    """A watch over a row of four cells that held 0, 1, 2 and 3."""
    return bits.Watch(np.arange(4.0))


def mask(*cells):
    """A mask over four cells, True at `cells`."""
    frozen = np.zeros(4, bool)
    frozen[list(cells)] = True
    return frozen


# changed_bits


@given(st.data(), st.sampled_from(sorted(WORDS)))
def test_two_words_are_equal_exactly_when_their_bits_are(data, dtype):
    words = hnp.arrays(WORDS[dtype], (2, 3))
    before, after = data.draw(words), data.draw(words)
    changed = bits.changed_bits(before.view(dtype), after.view(dtype))
    assert changed.dtype == bool
    np.testing.assert_array_equal(changed, before != after)
    assert not bits.changed_bits(before.view(dtype), before.view(dtype)).any()


@pytest.mark.parametrize("judge", [bits.changed_bits, bits.ulps])
def test_what_cannot_be_compared_is_refused(judge):
    with pytest.raises(TypeError, match="float64 and float32 arrived"):
        judge(np.zeros(2), np.zeros(2, "float32"))
    with pytest.raises(TypeError, match="bool and bool arrived"):
        judge(np.zeros(2, bool), np.zeros(2, bool))
    with pytest.raises(ValueError, match=r"\(2,\) and \(1,\) arrived"):
        judge(np.zeros(2), np.zeros(1))


@pytest.mark.parametrize("judge", [bits.changed_bits, bits.ulps])
def test_a_scalar_s_answer_is_a_scalar(judge):
    assert judge(np.float32(1), np.float32(2)).shape == ()


@pytest.mark.parametrize("dtype", sorted(WORDS))
def test_minus_zero_is_not_zero(dtype):
    zero = np.zeros((1, 1), dtype)
    assert bits.changed_bits(zero, -zero).all()


@pytest.mark.parametrize("dtype", sorted(WORDS))
def test_a_nan_equals_itself_and_no_other_nan(dtype):
    one = np.full((1, 1), np.nan, dtype)
    other = (one.view(WORDS[dtype]) ^ 1).view(dtype)
    assert np.isnan(other).all()
    assert not bits.changed_bits(one, one.copy()).any() and bits.changed_bits(one, other).all()


@pytest.mark.parametrize("dtype", sorted(WORDS))
def test_the_lowest_bit_counts(dtype):
    one = np.ones((2, 2), dtype)
    assert bits.changed_bits(one, np.nextafter(one, np.asarray(2, dtype))).all()


def test_slices_that_are_not_contiguous_can_be_compared():
    whole = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    after = whole.copy()
    after[1, 2, 3] += 1
    assert np.argwhere(bits.changed_bits(whole[:, :, 3], after[:, :, 3])).tolist() == [[1, 2]]


# ulps


def finite(dtype):
    return hnp.arrays(dtype, 5, elements=st.floats(width=np.dtype(dtype).itemsize * 8)).filter(
        lambda values: np.isfinite(values).all()
    )


@pytest.mark.parametrize("dtype", ["float16", ml_dtypes.bfloat16])
@pytest.mark.filterwarnings("ignore:invalid value")  # bfloat16 has NaNs that signal
def test_ulps_are_places_in_the_list_of_all_numbers(dtype):
    """All numbers of two bytes, in order: -0.0 right before 0.0, NaN left out."""
    every = np.arange(2**16, dtype=np.uint16).view(dtype)
    every = every[np.isfinite(every.astype(np.float64))]
    places = np.lexsort([~np.signbit(every), every.astype(np.float64)]).argsort()
    for shift in (1, 17, 30_000):
        expected = np.abs(places - np.roll(places, shift))
        np.testing.assert_array_equal(bits.ulps(every, np.roll(every, shift)), expected)


@given(st.data(), st.sampled_from(["float32", "float64"]))
def test_ulps_count_steps_of_nextafter(data, dtype):
    before = data.draw(hnp.arrays(dtype, 3, elements=st.floats(0, 2.0**99, width=32)))
    steps, after = data.draw(st.integers(0, 9)), before
    for _ in range(steps):
        after = np.nextafter(after, np.asarray(np.inf, dtype))
    far = bits.ulps(before, after)
    np.testing.assert_array_equal(far, steps + (np.signbit(before) if steps else 0))
    assert far.dtype == np.float64 and far.shape == before.shape


@given(st.data())
def test_ulps_add_up_along_the_line_and_are_the_same_both_ways(data):
    drawn = [data.draw(finite("float32")) for _ in range(3)]
    low, middle, high = np.sort(drawn, axis=0) + np.float32(0)  # for sort, -0.0 is 0.0
    np.testing.assert_array_equal(
        bits.ulps(low, high), bits.ulps(low, middle) + bits.ulps(middle, high)
    )
    np.testing.assert_array_equal(bits.ulps(low, high), bits.ulps(high, low))


@given(st.data(), st.sampled_from(sorted(WORDS)))
def test_ulps_are_zero_exactly_where_no_bit_changed(data, dtype):
    words = hnp.arrays(WORDS[dtype], 4, elements=st.integers(0, 3) | st.integers(0, 2**16 - 1))
    before, after = (data.draw(words).view(dtype) for _ in range(2))
    np.testing.assert_array_equal(bits.ulps(before, after) != 0, bits.changed_bits(before, after))


@pytest.mark.parametrize("dtype", sorted(WORDS))
def test_a_number_that_is_not_finite_is_infinitely_far_from_all_but_itself(dtype):
    numbers = np.array([np.nan, np.inf, -np.inf, 0, 1], dtype)
    far = bits.ulps(*(np.ascontiguousarray(a) for a in np.meshgrid(numbers, numbers)))
    assert np.isinf(far[:3]).sum() == np.isinf(far[:, :3]).sum() == 12
    assert not np.diag(far).any() and np.isfinite(far[3:, 3:]).all()


def test_the_ends_of_the_line_are_as_far_apart_as_there_are_numbers():
    for dtype, exponents, places in (
        ("float16", 30, 10),
        ("float32", 254, 23),
        ("float64", 2046, 52),
    ):
        largest = np.array([np.finfo(dtype).max])
        one_side = (exponents << places) + (1 << places) - 1
        assert bits.ulps(-largest, largest) == float(2 * one_side + 1)


# Watch


def test_nothing_leaks_before_anything_is_frozen(watch):
    assert not watch.leaks(np.full(4, 9.0)).any()


def test_only_frozen_cells_leak(watch):
    watch.freeze(mask(1, 2), np.arange(4.0))
    assert watch.leaks(np.array([9.0, 9.0, 2.0, 9.0])).tolist() == mask(1).tolist()


def test_each_cell_is_compared_with_its_value_at_the_time_it_was_frozen(watch):
    watch.freeze(mask(0), np.array([5.0, 5.0, 5.0, 5.0]))
    watch.freeze(mask(0, 1), np.array([6.0, 7.0, 6.0, 6.0]))
    assert watch.leaks(np.array([5.0, 7.0, 0.0, 0.0])).tolist() == mask().tolist()
    assert watch.leaks(np.array([6.0, 5.0, 0.0, 0.0])).tolist() == mask(0, 1).tolist()


def test_a_cell_that_came_back_to_its_value_is_not_leaking(watch):
    watch.freeze(mask(2), np.arange(4.0))
    assert watch.leaks(np.full(4, 8.0)).any()
    assert not watch.leaks(np.arange(4.0)).any()


def test_thawing_and_freezing_again_starts_anew(watch):
    watch.freeze(mask(3), np.arange(4.0))
    watch.freeze(mask(), np.full(4, 8.0))
    assert not watch.leaks(np.full(4, 8.0)).any()
    watch.freeze(mask(3), np.full(4, 8.0))
    assert not watch.leaks(np.full(4, 8.0)).any()
    assert watch.leaks(np.arange(4.0)).tolist() == mask(3).tolist()


def test_the_last_leak_is_told_by_the_look_that_found_a_change(watch):
    values = np.arange(4.0)
    watch.freeze(mask(1), values)
    assert watch.last_leak(values, 5) is None
    values[[1, 2]] = 9
    assert watch.last_leak(values, 7) == 7 == watch.last_leak(values, 8)
    values[2] = 10  # a free cell
    watch.freeze(mask(1, 2), values)
    assert watch.last_leak(values, 9) == 7
    watch.freeze(mask(), values)
    assert watch.last_leak(values, 10) is None


def test_the_watch_keeps_copies(watch):
    values, frozen = np.arange(4.0), mask(1)
    watch.freeze(frozen, values)
    values[1], frozen[1] = 50.0, False
    assert watch.frozen.tolist() == mask(1).tolist()
    assert watch.leaks(values).tolist() == mask(1).tolist()


def test_the_watch_writes_into_no_array_but_its_own():
    first = np.arange(4.0)
    watch = bits.Watch(first)
    watch.freeze(mask(0, 1), np.full(4, 9.0))
    assert first.tolist() == [0, 1, 2, 3]


@given(st.lists(st.tuples(hnp.arrays(bool, 3), hnp.arrays("int8", 3)), min_size=1, max_size=10))
def test_any_history_agrees_with_a_diary(history):
    watch, diary = bits.Watch(np.zeros(3)), {}
    for frozen, values in history:
        watch.freeze(frozen, values.astype(float))
        cells = np.flatnonzero(frozen)
        diary = {cell: diary.get(cell, values[cell]) for cell in cells}
        now = values[::-1].astype(float)
        assert watch.leaks(now).tolist() == [c in diary and now[c] != diary[c] for c in range(3)]
