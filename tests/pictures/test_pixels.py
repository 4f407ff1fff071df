"""Pictures in whole pixels: what they show beside the cells, and that bytes repeat."""

import io

import numpy as np
import PIL.Image
import PIL.ImageSequence
import pytest

from helpers.pictures import cells, lettering, pixels
from tests.pictures.small import VALUES, mask

SHARES = {"all": 0.9, "page": "3", "by_page": {str(page): page / 9 for page in range(10)}}


def drawn(data):
    """A PNG as an array (height, width, 3) of whole numbers."""
    with PIL.Image.open(io.BytesIO(data)) as image:
        return np.array(image.convert("RGB")).astype(int)


def holds(picture, part):
    """Whether pixels of the palette stand somewhere in a picture."""
    part = cells.PALETTE[part].astype(int)
    windows = np.lib.stride_tricks.sliding_window_view(picture, part.shape)
    rows = np.argwhere((windows[..., 0, 0, 0] == part[0, 0, 0]).squeeze(-1))
    return any((windows[row, column, 0] == part).all() for row, column in rows)


@pytest.fixture
def texts(monkeypatch):
    """What is written on a picture, as a list."""
    written, text = [], lettering.text

    def noting(words, *more, **named):
        written.append(words)
        return text(words, *more, **named)

    monkeypatch.setattr(lettering, "text", noting)
    return written


# still


def test_a_still_picture_has_title_and_cells():
    frozen, leaked = mask((0, 0), (0, 1)), mask((0, 1))
    picture = drawn(pixels.still(VALUES, frozen, "A title", leaked))
    assert holds(picture, cells.drawn(VALUES, frozen, leaked, 2, pixels.SIDE))
    assert holds(picture, lettering.text("A title"))
    assert not holds(picture, lettering.text("Another"))


def test_it_names_rows_and_columns_or_counts_them(texts):
    pixels.still(VALUES, mask(), "", rows=["cat", "dog"], words=("word", "unit"))
    assert {"cat", "dog", "0", "1", "word", "unit"} <= set(texts)


def test_small_cells_have_every_fourth_number_and_no_names(texts):
    pixels.still(np.ones((64, 32)), np.ones((64, 32), bool), "", rows=["a"] * 64)
    assert "28" in texts and "27" not in texts and "a" not in texts


@pytest.mark.parametrize(
    ("frozen", "leaked", "told"),
    [
        (mask(), mask(), set()),
        (mask((0, 0)), mask(), {"frozen, as it was"}),
        (mask((0, 0)), mask((0, 0)), {"frozen, yet changed"}),
        (mask((0, 0), (1, 1)), mask((1, 1)), {"frozen, as it was", "frozen, yet changed"}),
        (mask((0, 0)), mask((1, 1)), {"frozen, as it was"}),
    ],
)
def test_its_legend_has_the_marks_that_are_there(texts, frozen, leaked, told):
    pixels.still(VALUES, frozen, "", leaked)
    assert {each for each in texts if each.startswith("frozen")} == told


def test_it_has_a_bar_for_each_page_whose_height_is_the_share_that_is_right(texts):
    with_bars, without = (drawn(pixels.still(VALUES, mask(), "", shares=s)) for s in (SHARES, {}))
    assert "90 % right on held-out data" in texts
    shade, black = (cells.PALETTE[each].astype(int) for each in (pixels.SHADE, cells.INK))
    higher = [(with_bars == shade).all(-1).sum(), (with_bars == black).all(-1).sum()]
    bar = pixels.PANEL // 10 - 4
    heights = [round(share * pixels.BARS) for share in SHARES["by_page"].values()]
    assert higher[0] >= bar * (sum(heights) - heights[3]) > (without == shade).all(-1).sum()
    assert higher[1] >= bar * heights[3]


def test_of_several_tasks_it_says_what_is_right_of_each(texts):
    pixels.still(VALUES, mask(), "", shares={"all": 0.8, "cats": 0.9, "dogs": 0.7})
    assert {"cats: 90 % right", "dogs: 70 % right"} <= set(texts)
    assert not any("held-out" in each for each in texts)


