"""Pictures in whole pixels: what they show, that bytes repeat, and that marks stay apart."""

import io

import matplotlib.colors
import numpy as np
import PIL.Image
import PIL.ImageSequence
import pytest

from helpers.pictures import pixels, plots
from tests.pictures.small import VALUES, mask


def drawn(data):
    """A PNG as an array (height, width, 3) of whole numbers."""
    with PIL.Image.open(io.BytesIO(data)) as image:
        return np.array(image.convert("RGB")).astype(int)


# still


def test_a_still_picture_has_the_colours_of_the_weights_below_its_title():
    titled, bare = (drawn(pixels.still(VALUES, mask(), title)) for title in ("weights", ""))
    assert titled.shape == (pixels.TITLE + 400, 400, 3)
    grid = titled[pixels.TITLE :]
    wanted = plots.WEIGHTS(0.5 + VALUES / 4)[..., :3] * 255
    np.testing.assert_allclose(grid[100::200, 100::200], wanted, atol=5)
    np.testing.assert_array_equal(grid, bare[pixels.TITLE :])
    assert titled[: pixels.TITLE].min() < 100 and bare[: pixels.TITLE].min() == 255


def test_a_still_picture_hatches_frozen_cells_alone():
    free, held = (drawn(pixels.still(VALUES, frozen, "")) for frozen in (mask(), mask((0, 1))))
    differs = (free != held).any(-1)[pixels.TITLE :]
    assert differs[:200, 200:].mean() > 0.2
    assert not differs[:200, :200].any() and not differs[200:].any()


@pytest.mark.parametrize("shape", [(64, 32), (3, 48), (512, 512), (1, 1)])
def test_a_still_picture_of_any_grid_keeps_its_size(shape):
    values = np.ones(shape, "float32")
    height, width, _ = drawn(pixels.still(values, values > 0, "weights, before training")).shape
    assert width == 400 and height <= 400 + pixels.TITLE


# animation


def frames_of(data):
    """The frames of an animated PNG, as arrays (height, width, 3) of whole numbers."""
    with PIL.Image.open(io.BytesIO(data)) as image:
        frames = [np.array(f.convert("RGB")).astype(int) for f in PIL.ImageSequence.Iterator(image)]
    still, *frames = frames
    assert (still == frames[-1]).all(), "who shows no animations shows the last frame"
    return frames


def test_an_animation_has_a_frame_for_each_heatmap_in_the_colours_of_the_weights():
    values = np.stack([VALUES, -VALUES, VALUES / 2])
    frames = frames_of(pixels.animation(values, np.zeros(values.shape, bool), side=20))
    assert len(frames) == 3
    for drawn, frame in zip(frames, values):
        assert drawn.shape == (40 + pixels.BAR, 40, 3)
        wanted = plots.WEIGHTS(0.5 + frame / 4)[..., :3] * 255
        np.testing.assert_allclose(drawn[10:40:20, 10::20], wanted, atol=5)


def test_an_animation_hatches_frozen_cells_alone_and_its_bar_grows():
    frozen = np.stack([mask(), mask((0, 1))])
    first, last = frames_of(pixels.animation(np.stack([VALUES, VALUES]), frozen, side=20))
    differs = (first != last).any(-1)
    assert differs[:20, 20:].any() and not differs[:20, :20].any() and not differs[20:40].any()
    bars = [(frame[-1].sum(-1) < 200).sum() for frame in (first, last)]
    assert bars == [20, 40]


def test_in_an_animation_what_is_not_finite_stands_out_and_nothing_at_all_is_white():
    values = np.array([[[np.nan, np.inf], [0.0, 0.0]]])
    (frame,) = frames_of(pixels.animation(values, np.zeros(values.shape, bool)))
    green = np.array(matplotlib.colors.to_rgb(plots.NOT_FINITE)) * 255
    assert np.abs(frame[0, [0, -1]] - green).max() < 1
    assert frame[30].min() > 240


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


def test_in_an_animation_a_leaked_cell_is_crossed_and_a_held_one_hatched():
    both = np.stack([mask((0, 0), (0, 1))])
    frames = [
        frames_of(pixels.animation(np.zeros((1, 2, 2)), both, leaked, side=16))[0]
        for leaked in (None, np.stack([mask((0, 1))]))
    ]
    held, leaked = (frame[:32].max(-1) < 100 for frame in frames)
    np.testing.assert_array_equal(held[:16, :16], leaked[:16, :16])
    cross = leaked[:16, 16:]
    assert cross.diagonal().all() and cross[:, ::-1].diagonal().all() and not cross[0, 5:11].any()
    assert not leaked[16:].any()
