"""Small goals: each is reached when its condition holds, not before, and for good."""

import numpy as np
import pytest

from helpers import masks
from helpers.playground import goals, tasks
from helpers.playground.goals import FIRST, State

LEAK, HOLD, STAY = (goal.text for goal in FIRST)


def state(shape=(4, 6), frozen=(), leaked=(), since=0, step=0, **more):
    """A state in which these rows are frozen and these cells have leaked."""
    both = np.zeros((2, *shape), bool)
    both[0, list(frozen)] = True
    for cell in leaked:
        both[1][cell] = True
    more = {"accuracy": None, "examined": step, **more}
    return State(*both, np.full(shape, since), step=step, **more)


def test_a_leak_is_reached_by_as_many_cells_as_are_asked_for():
    two = state(frozen=[0], leaked=[(0, 1), (0, 2)])
    assert goals.leak().reached(two) and goals.leak(cells=2).reached(two)
    assert not goals.leak(cells=3).reached(two) and not goals.leak().reached(state(frozen=[0]))


def test_a_row_is_held_after_its_steps_and_not_one_earlier():
    row = dict(frozen=[2], since=40)
    assert goals.hold(steps=100).reached(state(**row, step=140))
    assert not goals.hold(steps=100).reached(state(**row, step=139))
    assert goals.hold(row=2, steps=100).reached(state(**row, step=140))
    assert not goals.hold(row=1, steps=100).reached(state(**row, step=140))


def test_a_row_is_not_held_that_leaks_in_one_cell_or_is_not_whole():
    leaking = state(frozen=[2], leaked=[(2, 5)], step=500)
    assert not goals.hold().reached(leaking)
    almost = state(frozen=[2], step=500)
    almost.frozen[2, 0] = False
    assert not goals.hold().reached(almost)


def test_an_accuracy_counts_that_was_measured_after_the_steps_and_under_the_mask():
    half = dict(frozen=[0, 1], since=40, step=900, accuracy=0.91)
    assert goals.stay_above().reached(state(**half, examined=140))
    assert not goals.stay_above().reached(state(**half, examined=139))
    assert not goals.stay_above(accuracy=0.91).reached(state(**half, examined=140))
    assert not goals.stay_above(frozen=0.6).reached(state(**half, examined=140))
    assert not goals.stay_above().reached(state(**{**half, "accuracy": None}, examined=140))


@pytest.mark.parametrize("cells", [6.3, 6.9])
def test_a_share_is_that_of_the_courses_own_masks(cells):
    some = state(since=40, step=900, accuracy=0.91, examined=140)
    share = cells / some.frozen.size
    some.frozen[:] = masks.largest(np.arange(some.frozen.size).reshape(some.frozen.shape), share)
    assert some.frozen.sum() == round(cells)
    assert goals.stay_above(frozen=share).reached(some)
    some.frozen[some.frozen] = [False] + [True] * (some.frozen.sum() - 1)
    assert not goals.stay_above(frozen=share).reached(some)


def test_a_sentence_names_what_is_asked_for():
    assert goals.leak(cells=3).text == "Make 3 frozen cells leak."
    assert "all of row 3, train 50 steps" in goals.hold(row=3, steps=50).text
    assert "25 % of the cells, train 10 steps" in goals.stay_above(0.95, 0.25, 10).text
    assert len({goal.text for goal in FIRST}) == len(FIRST) == 3


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: goals.leak(cells=0), "cells 0 arrived; a whole number from 1 up"),
        (lambda: goals.leak(cells=True), "cells True arrived"),
        (lambda: goals.hold(row=-1), "row -1 arrived; a whole number from 0 up"),
        (lambda: goals.hold(steps=1.5), "steps 1.5 arrived"),
        (lambda: goals.stay_above(accuracy=90), "accuracy 90 arrived; a number from 0 to 1"),
        (lambda: goals.stay_above(frozen="half"), "frozen 'half' arrived"),
    ],
)
def test_a_goal_that_nobody_could_reach_is_refused(make, told):
    with pytest.raises(ValueError, match=told):
        make()


@pytest.mark.parametrize(
    ("task", "wrong", "told"),
    [
        ("digits", "leak", "goal 'leak' arrived; one of helpers.playground.goals"),
        ("digits", goals.hold(row=8), "with row 8 arrived; one from 0 to 7"),
        ("snowflake", goals.stay_above(), "a task with held-out data was wanted"),
    ],
)
def test_a_goal_that_does_not_fit_the_grid_is_refused(playground, trainers, task, wrong, told):
    with pytest.raises(ValueError, match=told):
        playground(task, goals=[wrong])
    assert not trainers()


# In a run


@pytest.fixture
def lab(playground):
    return playground("digits", "adam", "gradient_times_mask", page="3", goals=FIRST)


def reached(lab):
    return [text for text, ticked in lab.goals.items() if ticked]


def test_goals_are_reached_by_what_happens_on_the_grid(lab):
    lab.train(60)
    assert list(lab.goals) == [LEAK, HOLD, STAY] and reached(lab) == []
    lab.paint(3, 3)
    assert reached(lab) == []
    lab.train(5)
    assert lab.leaks().any() and reached(lab) == [LEAK]
    lab.use("restore")
    lab.paint(4, slice(None))
    lab.train(99)
    assert reached(lab) == [LEAK]
    lab.train(1)
    assert not lab.leaks()[4].any() and reached(lab) == [LEAK, HOLD]
    lab.paint(slice(0, 4), slice(None))
    lab.train(99)
    assert reached(lab) == [LEAK, HOLD]
    lab.train(1)
    assert lab.frozen.mean() > 0.5 and lab.accuracy() > 0.9 and reached(lab) == [LEAK, HOLD, STAY]


def test_a_goal_stays_reached_after_a_thaw_and_a_reset(lab):
    lab.train(60)
    lab.paint(3, 3)
    lab.train(5)
    assert reached(lab) == [LEAK]
    lab.paint(3, 3, frozen=False)
    assert not lab.leaks().any() and reached(lab) == [LEAK]
    lab.reset()
    assert reached(lab) == [LEAK]


def test_steps_before_a_freeze_a_thaw_or_a_reset_do_not_count(lab):
    lab.use("exact")
    lab.train(200)
    lab.paint(4, slice(None))
    lab.train(60)
    lab.paint(4, 0, frozen=False)
    lab.paint(4, 0)
    lab.train(60)
    assert reached(lab) == []
    lab.reset()
    lab.train(60)
    assert lab.frozen[4].all() and reached(lab) == []
    lab.train(40)
    assert reached(lab) == [HOLD]


def test_an_accuracy_from_before_a_reset_is_not_one_of_now(playground):
    lab = playground(goals=[goals.stay_above(frozen=1, steps=1)])
    lab.train(100)
    assert lab.accuracy() > 0.9
    lab.reset()
    lab.paint(slice(None), slice(None))
    lab.train(1)
    assert lab.session.snapshot()["header"]["goals"] == [False]


def test_a_frame_says_what_is_reached_and_the_panel_what_is_asked_for(lab):
    assert lab.painter.goals == lab.painter.get_state()["goals"] == [LEAK, HOLD, STAY]
    lab.train(60)
    lab.paint(3, 3)
    lab.train(5)
    assert lab.session.snapshot()["header"]["goals"] == [True, False, False]


def test_without_goals_nothing_is_judged(playground, monkeypatch):
    lab = playground(task=tasks.snowflake(0, 8, 8))
    monkeypatch.setattr(goals.Reached, "judge", None)
    lab.train(3)
    assert lab.goals == {} and lab.session.snapshot()["header"]["goals"] == []
