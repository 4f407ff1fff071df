"""Masks: one polarity, checked at the door, and counts that are what was asked for."""

import string
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from helpers import masks
from helpers.device import tf

SHAPES = st.tuples(st.integers(1, 12), st.integers(1, 12))
MASKS = SHAPES.flatmap(lambda shape: hnp.arrays(bool, shape))


# as_frozen


@pytest.mark.parametrize("read", [list, tuple, np.array, tf.constant])
def test_a_mask_may_be_anything_that_reads_as_booleans(read):
    rows = [[True, False, False], [False, False, True]]
    frozen = masks.as_frozen(read(rows), (2, 3))
    assert isinstance(frozen, np.ndarray) and frozen.dtype == np.bool_
    assert frozen.tolist() == rows


@given(MASKS)
def test_a_checked_mask_is_a_fresh_copy(mask):
    kept = mask.copy()
    frozen = masks.as_frozen(mask, mask.shape)
    np.testing.assert_array_equal(frozen, mask)
    frozen ^= True
    np.testing.assert_array_equal(mask, kept)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint8"])
def test_numbers_are_no_mask_and_the_message_says_what_to_do(dtype):
    with pytest.raises(TypeError) as refused:
        masks.as_frozen(np.ones((2, 3), dtype), (2, 3))
    said = str(refused.value)
    assert dtype in said and "bool" in said and "True = frozen" in said and "mask > 0.5" in said


def test_the_advice_about_numbers_is_right():
    ones_are_frozen = np.array([[1.0, 0.0]])
    assert masks.as_frozen(ones_are_frozen > 0.5, (1, 2)).tolist() == [[True, False]]


@pytest.mark.parametrize("arrived", [(3, 2), (6,), (2, 3, 1), (1, 2, 3), (2, 4), ()])
def test_another_shape_is_refused_and_both_shapes_are_named(arrived):
    with pytest.raises(ValueError) as refused:
        masks.as_frozen(np.zeros(arrived, bool), (2, 3))
    said = str(refused.value)
    assert str(arrived) in said and "(2, 3)" in said and "np.zeros(shape, bool)" in said


def test_ragged_lists_are_refused():
    with pytest.raises((TypeError, ValueError)):
        masks.as_frozen([[True], [True, False]], (2, 2))


@given(SHAPES, SHAPES)
def test_only_the_very_shape_passes(arrived, wanted):
    try:
        masks.as_frozen(np.zeros(arrived, bool), wanted)
        passed = True
    except ValueError:
        passed = False
    assert passed == (arrived == wanted)


# largest and random


@pytest.mark.parametrize(
    ("size", "fraction", "count"),
    [(100, 0.29, 29), (100, 0.57, 57), (10, 0.26, 3), (3, 1, 3), (3, 0, 0)],
)
def test_counts_are_rounded_not_cut(size, fraction, count):
    """int(100 * 0.29) is 28, because 0.29 is a little less than 29 hundredths."""
    assert masks.random((1, size), fraction, seed=0).sum() == count
    assert masks.largest(np.arange(size, dtype=float).reshape(1, -1), fraction).sum() == count


@given(SHAPES, st.floats(0, 1), st.integers(0, 2**32))
def test_random_freezes_the_nearest_count_and_repeats_by_seed(shape, fraction, seed):
    frozen = masks.random(shape, fraction, seed)
    assert frozen.shape == shape and abs(frozen.sum() - frozen.size * fraction) <= 0.5
    np.testing.assert_array_equal(frozen, masks.random(shape, fraction, seed))


def test_other_seeds_freeze_other_cells():
    drawn = {masks.random((8, 8), 0.5, seed).tobytes() for seed in range(20)}
    assert len(drawn) == 20


def test_random_reaches_every_cell():
    assert np.mean([masks.random((4, 4), 0.25, seed) for seed in range(400)], 0).min() > 0.1


@given(hnp.arrays(float, SHAPES, elements=st.integers(-3, 3).map(float)), st.floats(0, 1))
def test_largest_freezes_magnitudes_and_breaks_ties_by_place(values, fraction):
    frozen = masks.largest(values, fraction).ravel()
    flat = np.abs(values).ravel()
    wanted = sorted(range(flat.size), key=lambda i: (-flat[i], i))[: frozen.sum()]
    assert sorted(wanted) == np.flatnonzero(frozen).tolist()
    assert abs(frozen.sum() - frozen.size * fraction) <= 0.5


