"""Pictures: the right cells in the right colours, and hatch on frozen cells alone."""

import io
import itertools
import math
from types import SimpleNamespace

import matplotlib.colors
import matplotlib.image
import numpy as np
import PIL.Image
import PIL.ImageSequence
import pytest

from helpers import plots

VALUES = np.array([[-2.0, 0.0], [1.0, 2.0]])


@pytest.fixture
def axes():
    """Axes of a figure of one panel."""
    return plots.figure()[1][0]


def pixels(axes):
    """The drawn panel, cut at its frame, as an image of floats (height, width, 3), top first."""
    axes.figure.canvas.draw()
    image = np.asarray(axes.figure.canvas.buffer_rgba())[..., :3] / 255
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


def mask(*cells):
    """A mask of two by two cells."""
    frozen = np.zeros((2, 2), bool)
    for one in cells:
        frozen[one] = True
    return frozen


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


def test_before_and_after_share_a_scale():
    made = plots.before_after_moved(VALUES, 3 * VALUES, mask((0, 0)), mask())
    before, after, moved = made.axes
    assert before.images[0].get_clim() == after.images[0].get_clim() == (-6, 6)
    assert [panel.get_title() for panel in made.axes] == ["before", "after", "moved"]
    np.testing.assert_array_equal(moved.images[0].get_array()[0, 0], 4.0)


def test_a_key_says_what_is_there_to_be_seen():
    none, one = mask(), mask((0, 0))
    said = [
        plots.before_after_moved(VALUES, VALUES, *masks).get_supxlabel()
        for masks in ((none,), (one, none), (one, one))
    ]
    assert said[0] == "blue to orange: −2 to 2"
    assert said[1] == said[0] + "  ·  hatched: frozen"
    assert said[2] == said[1] + "  ·  red: frozen, yet changed"


def test_wide_and_high_grids_fill_their_pictures():
    for shape, wanted in (((64, 128), (9, 2.2)), ((16, 16), (9, 3.7)), ((64, 32), (6.3, 3.7))):
        made = plots.before_after_moved(*np.ones((2, *shape)), np.zeros(shape, bool))
        np.testing.assert_allclose(made.get_size_inches(), wanted)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_not_finite_do_not_spoil_before_and_after(bad):
    values = np.array([[bad, 1.0], [0.5, -4.0]])
    for made in (
        plots.before_after_moved(values, VALUES, mask((0, 0))),
        plots.before_after_moved(VALUES, values, mask((0, 0))),
    ):
        assert [panel.images[0].get_clim() for panel in made.axes[:2]] == [(-4, 4)] * 2
        assert np.isfinite(made.axes[2].images[0].get_clim()).all()
        assert plots.png(made).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "losses, scale", [([3, 2], "log"), ([3, 0, 1], "linear"), ([1, -1], "linear"), ([], "linear")]
)
def test_a_curve_is_logarithmic_where_it_can_be(axes, losses, scale):
    assert plots.curve(axes, np.arange(len(losses)), np.array(losses, float)) is axes
    assert axes.get_yscale() == scale
    assert axes.lines[0].get_ydata().tolist() == losses


def test_a_picture_is_the_same_bytes_again():
    def draw():
        made, (left, right) = plots.figure(panels=2)
        plots.heatmap(left, VALUES, mask((0, 0)))
        plots.curve(right, [1, 2], [2.0, 1.0])
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


# leak_matrix

SITUATIONS = ["cold", "warm", "decay", "EMA", "L2", "clipping", "NaN", "thaw"]
TECHNIQUES = ["none", "gradient_times_mask", "where_gradient", "stop_gradient", "restore", "exact"]
OPTIMIZERS = ["sgd", "momentum", "adam", "adamw", "rmsprop", "lion", "ftrl", "schedulefreeadamw"]
OUTCOMES = [(0, 0), (1, 1), (24, 648), (24, 9999), (24, 66880), (24, 2**32 - 1), (48, math.inf)]


def verdict(technique, optimizer, situation, outcome):
    cells, ulps = outcome
    return SimpleNamespace(
        technique=technique, optimizer=optimizer, situation=situation, cells=cells, ulps=ulps, of=48
    )


def verdicts(optimizers, situations=SITUATIONS, techniques=TECHNIQUES, outcomes=OUTCOMES):
    """Every combination, with one outcome after the other."""
    combinations = itertools.product(techniques, optimizers, situations)
    return [verdict(*c, o) for c, o in zip(combinations, itertools.cycle(outcomes))]


def one(outcome):
    """The only panel of a matrix of one verdict, drawn: its texts, colour of face and of ink."""
    panel = plots.leak_matrix([verdict("restore", "adam", "cold", outcome)]).axes[0]
    inks = {text.get_color() for text in panel.texts}
    return [text.get_text() for text in panel.texts], panel.images[0].get_array()[0, 0], inks


