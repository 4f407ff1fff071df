"""The pages for teachers: each playground opens, and does what the answers say."""

import collections
import re

import numpy as np
import pytest

from helpers import leaks
from helpers.playground import Playground
from helpers.tools.notebooks import FOLDER

PLAN, ANSWERS = (
    (FOLDER / f"for_teachers{end}.md").read_text(encoding="utf-8") for end in ("", "_answers")
)
LINES = dict(re.findall(r"^\| (\w) \| .* \| `(freeze1\.\S+)` \|$", PLAN, re.MULTILINE))
FOUND = dict(re.findall(r"^\| (\w) \| (\d+ \| \d+) \|$", ANSWERS, re.MULTILINE))
TWELVE = slice(2, 5), slice(2, 6)
OPTIMIZERS = ("sgd", "momentum", "adam", "adamw")


@pytest.fixture
def opened(closed_later):
    return lambda name: closed_later(Playground.from_code(LINES[name], device="cpu"))


def trained_free(lab):
    """Thaw everything, and train 60 steps."""
    lab.paint(slice(None), slice(None), frozen=False)
    lab.train(60)
    return lab


def warmed(lab):
    """As the plan says: train freely, then freeze the twelve again."""
    trained_free(lab).paint(*TWELVE)
    return lab


@pytest.mark.parametrize("name", sorted(LINES))
def test_a_playground_leaks_as_the_answers_say(opened, name):
    cold, warm = (int(each) for each in FOUND[name].split(" | "))
    lab = opened(name)
    assert lab.frozen.sum() == 12 and lab.frozen[TWELVE].all()
    lab.train(200)
    assert lab.leaks().sum() == cold
    other = warmed(opened(name))
    other.train(200)
    assert other.leaks().sum() == warm
    by_hand = trained_free(opened(name))
    by_hand.paste(LINES[name])
    by_hand.train(200)
    assert by_hand.leaks().sum() == warm


def test_there_are_four_and_the_third_behaves_as_the_second_under_adam(opened):
    assert sorted(LINES) == sorted(FOUND) == list("ABCD")
    lab = opened("C")
    lab.use(optimizer="adam")
    lab.train(200)
    assert lab.leaks().sum() == 0


def test_the_second_goes_on_for_more_than_a_hundred_steps(opened):
    lab = warmed(opened("B"))
    lab.train(100)
    before = lab.weights[TWELVE]
    lab.train(20)
    assert (lab.weights[TWELVE] != before).any()


@pytest.mark.thorough
def test_the_exact_freeze_holds_everywhere_and_the_shadow_copy_but_at_the_thaw():
    names = ["gradient_times_mask", "where_gradient", "stop_gradient", "scatter_update"]
    verdicts = leaks.judge([*names, "shadow_copy", "restore", "exact"], OPTIMIZERS, progress=False)
    failed = {(v.technique, v.situation) for v in verdicts if not v.holds}
    let_through = {name: {s for t, s in failed if t == name} for name in ("restore", "shadow_copy")}
    assert let_through == {"restore": {"EMA", "clipping", "thaw"}, "shadow_copy": {"thaw"}}
    jumps = {v.optimizer for v in verdicts if v.technique == "shadow_copy" and not v.holds}
    assert jumps == {*OPTIMIZERS} - {"sgd"}
    count = collections.Counter(v.technique for v in verdicts if v.holds)
    assert [name for name, _ in count.most_common(2)] == ["exact", "shadow_copy"]
    assert count["exact"] == 8 * len(OPTIMIZERS)
    assert len({v.situation for v in verdicts}) == 8


def test_the_minutes_of_a_plan_follow_each_other_and_fill_it():
    for length in (45, 90):
        plan = PLAN.split(f"## {length} minutes")[1].split("##")[0]
        times = np.array(re.findall(r"^\| (\d+)–(\d+) \|", plan, re.MULTILINE), int)
        assert times[0, 0] == 0 and times[-1, 1] == length
        assert (times[1:, 0] == times[:-1, 1]).all()


def test_every_question_has_an_answer():
    asked = set(re.findall(r"[|?] (\d)\. [A-Z]", PLAN))
    answered = set(re.findall(r"^(\d)\. \*\*", ANSWERS, re.MULTILINE))
    assert asked == answered