@pytest.mark.parametrize("fraction", [-0.1, 1.1, 29, float("nan")])
def test_other_fractions_are_refused(fraction):
    with pytest.raises(ValueError, match=str(fraction)):
        masks.random((2, 2), fraction, seed=0)
    with pytest.raises(ValueError, match=str(fraction)):
        masks.largest(np.ones((2, 2)), fraction)


# all_but_largest, grow


@given(st.lists(SHAPES, min_size=1, max_size=4), st.floats(0, 1), st.integers(0, 9))
def test_all_but_largest_compares_all_arrays_and_leaves_the_budget_free(shapes, fraction, seed):
    draw = np.random.default_rng(seed)
    scores = [draw.integers(0, 9, shape).astype(float) for shape in shapes]
    frozen = masks.all_but_largest(scores, fraction)
    assert [f.shape for f in frozen] == shapes
    free = np.concatenate([s[~f] for s, f in zip(scores, frozen)])
    held = np.concatenate([s[f] for s, f in zip(scores, frozen)])
    assert len(free) == round(fraction * (len(free) + len(held)))
    assert not len(free) or not len(held) or free.min() >= held.max()


def test_one_array_at_a_time_is_a_budget_a_layer():
    scores = [np.array([9.0, 8.0]), np.array([2.0, 1.0])]
    assert np.concatenate(masks.all_but_largest(scores, 0.5)).tolist() == [False, False, True, True]
    each = [masks.all_but_largest([s], 0.5)[0].tolist() for s in scores]
    assert each == [[False, True], [False, True]]


@given(MASKS, st.floats(0, 1), st.integers(0, 9))
def test_grown_masks_are_nested_and_take_the_best_of_what_was_free(frozen, fraction, seed):
    kept, scores = frozen.copy(), np.random.default_rng(seed).integers(0, 9, frozen.shape)
    grown = masks.grow(frozen, scores, fraction)
    new, left = grown & ~frozen, ~grown
    assert (frozen == kept).all() and grown[frozen].all()
    assert new.sum() == round(fraction * (~frozen).sum())
    assert not new.any() or not left.any() or scores[new].min() >= scores[left].max()


def test_grow_refuses_a_mask_of_another_shape():
    with pytest.raises(ValueError, match="shape"):
        masks.grow(np.zeros((2, 2), bool), np.zeros((2, 3)), 0.5)


# as_text and from_text


@given(SHAPES.flatmap(lambda shape: hnp.arrays(bool, (*shape, 3))))
def test_a_mask_survives_its_text(mask):
    text = masks.as_text(mask)
    assert set(text) <= set(string.ascii_letters + string.digits + "-_")
    frozen = masks.from_text(text, mask.shape)
    assert frozen.dtype == bool and frozen.flags.writeable
    np.testing.assert_array_equal(frozen, mask)


@pytest.mark.parametrize("mask", [np.ones((512, 512), bool), np.indices((512, 512))[0] < 99])
def test_a_simple_mask_has_a_short_text(mask):
    assert len(masks.as_text(mask)) < 200


@pytest.mark.parametrize(
    "text", ["", "A", "AAAA", "no base64!", "é", masks.as_text(np.ones((8, 4), bool)), "_" * 20]
)
def test_a_text_that_is_no_mask_of_that_shape_is_refused(text):
    with pytest.raises(ValueError, match="arrived; a mask of 64 cells was wanted"):
        masks.from_text(text, (8, 8))


@pytest.mark.parametrize("cells", [65, 128, 64_000_000])
def test_of_a_text_that_holds_more_no_more_is_unpacked_than_fits(cells):
    text = masks.as_text(np.zeros(cells, bool))
    with pytest.raises(ValueError, match="64 cells"):
        masks.from_text(text, (8, 8))
    tracemalloc.start()
    with pytest.raises(ValueError):
        masks.from_text(text, (8, 8))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 1e6
