"""The picture of the verdicts: right numbers in right colours, and every text legible."""

import itertools
import math
from types import SimpleNamespace

import matplotlib.colors
import numpy as np
import pytest

from helpers.pictures import leak_matrix, plots
from helpers.techniques import label_of

SITUATIONS = ["cold", "warm", "decay", "EMA", "L2", "NaN", "clipping", "thaw"]
TECHNIQUES = ["none", "gradient_times_mask", "where_gradient", "stop_gradient", "restore", "exact"]
LISTED = ["sgd", "momentum", "adam", "adamw", "rmsprop", "lion", "ftrl", "schedulefreeadamw"]
OUTCOMES = [(0, 0), (1, 1), (24, 648), (24, 9999), (24, 66880), (24, 2**32 - 1), (48, math.inf)]


def verdict(technique, optimizer, situation, outcome):
    cells, ulps = outcome
    setting = dict(technique=technique, optimizer=optimizer, situation=situation)
    return SimpleNamespace(**setting, cells=cells, ulps=ulps, of=48, watched="free cells")


def verdicts(optimizers, situations=SITUATIONS, techniques=TECHNIQUES, outcomes=OUTCOMES):
    """Every combination, with one outcome after the other."""
    combinations = itertools.product(techniques, optimizers, situations)
    return [verdict(*c, o) for c, o in zip(combinations, itertools.cycle(outcomes))]


def one(outcome):
    """The only panel of a matrix of one verdict, drawn: its texts, colour of face and of ink."""
    panel = leak_matrix.draw([verdict("restore", "adam", "cold", outcome)]).axes[0]
    inks = {text.get_color() for text in panel.texts}
    return [text.get_text() for text in panel.texts], panel.images[0].get_array()[0, 0], inks


@pytest.mark.parametrize(
    ("outcome", "texts"),
    [
        ((0, 0), ["✓"]),
        ((1, 1), ["1", "1"]),
        ((24, 648), ["24", "648"]),
        ((24, 9999), ["24", "9999"]),
        ((24, 10_000), ["24", "1.0e4"]),
        ((24, 3_149_000), ["24", "3.1e6"]),
        ((3, 2**32 - 1), ["3", "4.3e9"]),
        ((48, 648), ["648"]),
        ((48, math.inf), ["NaN"]),
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
    assert min(faces[-2][:2]) > faces[-2][2] + 0.5 and np.ptp(faces[-1]) == 0


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
    given = verdicts(LISTED[:3])
    made = leak_matrix.draw(given[::-1])
    titles = [panel.get_title() for panel in made.axes[:8]]
    assert titles == [f"{name}, of 48 free cells" for name in SITUATIONS[::-1]]
    for one_of in given:
        panel = made.axes[SITUATIONS[::-1].index(one_of.situation)]
        x = [label.get_text() for label in panel.get_xticklabels()].index(one_of.optimizer)
        rows = [label.get_text() for label in made.axes[0].get_yticklabels()]
        y = rows.index(label_of(one_of.technique))
        here = [
            t.get_text()
            for t in panel.texts
            if np.hypot(*(t.get_position() - np.array([x, y]))) < 0.3
        ]
        assert here[0] == (leak_matrix.told(one_of)[0] if one_of.cells else "✓")


@pytest.mark.parametrize("optimizers", [1, 4, 8])
@pytest.mark.parametrize("situations", [1, 3, 8])
@pytest.mark.parametrize("techniques", [1, 6])
def test_no_text_is_cut_off_and_none_overlap(optimizers, situations, techniques):
    given = verdicts(LISTED[:optimizers], SITUATIONS[:situations], TECHNIQUES[:techniques])
    made = leak_matrix.draw(given)
    made.draw_without_rendering()
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
    made = leak_matrix.draw(verdicts(LISTED))
    made.draw_without_rendering()
    for panel in made.axes[:8]:
        for text in panel.texts:
            corners = panel.transData.inverted().transform(text.get_window_extent())
            x, y = np.round(text.get_position())
            assert (np.abs(corners - [x, y]) < 0.5).all()


def test_the_face_is_white_on_dark_pages_too():
    made = leak_matrix.draw(verdicts(LISTED[:1]))
    assert made.get_facecolor() == (1, 1, 1, 1)


def test_a_matrix_that_lacks_a_verdict_is_drawn_and_one_without_any_is_refused():
    panel = leak_matrix.draw(verdicts(LISTED[:2], ["cold"])[:-1]).axes[0]
    assert panel.texts[-1].get_text() == "–"
    with pytest.raises(ValueError, match="judge"):
        leak_matrix.draw([])


def test_a_matrix_is_the_same_bytes_again():
    first, second = (plots.png(leak_matrix.draw(verdicts(LISTED[:2]))) for _ in range(2))
    assert first == second
