"""Predictions: cells that somebody bets will leak, or will not move, judged by what they do."""

import random

import numpy as np
import pytest

from helpers.optimizers import LISTED
from helpers.playground.painter.planes import unpack
from helpers.techniques import TECHNIQUES


def test_a_prediction_is_a_mask_of_its_own(lab, half):
    lab.predict(half)
    np.testing.assert_array_equal(lab.prediction, half)
    assert not lab.frozen.any()
    lab.predict(~half)
    np.testing.assert_array_equal(lab.prediction, ~half)


@pytest.mark.parametrize("cells", [np.ones((12, 12)), np.ones((3, 3), bool), [[True]]])
def test_what_is_no_mask_of_the_grid_is_refused(lab, half, cells):
    lab.predict(half)
    with pytest.raises((TypeError, ValueError), match="arrived"):
        lab.predict(cells)
    np.testing.assert_array_equal(lab.prediction, half)


def test_it_is_judged_by_the_leaks(lab, half):
    lab.use(technique="where_gradient")
    lab.train(5)
    lab.frozen = half
    rows = np.indices((12, 12))[0]
    lab.predict(rows < 6)
    lab.train(5)
    right, missed, wrong = lab.judge_prediction()
    np.testing.assert_array_equal(right, half & (rows < 6))
    np.testing.assert_array_equal(missed, half & (rows >= 6))
    np.testing.assert_array_equal(wrong, ~half & (rows < 6))


def test_a_bet_on_cells_that_stay_is_judged_by_the_bits_of_the_start(playground):
    """The pixels in a corner of the digits are never inked: their weights have no gradient."""
    lab = playground("digits", "sgd", "exact", page="3")
    rows, columns = np.indices((8, 8))
    lab.train(2)
    lab.paint(4, 4)
    lab.predict(columns < 2, that="stay")
    lab.train(10)
    still = lab.weights == lab.initial
    assert still[0, 0] and not still[4, 4] and 0 < still.sum() < 32
    right, missed, wrong = lab.judge_prediction()
    np.testing.assert_array_equal(right, still & (columns < 2))
    np.testing.assert_array_equal(missed, still & (columns >= 2))
    np.testing.assert_array_equal(wrong, ~still & (columns < 2))


def test_a_bet_is_on_leaks_unless_something_else_is_said(lab, half):
    lab.predict(half, that="stay")
    assert header(lab)["claim"] == "stay"
    lab.predict(half)
    assert header(lab)["claim"] == "leak"
    with pytest.raises(ValueError, match="claim 'move' arrived.*'leak', 'stay'"):
        lab.predict(~half, that="move")
    np.testing.assert_array_equal(lab.prediction, half)


def test_a_bet_that_becomes_another_waits_for_steps_to_be_judged(lab, half):
    lab.predict(half)
    lab.train(3)
    lab.session.do(lab.session.bet, "leak")
    lab.session.settle()
    assert header(lab)["judged"]
    lab.session.do(lab.session.bet, "stay")
    lab.session.settle()
    assert not header(lab)["judged"]
    lab.train(1)
    assert header(lab)["judged"]


def test_each_page_has_a_prediction_of_its_own(playground):
    lab = playground("digits", page="3")
    first = np.arange(64).reshape(8, 8) < 5
    lab.predict(first)
    lab.use(page="4")
    assert not lab.prediction.any()
    lab.use(page="3")
    np.testing.assert_array_equal(lab.prediction, first)


def test_what_a_browser_shows_is_what_python_judges(lab, request):
    """In 200 random runs with --all, else 40: the signs on the grid are drawn from these planes."""
    wander, draw = random.Random(0), np.random.default_rng(0)
    for _ in range(200 if request.config.option.all else 40):
        lab.use(wander.choice(list(TECHNIQUES)), wander.choice(list(LISTED)))
        if wander.random() < 0.2:
            lab.reset()
        lab.train(wander.randrange(3))
        lab.frozen = draw.random((12, 12)) < wander.random()
        lab.predict(draw.random((12, 12)) < wander.random())
        assert not header(lab)["judged"]
        steps = wander.randrange(4)
        lab.train(steps)
        judged, planes = lab.painter.compose()
        assert judged["judged"] == (steps > 0)
        predicted, leaked = (unpack(planes[name], (12, 12)) for name in ("predicted", "leaked"))
        right, missed, wrong = lab.judge_prediction()
        np.testing.assert_array_equal(predicted & leaked, right)
        np.testing.assert_array_equal(leaked & ~predicted, missed)
        np.testing.assert_array_equal(predicted & ~leaked, wrong)


def header(lab):
    return lab.painter.compose()[0]


def test_after_a_reset_nothing_is_judged(lab, half):
    lab.frozen = half
    lab.predict(half)
    lab.train(3)
    assert header(lab)["judged"]
    lab.reset()
    assert not header(lab)["judged"] and lab.prediction.any()
