"""Free cells are found piece by piece, and told by few numbers where they are rows or columns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from hypothesis.extra import numpy as arrays

from helpers.device import keras
from helpers.freezing import places
from helpers.freezing.masks import checked_mask

SHAPES = some.one_of(some.just(()), arrays.array_shapes(max_dims=3, max_side=6))
MASKS = SHAPES.flatmap(lambda shape: arrays.arrays(bool, shape))


@given(MASKS, some.integers(1, 50))
def test_the_places_are_those_of_the_free_cells(frozen, at_once):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places, "AT_ONCE", at_once)
        free = places.free_cells(frozen)
    assert free.dtype == places.KEPT.name
    assert free.tolist() == np.flatnonzero(~frozen).tolist()
    if free.size:
        kept = places.compressed(free, frozen.shape)
        assert all(each.dtype == places.KEPT.name for each in kept)
        assert places.places(*kept).numpy().tolist() == free.tolist()


def test_rows_columns_and_blocks_need_no_number_a_cell():
    for rows, columns in [((2, 5), (0, 8)), ((0, 6), (3, 5)), ((1, 4), (2, 8))]:
        frozen = np.ones((6, 8), bool)
        frozen[slice(*rows), slice(*columns)] = False
        starts, offsets = places.compressed(places.free_cells(frozen), frozen.shape)
        assert len(starts) == rows[1] - rows[0] and len(offsets) == columns[1] - columns[0]


def test_an_array_that_is_a_mask_is_not_copied():
    frozen = np.zeros((3, 4), bool)
    assert checked_mask(frozen, keras.Variable(np.zeros((3, 4)))) is frozen
