"""The comparison of pictures sees one hatch, and not the rounding of another processor."""

import numpy as np
import pytest

from helpers.pictures import pixels, plots
from tests.notebooks.pictures import alike, decoded, difference

GRIDS = [(8, 8), (10, 4), (5, 16), (16, 16)]


def weights(shape, noise=0.0):
    """(before, after, frozen) of a grid, its free cells moved, with noise on the weights."""
    random = np.random.default_rng(2)
    before, after = random.normal(scale=0.3, size=(2, *shape)).astype("float32")
    frozen = np.zeros(shape, bool)
    frozen[1:4, 1:3] = True
    before, after = (w + noise * random.normal(size=shape) for w in (before, after))
    return before, np.where(frozen, before, after), frozen


def drawn(before, after, frozen):
    return decoded(plots.png(plots.frozen_now_moved(before, after, frozen)))


@pytest.mark.parametrize("shape", GRIDS)
def test_a_missing_mark_is_seen_on_the_picture_of_a_grid(shape):
    _, after, frozen = weights(shape)
    leaked, fewer = np.zeros_like(frozen), frozen.copy()
    leaked[1, 1], fewer[2, 2] = True, False
    marked, held, less = (
        decoded(pixels.still(after, *masks))
        for masks in ((frozen, "", leaked), (frozen, ""), (fewer, ""))
    )
    assert not alike(marked, held) and not alike(held, less)


@pytest.mark.parametrize("shape", GRIDS)
def test_a_missing_hatch_is_seen(shape):
    before, after, frozen = weights(shape)
    fewer = frozen.copy()
    fewer[2, 2] = False
    assert not alike(drawn(before, after, frozen), drawn(before, after, fewer))


@pytest.mark.parametrize("shape", GRIDS)
def test_a_hatch_moved_by_a_column_is_seen(shape):
    before, after, frozen = weights(shape)
    assert not alike(drawn(before, after, frozen), drawn(before, after, np.roll(frozen, 1, 1)))


@pytest.mark.parametrize("shape", GRIDS)
def test_noise_of_another_processor_is_let_pass(shape):
    one, other = drawn(*weights(shape)), drawn(*weights(shape, noise=6e-4))
    assert not np.array_equal(one, other) and alike(one, other)


def test_pictures_of_different_sizes_are_different():
    assert difference(np.zeros((2, 3, 4)), np.zeros((3, 2, 4))) == 1
