"""The shape of a grid, and cells of it named by rows and columns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.playground import grids

SHAPES = st.tuples(st.integers(1, 12), st.integers(1, 12))


# as_shape


@pytest.mark.parametrize("shape", [(1, 1), (512, 512), (1, 512), (512, 1), (64, 10)])
def test_grids_up_to_512_can_be_painted(shape):
    assert grids.as_shape(shape) == shape


@pytest.mark.parametrize("shape", [(513, 1), (1, 513), (513, 513), (0, 3), (3, 0)])
def test_other_grids_hear_the_limit_and_a_way_out(shape):
    with pytest.raises(ValueError) as refused:
        grids.as_shape(shape)
    said = str(refused.value)
    assert f"{shape[0]}×{shape[1]}" in said and "512×512" in said and "np.s_[" in said


@pytest.mark.parametrize("shape", [(), (10,), (3, 3, 1, 8)])
def test_variables_without_two_dimensions_hear_how_to_slice(shape):
    with pytest.raises(ValueError) as refused:
        grids.as_shape(shape)
    said = str(refused.value)
    assert str(shape) in said and "two dimensions" in said and "np.s_[:, :, 0, 0]" in said


def test_the_advice_about_slices_is_right():
    assert grids.as_shape(np.empty((3, 3, 1, 8))[np.s_[:, :, 0, 0]].shape) == (3, 3)
    assert grids.as_shape(np.empty((600, 700))[np.s_[:512, :512]].shape) == (512, 512)


# pick


def test_numbers_are_paired_one_to_one():
    picked = grids.pick([0, 1], [2, 3], (2, 4))
    assert np.argwhere(picked).tolist() == [[0, 2], [1, 3]]


def test_slices_make_a_block():
    picked = grids.pick(slice(0, 2), slice(1, 3), (3, 4))
    assert np.argwhere(picked).tolist() == [[0, 1], [0, 2], [1, 1], [1, 2]]


def test_one_number_serves_a_whole_list_or_slice():
    assert np.argwhere(grids.pick(1, [0, 2], (2, 3))).tolist() == [[1, 0], [1, 2]]
    assert np.argwhere(grids.pick(slice(None), 2, (2, 3))).tolist() == [[0, 2], [1, 2]]


@given(SHAPES, st.data())
def test_pick_is_numpy_indexing(shape, data):
    def index(side):
        numbers = st.integers(0, side - 1)
        return st.one_of(numbers, st.builds(slice, st.none() | numbers, st.none() | numbers))

    rows, columns = data.draw(index(shape[0])), data.draw(index(shape[1]))
    wanted = np.zeros(shape, bool)
    wanted[rows, columns] = True
    np.testing.assert_array_equal(grids.pick(rows, columns, shape), wanted)


@given(SHAPES, st.lists(st.tuples(st.integers(-3, 14), st.integers(-3, 14)), max_size=8))
def test_pairs_inside_are_picked_and_one_outside_refuses_all(shape, pairs):
    rows, columns = [r for r, _ in pairs], [c for _, c in pairs]
    if all(0 <= r < shape[0] and 0 <= c < shape[1] for r, c in pairs):
        cells = {tuple(cell) for cell in np.argwhere(grids.pick(rows, columns, shape)).tolist()}
        assert cells == set(pairs)
    else:
        with pytest.raises(IndexError):
            grids.pick(rows, columns, shape)


@pytest.mark.parametrize(
    ("rows", "columns", "named"),
    [
        (8, 0, "Row 8"),
        (-1, 0, "Row -1"),
        ([0, 9], [0, 0], "Row 9"),
        (slice(0, 9), 0, "Row 9"),
        (slice(-1, None), 0, "Row -1"),
        (0, 10, "Column 10"),
        (0, -2, "Column -2"),
    ],
)
def test_a_cell_outside_is_named_with_the_range(rows, columns, named):
    with pytest.raises(IndexError) as refused:
        grids.pick(rows, columns, (8, 10))
    last = "0 to 7" if named.startswith("Row") else "0 to 9"
    assert named in str(refused.value) and last in str(refused.value)


def test_lists_of_different_lengths_hear_about_pairs_and_slices():
    with pytest.raises(IndexError, match="2 rows and 3 columns.*slice"):
        grids.pick([0, 1], [0, 1, 2], (4, 4))


@pytest.mark.parametrize("rows", [0.5, [1.0], "a", [True, False]])
def test_other_things_than_whole_numbers_are_refused(rows):
    with pytest.raises(TypeError, match="whole numbers"):
        grids.pick(rows, 0, (2, 2))


def test_no_rows_are_no_cells():
    assert not grids.pick([], [], (2, 2)).any()
