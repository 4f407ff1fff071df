"""Pictures: the right cells in the right colours, and hatch on frozen cells alone."""

import io

import matplotlib.colors
import matplotlib.image
import numpy as np
import pytest

from helpers.pictures import plots
from tests.pictures.small import VALUES, drawn, mask


@pytest.fixture
def axes():
    """Axes of a figure of one panel."""
    return plots.figure()[1][0]


def pixels(axes):
    """The drawn panel, cut at its frame, as an image of floats (height, width, 3), top first."""
    image = drawn(axes.figure)
    left, bottom, right, top = axes.get_window_extent().extents.round().astype(int)
    return image[len(image) - top + 3 : len(image) - bottom - 3, left + 3 : right - 3]


def cell(image, row, column, shape=(2, 2)):
    """The pixels of one cell, without its rim."""
    height, width = image.shape[0] / shape[0], image.shape[1] / shape[1]
    top, left = row * height, column * width
    rows = slice(int(top + 0.1 * height), int(top + 0.9 * height))
    return image[rows, int(left + 0.1 * width) : int(left + 0.9 * width)].reshape(-1, 3)


def hatched(image, row, column):
    """Whether a cell is of more than one colour."""
    return cell(image, row, column).std(0).max() > 0.02


def test_a_heatmap_returns_its_axes_and_centres_its_colours_on_zero(axes):
    assert plots.heatmap(axes, VALUES, title="weights") is axes
    (image,) = axes.images
    np.testing.assert_array_equal(image.get_array(), VALUES)
    assert image.get_clim() == (-2, 2) and axes.get_title() == "weights"


def test_zero_is_white_below_is_blue_and_above_is_orange(axes):
    image = pixels(plots.heatmap(axes, VALUES))
    low, zero, high = (cell(image, *at).mean(0) for at in ((0, 0), (0, 1), (1, 1)))
    assert low[2] > low[0] + 0.2 and high[0] > high[2] + 0.2 and zero.min() > 0.95


def test_the_scale_can_be_given(axes):
    plots.heatmap(axes, VALUES, scale=10)
    assert axes.images[0].get_clim() == (-10, 10)


@pytest.mark.parametrize("values", [np.zeros((2, 2)), np.full((2, 2), np.nan)])
def test_a_heatmap_of_nothing_has_a_scale_all_the_same(axes, values):
    plots.heatmap(axes, values)
    assert axes.images[0].get_clim() == (-1, 1)


def test_numbers_that_are_not_finite_do_not_spoil_the_scale(axes):
    plots.heatmap(axes, np.array([[np.nan, np.inf], [1.0, -3.0]]))
    assert axes.images[0].get_clim() == (-3, 3)


def test_exactly_the_frozen_cells_are_hatched(axes):
    image = pixels(plots.heatmap(axes, np.zeros((2, 2)), mask((0, 1), (1, 0))))
    found = [[hatched(image, row, column) for column in range(2)] for row in range(2)]
    assert found == [[False, True], [True, False]]


def test_leaked_cells_are_hatched_in_red_and_intact_ones_are_not(axes):
    frozen, leaked = mask((0, 0), (1, 1)), mask((1, 1))
    image = pixels(plots.heatmap(axes, np.zeros((2, 2)), frozen, leaked))
    intact, red = cell(image, 0, 0), cell(image, 1, 1)
    assert np.ptp(intact, axis=1).max() < 0.1
    assert (red[:, 0] - red[:, 1]).max() > 0.4 and red[:, 0].min() > 0.8
    assert not hatched(image, 0, 1) and not hatched(image, 1, 0)


def test_hatch_follows_rows_and_columns_of_an_oblong_grid(axes):
    frozen = np.zeros((2, 3), bool)
    frozen[0, 2] = True
    image = pixels(plots.heatmap(axes, np.zeros((2, 3)), frozen))
    marked = [[cell(image, r, c, (2, 3)).std() > 0.02 for c in range(3)] for r in range(2)]
    assert marked == frozen.tolist()


@pytest.mark.parametrize("frozen", [np.zeros((2, 3), bool), np.zeros((2, 2))])
def test_a_mask_that_is_none_is_refused(axes, frozen):
    with pytest.raises((TypeError, ValueError), match="mask"):
        plots.heatmap(axes, VALUES, frozen)


def test_cells_that_kept_their_value_are_left_out_of_moved(axes):
    after = VALUES + np.array([[0.0, 1e-9], [0.5, 0.0]])
    assert plots.moved(axes, VALUES, after) is axes
    shown = axes.images[0].get_array()
    assert np.ma.getmaskarray(shown).tolist() == [[True, False], [False, True]]
    image = pixels(axes)
    assert cell(image, 0, 0).min() > 0.93 and cell(image, 0, 1).mean() < 0.9


@pytest.mark.parametrize(("way", "said"), [(0.0, "0"), (0.125, "0.12"), (np.nan, "nan")])
def test_moved_says_how_far(axes, way, said):
    plots.moved(axes, VALUES, VALUES + way)
    assert axes.get_title() == f"moved by {said} at most"


def test_wide_and_high_grids_fill_their_pictures():
    for shape, wanted in (((64, 128), (9, 2.2)), ((16, 16), (9, 3.7)), ((64, 32), (7.2, 3.7))):
        made = plots.frozen_now_moved(*np.ones((2, *shape)), np.zeros(shape, bool))
        np.testing.assert_allclose(made.get_size_inches(), wanted)


def test_a_picture_is_the_same_bytes_again():
    def draw():
        made, (left, right) = plots.figure(panels=2)
        plots.heatmap(left, VALUES, mask((0, 0)))
        plots.moved(right, VALUES, VALUES + 1)
        return plots.png(made)

    first = draw()
    assert first == draw()
    height, width = matplotlib.image.imread(io.BytesIO(first)).shape[:2]
    assert width == 2 * height >= 400


def test_the_widgets_colours_are_those_of_the_pictures():
    assert plots.COLOURS.shape == (2, 256, 3) and plots.COLOURS.dtype == np.uint8
    weights, moved = plots.COLOURS / 255
    np.testing.assert_allclose(weights[128], 0.97, atol=0.02)
    np.testing.assert_allclose(weights[1], plots.WEIGHTS(1 / 255)[:3], atol=0.01)
    np.testing.assert_allclose(moved[255], plots.MOVED(1.0)[:3], atol=0.01)


def test_the_exceptions_stand_out_from_their_neighbours():
    """A cell that moved by one bit must not look like one that has not moved."""
    weights, moved = plots.COLOURS.astype(int)
    assert np.abs(moved[0] - moved[1:]).sum(1).min() > 30
    assert np.abs(weights[0] - weights[1:]).sum(1).min() > 80
