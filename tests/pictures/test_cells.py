"""Cells of a grid in whole pixels: weights, blocks of frozen cells, and leaked ones."""

import matplotlib.colors
import numpy as np
import pytest

from helpers.pictures import cells, plots
from tests.pictures.small import VALUES, mask

SIDE = 48


def drawn(frozen=None, leaked=None, values=VALUES, side=SIDE):
    """The cells' pixels as colours, float (height, width, 3) from 0 to 255."""
    none = np.zeros(np.shape(values), bool)
    masks = (none if each is None else each for each in (frozen, leaked))
    return cells.PALETTE[cells.drawn(values, *masks, 2, side)].astype(float)


def near(pixels, colour):
    """Which pixels have this colour, bool (height, width)."""
    return np.abs(pixels - 255 * np.array(matplotlib.colors.to_rgb(colour))).max(-1) < 12


def quarter(pixels, row, column, side=SIDE):
    """The pixels of one cell."""
    return pixels[row * side : (row + 1) * side, column * side : (column + 1) * side]


def test_free_cells_have_the_colours_of_the_weights_and_nothing_else():
    wanted = 255 * plots.WEIGHTS(0.5 + VALUES / 4)[..., :3]
    for row, column in np.ndindex(2, 2):
        cell = quarter(drawn(), row, column)
        np.testing.assert_allclose(cell, np.broadcast_to(wanted[row, column], cell.shape), atol=5)


def test_what_is_not_finite_stands_out_and_what_is_beyond_the_scale_has_its_last_colour():
    pixels = drawn(values=np.array([[np.nan, np.inf], [-9.0, 9.0]]))
    assert near(quarter(pixels, 0, 0), plots.NOT_FINITE).all()
    assert near(quarter(pixels, 0, 1), plots.NOT_FINITE).all()
    assert near(quarter(pixels, 1, 0), plots.WEIGHTS(0.0)[:3]).all()
    assert near(quarter(pixels, 1, 1), plots.WEIGHTS(1.0)[:3]).all()


@pytest.mark.parametrize("side", [SIDE, 16, 8])
def test_a_hatch_and_an_outline_leave_most_of_a_frozen_cell_to_its_weight(side):
    free, held = drawn(side=side), drawn(mask((0, 0), (0, 1)), side=side)
    differs = (free != held).any(-1)
    assert not differs[side:].any() and differs[:side].any()
    inside = differs[3:side, 3 : 2 * side - 3]
    assert 0.1 < inside.mean() < (0.3 if side == SIDE else 0.6)
    assert (held != drawn(mask((0, 0), (0, 1)), mask(), side=side)).sum() == 0


def test_the_outline_goes_around_a_block_and_not_between_its_cells():
    pixels = near(drawn(mask((0, 0), (0, 1))), "#202020")
    assert pixels[:3].all() and pixels[SIDE - 3 : SIDE].all() and pixels[:SIDE, :3].all()
    assert pixels[4 : SIDE - 4, SIDE - 1].mean() < 0.2


@pytest.mark.parametrize("side", [SIDE, 16, 8, 4])
def test_a_leaked_cell_is_red_both_ways_and_no_other_pixel_is(side):
    frozen, leaked = mask((0, 0), (0, 1), (1, 0)), mask((0, 1), (1, 1))  # 1, 1 is free
    pixels = drawn(frozen, leaked, side=side)
    red = near(pixels, "#e1141e")
    assert quarter(red, 0, 1, side).mean() > 0.2
    for other in ((0, 0), (1, 0), (1, 1)):
        assert not quarter(red, *other, side).any()
    if side == SIDE:
        cell = quarter(red, 0, 1)[6:42, 6:42]
        np.testing.assert_array_equal(cell[:12, :12], cell[12:24, 12:24])
        np.testing.assert_array_equal(cell[:12, :12], cell[12:24, :12])
        assert all(any(np.diag(each, k).all() for k in range(12)) for each in (cell, cell[:, ::-1]))


def test_leaks_look_as_they_do_on_the_live_grid(node):
    """The red pixels are those of painter/browser/pixels.mjs, cell for cell."""
    import json

    from helpers import ROOT

    module = ROOT / "helpers" / "playground" / "painter" / "browser" / "pixels.mjs"
    code = f"""
import {{ drawHatch }} from {module.as_uri()!r};
const planes = {{ frozen: [1, 1, 1, 0], leaked: [0, 1, 0, 0] }};
const pixels = new Uint32Array({(2 * SIDE) ** 2});
drawHatch(pixels, {{ x0: 0, y0: 0, x1: {2 * SIDE}, y1: {2 * SIDE} }}, {SIDE}, planes, 2, 2);
console.log(JSON.stringify([...pixels].map((one) => Number(one === {0xFF1E14E1}))));
"""
    status, printed = node("--input-type=module", "-e", code)
    assert status == 0, printed
    live = np.array(json.loads(printed), bool).reshape(2 * SIDE, 2 * SIDE)
    here = near(drawn(mask((0, 0), (0, 1), (1, 0)), mask((0, 1))), "#e1141e")
    beside = 4  # pixels inside the outline, where a picture has white beside it
    np.testing.assert_array_equal(here[beside:44, 52:92], live[beside:44, 52:92])
    assert live[:3, 48:].all() and here[:3, 48:].all()
