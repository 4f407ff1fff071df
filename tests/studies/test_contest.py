"""The contest: one budget and one judge for all, and what a person sees of it."""

import numpy as np
import pytest

from helpers import datasets, masks, networks
from helpers.device import keras
from helpers.playground import tasks
from helpers.studies.contest import Contest

(IMAGES, LABELS), _ = datasets.digits_split()
SHAPE = (64, 16)


def judge(frozen):
    """Two seeds; the more of the first rows are free, the better."""
    free = (~frozen[:4]).mean()
    return [20 + 50 * free, 30 + 50 * free]


def task():
    model = networks.dense(0, (16,))
    model.layers[1].trainable = False
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    kernel, model.layers[0].bias.trainable = model.layers[0].kernel, False
    return tasks.own(model, kernel, IMAGES, LABELS, loss)


@pytest.fixture
def contest():
    rivals = {"one": masks.random(SHAPE, 0.75, 0), "other": masks.random(SHAPE, 0.75, 1)}
    made = Contest(task(), rivals, judge)
    yield made
    made.playground.close()


def test_it_starts_with_everything_frozen_and_the_rivals_scored(contest):
    assert contest.budget == 256 and contest.free == 0 and contest.playground.steps == 0
    assert contest.scores == {name: judge(mask) for name, mask in contest.rivals.items()}


def test_a_painted_mask_is_judged_as_the_rivals_are(contest):
    for frozen in contest.rivals.values():
        contest.playground.frozen = frozen
        assert contest.score() == contest.scores["yours"] == judge(frozen)
        assert np.array_equal(contest.yours, frozen)


def test_of_several_masks_the_best_is_kept_beside_the_last(contest):
    some, more, none = (np.ones(SHAPE, bool) for _ in range(3))
    some[:1], more[:2] = False, False
    for mask in (some, more, none):
        contest.playground.frozen = mask
        contest.score()
        assert ("your best" in contest.scores) == (mask is not some)
    assert np.array_equal(contest.yours, none) and contest.scores["yours"] == judge(none)
    assert np.array_equal(contest.best, more) and contest.scores["your best"] == judge(more)


def test_more_than_the_budget_is_refused_with_the_number_to_freeze(contest):
    contest.playground.frozen = masks.random(SHAPE, 0.74, 0)
    with pytest.raises(ValueError, match=r"266 cells are free and 256 are allowed: freeze 10 more"):
        contest.score()
    assert contest.playground.steps == 0 and "yours" not in contest.scores
    assert "Too many" in contest._line.value


def test_a_press_shows_the_score_or_what_is_wrong_where_the_person_looks(contest):
    contest.playground.paint(slice(0, 2), slice(None), frozen=False)
    assert "Free cells: 32 of 256." in contest._line.value
    contest._button.click()
    assert "yours 50.0 % (45.0 to 55.0)" in contest._line.value
    contest.playground.frozen = np.zeros(SHAPE, bool)
    contest._button.click()
    assert "freeze 768 more" in contest.playground.painter.error


def test_a_random_mask_uses_the_whole_budget_and_is_another_each_time(contest):
    drawn = []
    for _ in range(2):
        contest._random.click()
        assert contest.free == contest.budget and contest.yours is None
        drawn.append(contest.playground.frozen.copy())
    assert not np.array_equal(*drawn)


def test_another_choice_in_the_lists_does_not_change_a_score(contest):
    frozen = contest.rivals["one"]
    contest.playground.frozen = frozen
    contest.playground.use(technique="none", optimizer="sgd")
    contest.playground.train(5)
    assert contest.score() == contest.scores["one"]


def test_hints_can_be_viewed_beside_the_weights():
    rivals = {"one": masks.random(SHAPE, 0.75, 0)}
    made = Contest(task(), rivals, judge, hints={"rows": np.indices(SHAPE)[0]})
    shown = made.playground.picture("rows")
    made.playground.close()
    assert shown.data.startswith(b"\x89PNG")


def test_undo_paints_no_rival_s_mask(contest):
    contest.playground.undo()
    assert contest.free == 0


def test_rivals_must_share_one_budget_and_a_refused_contest_leaves_no_trainer(trainers):
    rivals = {"small": masks.random(SHAPE, 0.9, 0), "large": masks.random(SHAPE, 0.5, 0)}
    with pytest.raises(ValueError, match="'small': 102, 'large': 512"):
        Contest(task(), rivals, judge)
    assert not trainers()


def test_a_task_of_several_pages_is_refused():
    """The cells of the other nine would train beside the budget."""
    with pytest.raises(ValueError, match="A task of 10 pages arrived; a contest wants one grid"):
        Contest(tasks.digits(0), {"one": masks.random((8, 8), 0.5, 0)}, judge)


def test_without_a_browser_a_picture_stands_in(contest):
    shown = contest._repr_mimebundle_()
    assert shown["text/plain"] == "Contest(256 of 1024 cells, one, other)"
    assert shown["image/png"].startswith(b"\x89PNG")
