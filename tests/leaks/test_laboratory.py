"""The leak laboratory to click on, on the kernel's side: squares, and the playground that opens."""

import dataclasses
import math

import pytest
from matplotlib import colors

from helpers import leaks
from helpers.device import keras
from helpers.leaks import Verdict
from helpers.leaks.laboratory import Laboratory, squares
from helpers.pictures import leak_matrix
from helpers.techniques import Technique, where_gradient
from tests.playground.test_closing import Shell

HOLDS, LEAKS, NAN, NO_RUN = (
    Verdict("exact", "adam", "warm", 0, 24, 0),
    Verdict("where_gradient", "adam", "warm", 24, 24, 648),
    Verdict("gradient_times_mask", "adam", "NaN", 48, 48, math.inf),
    Verdict("restore", "clipped", "clipping", None, note="impossible: two ways to clip"),
)
VERDICTS = [HOLDS, LEAKS, NAN, NO_RUN]


@pytest.fixture
def open_laboratory(closed_later):
    """`Laboratory`, of which every one is closed when the test is over."""
    return lambda *positional, **named: closed_later(Laboratory(*positional, **named))


def press(shown, *names):
    """What arrives when somebody presses a square."""
    shown.squares._handle_custom_msg({"square": list(names)}, [])


def square(shown, technique, optimizer, situation):
    """What the browser is told of a square."""
    (panel,) = [one for one in shown.squares.panels if one["situation"] == situation]
    (row,) = [one for one in panel["rows"] if one["technique"] == technique]
    return row["squares"][shown.squares.optimizers.index(optimizer)]


def test_each_verdict_is_a_square_with_a_sign_a_sentence_and_the_pictures_colours(open_laboratory):
    shown = open_laboratory(VERDICTS)
    assert [one["situation"] for one in shown.squares.panels] == ["warm", "NaN", "clipping"]
    assert [one["harmed"] for one in shown.squares.panels] == [1, 1, 0]
    wanted = {HOLDS: ("✓", ""), LEAKS: ("648", ""), NAN: ("NaN", ""), NO_RUN: ("–", "")}
    for verdict, (text, far) in wanted.items():
        told = square(shown, verdict.technique, verdict.optimizer, verdict.situation)
        assert (told["text"], told["far"]) == (text, far)
        face = leak_matrix.face(verdict)
        assert told["face"] == colors.to_hex(face) and told["ink"] == leak_matrix.ink(face)
    assert "24 of 24 cells" in square(shown, "where_gradient", "adam", "warm")["told"]
    assert "two ways to clip" in square(shown, "restore", "clipped", "clipping")["told"]
    assert square(shown, "exact", "clipped", "warm") is None  # which was not judged


def test_a_row_is_called_as_in_the_playgrounds_list(open_laboratory):
    own = Verdict("mine", "adam", "warm", 0, 24, 0)
    (panel,) = open_laboratory([LEAKS, own]).squares.panels
    assert [row["label"] for row in panel["rows"]] == ["tf.where on the gradient", "mine"]


def test_every_situation_has_a_sentence(open_laboratory):
    assert all(situation.about.endswith((".", "?")) for situation in leaks.SITUATIONS.values())
    (panel, *_) = open_laboratory(VERDICTS).squares.panels
    assert panel["about"] == leaks.SITUATIONS[panel["situation"]].about


def test_a_press_opens_a_playground_and_the_next_one_closes_it(open_laboratory, trainers):
    shown, seen = open_laboratory(VERDICTS), []
    shown.squares.observe(lambda change: seen.append(change.new), "preparing")
    press(shown, "where_gradient", "adam", "warm")
    first = shown.playground
    assert seen == [["where_gradient", "adam", "warm"], []]
    assert shown.squares.opened == ["where_gradient", "adam", "warm"]
    assert shown.squares.outlook == first.outlook and "24 of 24" in first.outlook
    assert shown._place.children == (first.painter,) and first.steps == 3
    press(shown, "exact", "adam", "warm")
    assert first.painter.status == "closed" and len(trainers()) == 1
    assert shown._place.children == (shown.playground.painter,)
    assert shown.playground.painter.technique == "exact"