@pytest.mark.parametrize(
    "outcome, texts",
    [
        ((0, 0), ["0"]),
        ((1, 1), ["1", "1"]),
        ((24, 648), ["24", "648"]),
        ((24, 9999), ["24", "9999"]),
        ((24, 10_000), ["24", "1.0e4"]),
        ((24, 3_149_000), ["24", "3.1e6"]),
        ((3, 2**32 - 1), ["3", "4.3e9"]),
        ((48, math.inf), ["48", "inf"]),
        ((None, None), ["–"]),
    ],
)
def test_a_square_shows_how_many_cells_and_how_far(outcome, texts):
    assert one(outcome)[0] == texts


def test_only_what_holds_is_white_and_the_farther_the_darker():
    drifts = [1, 100, 10_000, 10**6, 10**8, 2**32 - 1]
    light = [one((24, drift))[1].sum() for drift in drifts]
    assert one((0, 0))[1].tolist() == [1, 1, 1]
    assert light[0] < 2.6 and (np.diff(light) < -0.1).all()


def test_what_is_not_finite_and_what_did_not_run_have_colours_of_their_own():
    faces = [one(outcome)[1] for outcome in [*OUTCOMES, (None, None)]]
    for face, other in itertools.combinations([faces[0], faces[1], *faces[-3:]], 2):
        assert np.abs(face - other).max() > 0.1
    assert faces[-2][1] > max(faces[-2][0], faces[-2][2]) and np.ptp(faces[-1]) == 0


def luminance(colour):
    """Relative luminance as in WCAG 2.1."""
    c = np.asarray(matplotlib.colors.to_rgb(colour))
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ [
        0.2126,
        0.7152,
        0.0722,
    ]


def test_every_text_stands_out_from_its_square():
    for outcome in [*OUTCOMES, (None, None), *((24, 2**power) for power in range(32))]:
        _, face, (ink,) = one(outcome)
        low, high = sorted([luminance(face), luminance(ink)])
        assert (high + 0.05) / (low + 0.05) >= 4.5


def test_verdicts_stand_where_their_names_say():
    given = verdicts(OPTIMIZERS[:3])
    made = plots.leak_matrix(given[::-1])
    titles = [panel.get_title() for panel in made.axes[:8]]
    assert titles == [f"{name}, of 48 cells" for name in SITUATIONS[::-1]]
    for one_of in given:
        panel = made.axes[SITUATIONS[::-1].index(one_of.situation)]
        x = [label.get_text() for label in panel.get_xticklabels()].index(one_of.optimizer)
        y = [t.get_text() for t in made.axes[0].get_yticklabels()].index(one_of.technique)
        here = [
            t.get_text()
            for t in panel.texts
            if np.hypot(*(t.get_position() - np.array([x, y]))) < 0.3
        ]
        assert here[0] == str(one_of.cells)


@pytest.mark.parametrize("optimizers", [1, 4, 8])
@pytest.mark.parametrize("situations", [1, 3, 8])
@pytest.mark.parametrize("techniques", [1, 6])
def test_no_text_is_cut_off_and_none_overlap(optimizers, situations, techniques):
    given = verdicts(OPTIMIZERS[:optimizers], SITUATIONS[:situations], TECHNIQUES[:techniques])
    made = plots.leak_matrix(given)
    made.canvas.draw()
    assert made.canvas.get_width_height()[0] == 800
    boxes = [text.get_window_extent() for text in texts_of(made)]
    assert len(boxes) > len(given)
    for box in boxes:
        assert made.bbox.x0 <= box.x0 and box.x1 <= made.bbox.x1
        assert made.bbox.y0 <= box.y0 and box.y1 <= made.bbox.y1
    # Rotated names share boxes, not ink: they are compared with all but their neighbours.
    level = [t.get_window_extent() for t in texts_of(made) if not t.get_rotation()]
    assert not [pair for pair in itertools.combinations(level, 2) if overlap(*pair)]
    tilted = [t.get_window_extent() for t in texts_of(made) if t.get_rotation()]
    assert not [pair for pair in itertools.product(level, tilted) if overlap(*pair)]


def texts_of(made):
    """Everything written in a figure."""
    found = []
    for panel in made.axes:
        found += [*panel.texts, panel.title, *panel.get_xticklabels(), *panel.get_yticklabels()]
        found += [panel.xaxis.label, panel.yaxis.label]
    return [text for text in found if text.get_text().strip() and text.get_visible()]


def overlap(one, other, slack=1.5):
    """Whether two boxes share more than the rim that fonts keep empty."""
    x = min(one.x1, other.x1) - max(one.x0, other.x0)
    y = min(one.y1, other.y1) - max(one.y0, other.y0)
    return x > slack and y > slack