@pytest.mark.parametrize("shape", [(8, 8), (64, 32), (3, 48), (512, 512), (1, 1), (24, 3)])
def test_a_still_picture_of_any_grid_fits_a_page_and_has_no_wide_blank(shape):
    values = np.ones(shape, "float32")
    picture = drawn(pixels.still(values, values > 0, "A title of some length", shares=SHARES))
    height, width, _ = picture.shape
    assert width <= pixels.ROOM and height <= 640
    inked = (picture < 240).any(-1)
    assert inked[:, -pixels.PANEL :].any() and inked[-3 * pixels.MARGIN :].any()


def test_a_long_title_is_broken_into_lines():
    one, two = (drawn(pixels.still(VALUES, mask(), title)) for title in ("a b", "word " * 30))
    assert one.shape[1] == two.shape[1] and two.shape[0] > one.shape[0] + 30


def test_a_bare_picture_has_the_cells_and_nothing_else():
    wanted = cells.PALETTE[cells.drawn(VALUES, mask(), mask(), 2, pixels.SIDE)]
    np.testing.assert_array_equal(drawn(pixels.bare(VALUES)), wanted)


# animation


def frames_of(data):
    """The frames of an animated PNG, as arrays (height, width, 3) of whole numbers."""
    with PIL.Image.open(io.BytesIO(data)) as image:
        frames = [np.array(f.convert("RGB")).astype(int) for f in PIL.ImageSequence.Iterator(image)]
    still, *frames = frames
    assert (still == frames[-1]).all(), "who shows no animations shows the last frame"
    return frames


def test_an_animation_has_a_frame_for_each_heatmap_and_marks_its_cells():
    values = np.stack([VALUES, -VALUES, VALUES / 2])
    frozen, leaked = np.stack([mask((0, 0))] * 3), np.stack([mask(), mask((0, 0)), mask()])
    frames = frames_of(pixels.animation(values, frozen, leaked, side=20))
    assert len(frames) == 3
    for frame, *planes in zip(frames, values, frozen, leaked):
        assert holds(frame, cells.drawn(*planes, 2, 20))


def test_films_that_are_compared_can_have_one_scale():
    films = [
        frames_of(pixels.animation(np.stack([values]), np.stack([mask()]), side=20, scale=4))[0]
        for values in (VALUES, 2 * VALUES)
    ]
    for film, values in zip(films, (VALUES, 2 * VALUES)):
        assert holds(film, cells.drawn(values, mask(), mask(), 4, 20))


def test_its_bar_grows_and_each_frame_has_its_caption(texts):
    values, frozen = np.stack([VALUES] * 2), np.stack([mask()] * 2)
    frames = frames_of(pixels.animation(values, frozen, captions=("first", "last")))
    assert {"first", "last"} <= set(texts)
    bars = [(frame[-pixels.MARGIN - 1].sum(-1) < 200).sum() for frame in frames]
    assert bars[1] == 2 * bars[0] == frames[0].shape[1] - 2 * pixels.MARGIN


@pytest.mark.parametrize("shape", [(2, 2), (8, 8), (64, 32), (3, 48), (24, 3)])
def test_a_film_is_wide_enough_to_see_things_move_and_small_enough_to_store(shape):
    values = np.random.default_rng(0).normal(size=(12, *shape))
    data = pixels.animation(values, values > 1, values > 2, captions=["a caption"] * 12)
    height, width, _ = drawn(data).shape
    assert pixels.NARROWEST <= width <= pixels.ROOM and height < pixels.HIGH + 160
    assert len(data) < 300_000


def test_an_animation_is_the_same_bytes_again_repeats_for_ever_and_leaves_its_input_alone():
    values, frozen = np.stack([VALUES, -VALUES]), np.stack([mask(), mask((1, 1))])
    kept = values.copy(), frozen.copy()
    data = pixels.animation(values, frozen)
    assert data == pixels.animation(values, frozen) and data.startswith(b"\x89PNG")
    with PIL.Image.open(io.BytesIO(data)) as image:
        image.seek(1)
        assert image.info["loop"] == 0 and image.info["duration"] == 300
    np.testing.assert_array_equal(values, kept[0])
    np.testing.assert_array_equal(frozen, kept[1])