def test_what_is_wrong_is_said_and_the_open_playground_stays(open_laboratory):
    shown = open_laboratory(VERDICTS)
    opened = shown.open("exact", "adam", "warm")
    press(shown, "restore", "clipped", "clipping")
    assert "optimizers=" in shown.squares.error and shown.squares.preparing == []
    assert shown.playground is opened and opened.painter.status == "paused"
    assert shown.squares.opened == ["exact", "adam", "warm"]
    with pytest.raises(ValueError, match="arrived"):
        shown.open("exact", "adam", "hot")
    shown.open("restore", "adam", "warm")
    assert shown.squares.error == ""


@pytest.mark.parametrize(
    "message", [None, {}, {"square": "exact"}, {"square": []}, {"square": [1]}]
)
def test_a_broken_message_changes_nothing(open_laboratory, message):
    shown = open_laboratory(VERDICTS)
    shown.squares._handle_custom_msg(message, [])
    assert shown.playground is None and shown.squares.preparing == []


@pytest.mark.thorough
def test_recipes_and_optimizers_of_ones_own_open_too(open_laboratory):
    own = {"mine": Technique("mine", gradient=where_gradient)}
    heavy = keras.optimizers.SGD(0.1, momentum=0.9, name="heavy")
    verdicts = leaks.judge(own, [heavy], ["warm"], progress=False)
    lab = open_laboratory(verdicts, own, [heavy]).open("mine", "heavy", "warm")
    assert (lab.painter.technique, lab.painter.optimizer) == ("mine", "heavy")


def test_an_adamw_of_ones_own_stands_once_in_the_list(open_laboratory):
    mine = keras.optimizers.AdamW(0.1)
    verdicts = leaks.judge(["exact"], [mine], ["cold"], progress=False)
    lab = open_laboratory(verdicts, optimizers=[mine]).open("exact", "adamw", "cold")
    assert sorted(lab.optimizers) == ["adam", "adamw", "momentum", "sgd"]


def test_without_a_kernel_there_is_the_static_picture(open_laboratory):
    data = open_laboratory(VERDICTS)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["image/png"].startswith(b"\x89PNG")
    assert data["text/plain"] == "Laboratory of 4 verdicts"


def test_closing_leaves_no_thread_and_no_widget(open_laboratory, trainers):
    shown = open_laboratory(VERDICTS)
    lab = shown.open("exact", "adam", "warm")
    shown.close()
    shown.close()
    assert not trainers() and lab.painter.status == "closed"
    assert not shown.widget.comm and not shown.squares.comm


def test_running_the_cell_again_closes_the_former_laboratory(open_laboratory, monkeypatch):
    from helpers.widget import one_per_cell as module

    monkeypatch.setattr(module, "_LIVE", {})
    made = []
    for run in (1, 2):
        monkeypatch.setattr(module, "get_ipython", lambda run=run: Shell("a", run))
        made.append(open_laboratory(VERDICTS))
    assert not made[0].widget.comm and made[1].widget.comm


def test_what_a_click_opens_is_not_closed_by_a_click_elsewhere(open_laboratory, monkeypatch):
    from helpers.widget import one_per_cell as module

    monkeypatch.setattr(module, "_LIVE", {})
    first, other = open_laboratory(VERDICTS), open_laboratory(VERDICTS)
    for run, shown in enumerate((first, other)):
        shell = Shell(None, run)
        shell.parent["content"] = {"comm_id": "…"}
        monkeypatch.setattr(module, "get_ipython", lambda shell=shell: shell)
        press(shown, "exact", "adam", "warm")
    assert first.playground.painter.status == other.playground.painter.status == "paused"


def test_no_verdict_at_all_is_refused():
    with pytest.raises(ValueError, match="judge"):
        Laboratory([])


def test_the_squares_are_told_in_plain_lists_and_dicts():
    panel = squares._panel("warm", [LEAKS], ["adam", "sgd"], {"warm": "…"})
    assert [one and one["text"] for one in panel["rows"][0]["squares"]] == ["648", None]
    some = squares._square(dataclasses.replace(LEAKS, cells=3, ulps=3_149_000))
    assert (some["text"], some["far"]) == ("3", "3.1e6")