def test_each_text_stays_in_its_square():
    made = plots.leak_matrix(verdicts(OPTIMIZERS))
    made.canvas.draw()
    for panel in made.axes[:8]:
        for text in panel.texts:
            corners = panel.transData.inverted().transform(text.get_window_extent())
            x, y = np.round(text.get_position())
            assert (np.abs(corners - [x, y]) < 0.5).all()


def test_the_face_is_white_on_dark_pages_too():
    made = plots.leak_matrix(verdicts(OPTIMIZERS[:1]))
    assert made.get_facecolor() == (1, 1, 1, 1)


def test_a_matrix_that_lacks_a_verdict_is_drawn_and_one_without_any_is_refused():
    panel = plots.leak_matrix(verdicts(OPTIMIZERS[:2], ["cold"])[:-1]).axes[0]
    assert panel.texts[-1].get_text() == "–"
    with pytest.raises(ValueError, match="judge"):
        plots.leak_matrix([])


def test_a_matrix_is_the_same_bytes_again():
    first, second = (plots.png(plots.leak_matrix(verdicts(OPTIMIZERS[:2]))) for _ in range(2))
    assert first == second


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
    frames = frames_of(plots.animation(values, np.zeros(values.shape, bool), side=20))
    assert len(frames) == 3
    for drawn, frame in zip(frames, values):
        assert drawn.shape == (40 + plots.BAR, 40, 3)
        wanted = plots.WEIGHTS(0.5 + frame / 4)[..., :3] * 255
        np.testing.assert_allclose(drawn[10:40:20, 10::20], wanted, atol=5)


def test_an_animation_hatches_frozen_cells_alone_and_its_bar_grows():
    frozen = np.stack([mask(), mask((0, 1))])
    first, last = frames_of(plots.animation(np.stack([VALUES, VALUES]), frozen, side=20))
    differs = (first != last).any(-1)
    assert differs[:20, 20:].any() and not differs[:20, :20].any() and not differs[20:40].any()
    bars = [(frame[-1].sum(-1) < 200).sum() for frame in (first, last)]
    assert bars == [20, 40]


def test_in_an_animation_what_is_not_finite_stands_out_and_nothing_at_all_is_white():
    values = np.array([[[np.nan, np.inf], [0.0, 0.0]]])
    (frame,) = frames_of(plots.animation(values, np.zeros(values.shape, bool)))
    green = np.array(matplotlib.colors.to_rgb(plots.NOT_FINITE)) * 255
    assert np.abs(frame[0, [0, -1]] - green).max() < 1
    assert frame[30].min() > 240


def test_an_animation_is_the_same_bytes_again_repeats_for_ever_and_leaves_its_input_alone():
    values, frozen = np.stack([VALUES, -VALUES]), np.stack([mask(), mask((1, 1))])
    kept = values.copy(), frozen.copy()
    data = plots.animation(values, frozen)
    assert data == plots.animation(values, frozen) and data.startswith(b"\x89PNG")
    with PIL.Image.open(io.BytesIO(data)) as image:
        image.seek(1)
        assert image.info["loop"] == 0 and image.info["duration"] == 300
    np.testing.assert_array_equal(values, kept[0])
    np.testing.assert_array_equal(frozen, kept[1])


# compare, band


def test_compare_shows_every_seed_and_the_mean_in_figures():
    _, (axes,) = plots.figure()
    plots.compare(axes, {"naive": [40.0, 50.0, 60.0], "exact": [97.0, 97.0, 97.5]}, "first task")
    dots = [list(line.get_xdata()) for line in axes.lines]
    assert dots[0] == [40, 50, 60] and dots[1] == [50]
    assert [text.get_text() for text in axes.texts] == ["50.0", "97.2"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["naive", "exact"]
    assert axes.yaxis_inverted() and axes.get_title() == "first task"


def test_band_shows_the_mean_between_the_least_and_the_greatest():
    _, (axes,) = plots.figure()
    plots.band(axes, [1, 2], {"Fisher": [[10, 20], [30, 60]]}, label_x="% free")
    assert list(axes.lines[0].get_ydata()) == [20, 40]
    (band,) = axes.collections
    box = band.get_paths()[0].get_extents()
    assert (box.y0, box.y1) == (10, 60) and axes.get_legend().get_texts()[0].get_text() == "Fisher"


def test_a_contact_sheet_shows_every_picture_on_its_own_scale():
    rows = np.zeros((2, 3, 4))
    rows[0, 1, 0], rows[1, 2, 3] = 5, 0.1
    made, (axes,) = plots.figure()
    drawn = plots.contact_sheet(axes, rows, ["a", "b"]).images[0].get_array()
    assert drawn.shape == (2 * 4, 3 * 4) and np.argwhere(drawn == 1).tolist() == [[1, 5], [6, 10]]
    assert drawn.sum() == 2 and [t.get_text() for t in axes.get_yticklabels()] == ["a", "b"]
