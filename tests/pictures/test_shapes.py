"""Held, leaked and free cells are told apart by their shape, by everybody: also without colours.

How it is measured: a cell's picture is reduced to its luminance, as eyes of several kinds see it.
A free cell is plain. A held one is hatched: it varies, and all its edges run one way. A leaked one
is crossed: it varies, and its edges run one way as much as the other.
"""

import itertools

import numpy as np
import pytest

from helpers.pictures import plots
from tests.pictures.small import drawn

# What the three common kinds of colour blindness, at their strongest, make of linear RGB: Machado,
# Oliveira and Fernandes 2009, "A physiologically-based model for simulation of color vision
# deficiency", IEEE Transactions on Visualization and Computer Graphics 15(6), tables for 1.0.
EYES = {
    "common": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
SIDES = [4, 8, 16, 24]  # cells in a row of the grid
DRAWN = {
    "heatmap": lambda axes, *masks: plots.heatmap(axes, shades(len(masks[0])), *masks),
    "moved": lambda axes, *masks: plots.moved(
        axes, np.zeros_like(masks[0], float), np.abs(shades(len(masks[0]))), *masks
    ),
}


def shades(side):
    """Weights of every shade, from the darkest blue to the darkest orange."""
    return np.linspace(-1, 1, side * side).reshape(side, side)


def kinds(side):
    """Bool masks of frozen and of leaked cells, so that each kind has cells of every shade."""
    kind = np.add.outer(np.arange(side), np.arange(side)) % 3
    return kind > 0, kind == 2


def seen(image, eyes):
    """The luminance of an image (height, width, RGB), 0 to 1 as a screen counts, to such eyes."""
    linear = np.where(image <= 0.04045, image / 12.92, ((image + 0.055) / 1.055) ** 2.4)
    light = np.clip(linear @ np.transpose(EYES[eyes]), 0, 1) @ [0.2126, 0.7152, 0.0722]
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def panel(axes):
    """The drawn panel, cut at its edges, as an image (height, width, RGB), top first."""
    image = drawn(axes.figure)
    left, bottom, right, top = axes.get_window_extent().extents.round().astype(int)
    return image[len(image) - top : len(image) - bottom, left:right]


def cells(luminance, side):
    """The picture of each cell, without its rim, by its row and column."""
    height, width = (length / side for length in luminance.shape)
    for row in range(side):
        for column in range(side):
            top, left, rim = row * height, column * width, 0.1 * height
            rows = slice(round(top + rim), round(top + height - rim))
            yield (row, column), luminance[rows, round(left + rim) : round(left + width - rim)]


def slant(picture):
    """How far all edges of a picture run one way: 1 for strokes that are parallel and slant, 0 for
    as many of them the other way."""
    down, right = np.gradient(picture)
    return 2 * abs((down * right).sum()) / (down**2 + right**2).sum()


def shape_of(picture):
    """What a cell's picture is, to somebody who knows the marks: free, held or leaked."""
    if picture.std() < 0.05:
        return "free"
    return "held" if slant(picture) > 0.5 else "leaked"


def misread(axes, side, eyes):
    """The cells whose shape says another thing than the masks."""
    frozen, leaked = kinds(side)
    told = np.where(leaked, "leaked", np.where(frozen, "held", "free"))
    found = {at: shape_of(picture) for at, picture in cells(seen(panel(axes), eyes), side)}
    return [(at, told[at], shape) for at, shape in found.items() if shape != told[at]]


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("drawn", DRAWN)
def test_the_three_kinds_of_cells_stay_apart_on_every_shade(drawn, side, eyes):
    _, (axes,) = plots.figure()
    DRAWN[drawn](axes, *kinds(side))
    assert misread(axes, side, eyes) == []


@pytest.mark.parametrize("eyes", EYES)
def test_they_stay_apart_in_all_three_panels_of_frozen_now_moved(eyes):
    frozen, leaked = kinds(8)
    start = shades(8)
    now = np.where(frozen & ~leaked, start, start[::-1])
    for axes in plots.frozen_now_moved(start, now, frozen, leaked).axes:
        assert misread(axes, 8, eyes) == []


def test_the_measure_finds_out_marks_that_differ_by_colour_alone(monkeypatch):
    monkeypatch.setattr(plots, "CROSS", plots.HATCH)
    _, (axes,) = plots.figure()
    plots.heatmap(axes, np.zeros((8, 8)), *kinds(8))
    wrong = misread(axes, 8, "common")
    assert {(told, shape) for _, told, shape in wrong} == {("leaked", "held")}


def test_the_eyes_are_those_of_the_paper():
    """White stays white to all; to those with protanopia red is dark, and to none else."""
    white, red = np.ones((1, 1, 3)), np.array([[[1.0, 0.0, 0.0]]])
    for eyes in EYES:
        assert seen(white, eyes).item() == pytest.approx(1, abs=1e-4)
    light = {eyes: seen(red, eyes).item() for eyes in EYES}
    assert min(light, key=light.get) == "protanopia"


# frozen_now_moved

AT_FREEZE = np.array([[-2.0, 0.0], [1.0, 2.0]])
FROZEN = np.array([[True, False], [False, True]])
LEAKED = np.array([[False, False], [False, True]])
NOW = AT_FREEZE + np.array([[0.0, 1.0], [-0.5, 0.25]])


def test_three_panels_say_what_was_what_is_and_what_has_moved_since():
    was, now, moved = plots.frozen_now_moved(AT_FREEZE, NOW, FROZEN, LEAKED).axes
    assert [axes.get_title() for axes in (was, now, moved)] == [
        "when frozen",
        "now",
        "moved since frozen",
    ]
    np.testing.assert_array_equal(was.images[0].get_array(), AT_FREEZE)
    np.testing.assert_array_equal(now.images[0].get_array(), NOW)
    assert was.images[0].get_clim() == now.images[0].get_clim() == (-2.25, 2.25)
    assert moved.images[0].get_array().filled(0).tolist() == [[0, 1], [0.5, 0.25]]


def test_a_held_cell_is_almost_white_where_it_would_show_how_far_it_moved():
    moved = plots.frozen_now_moved(AT_FREEZE, NOW, FROZEN, LEAKED).axes[2]
    light = {at: np.median(picture) for at, picture in cells(seen(panel(moved), "common"), 2)}
    assert light[0, 0] > 0.93 and max(light[0, 1], light[1, 0], light[1, 1]) < 0.85


def test_values_that_are_much_smaller_have_a_scale_of_their_own_which_the_titles_say():
    made = plots.frozen_now_moved(AT_FREEZE / 100, NOW, FROZEN, LEAKED)
    was, now, _ = made.axes
    assert was.images[0].get_clim() == (-0.02, 0.02) and now.images[0].get_clim() == (-2.25, 2.25)
    assert was.get_title() == "when frozen (±0.02)"
    assert now.get_title() == "now (±2.2)"
    assert np.ptp(seen(panel(was), "common")[5:-5, 5:-5]) > 0.3


@pytest.mark.parametrize(
    ("start", "now", "scale"), [(0, NOW, 2.25), (0, NOW / 50, 0.045), (0, 0, 1)]
)
def test_values_that_are_all_zero_have_no_scale_of_their_own(start, now, scale):
    start, now = np.full((2, 2), float(start)), now + np.zeros((2, 2))
    made = plots.frozen_now_moved(start, now, FROZEN, LEAKED).axes
    assert [axes.get_title() for axes in made[:2]] == ["when frozen", "now"]
    assert [axes.images[0].get_clim() for axes in made[:2]] == [(-scale, scale)] * 2


@pytest.mark.parametrize("shape", [(64, 4), (8, 8), (4, 64)])
@pytest.mark.parametrize("apart", [1, 100])
def test_the_key_and_the_titles_fit_and_name_the_marks_that_are_there(shape, apart):
    start = np.full(shape, -123.456)
    frozen, leaked = np.ones(shape, bool), np.zeros(shape, bool)
    leaked[0, 0] = True
    made = plots.frozen_now_moved(start, start * apart, frozen, leaked)
    made.draw_without_rendering()
    key = made._supxlabel.get_window_extent()
    assert made.bbox.x0 < key.x0 and key.x1 < made.bbox.x1 and key.y0 >= 0
    titles = [axes.title.get_window_extent() for axes in made.axes]
    assert all(one.x1 < other.x0 for one, other in itertools.pairwise(titles))
    assert titles[0].x0 > 0 and titles[-1].x1 < made.bbox.x1
    text = made._supxlabel.get_text()
    assert "hatched" in text and "crossed" in text
    none = plots.frozen_now_moved(start, start, ~frozen, ~frozen)._supxlabel.get_text()
    assert "hatched" not in none and "crossed" not in none


def test_numbers_that_are_not_finite_do_not_spoil_it():
    bad = np.array([[np.nan, 1.0], [np.inf, -4.0]])
    for made in (
        plots.frozen_now_moved(bad, NOW, FROZEN, LEAKED),
        plots.frozen_now_moved(AT_FREEZE, bad, FROZEN, LEAKED),
    ):
        assert [axes.images[0].get_clim() for axes in made.axes[:2]] == [(-4, 4)] * 2
        assert plots.png(made).startswith(b"\x89PNG")


@pytest.mark.parametrize("place", [2, 3])
def test_a_mask_that_is_none_is_refused(place):
    arguments = [AT_FREEZE, NOW, FROZEN, LEAKED]
    for bad in (np.zeros((2, 2)), np.zeros((2, 3), bool)):
        arguments[place] = bad
        with pytest.raises((TypeError, ValueError), match="mask"):
            plots.frozen_now_moved(*arguments)


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("side", [48, 64, 512])
def test_of_cells_too_small_for_strokes_whole_regions_stay_apart(side, eyes):
    """The three kinds of cells, in squares of 4 by 4, of which each is many small cells."""
    frozen, leaked, values = (np.kron(a, np.ones([side // 4] * 2)) for a in (*kinds(4), shades(4)))
    _, (axes,) = plots.figure()
    plots.heatmap(axes, values, frozen > 0, leaked > 0)
    assert misread(axes, 4, eyes) == []
