"""The panel: its settings are set, linked and observed alike, wherever that is done."""

import math
import re
import threading
from pathlib import Path

import ipywidgets
import numpy as np
import pytest
import traitlets

from helpers.bits import changed_bits
from helpers.optimizers import LISTED
from helpers.playground import panel as module
from helpers.playground import share, tasks
from helpers.playground.panel import Panel
from helpers.playground.settings import CONTROLS, FEW, SETTINGS
from helpers.techniques import TECHNIQUES
from tests.playground.page import Page

BROWSER = Path(module.__file__).parent / "painter" / "browser"
CHOICES = {
    "technique": [("none", "none"), ("exact", "exact freeze")],
    "optimizer": [("sgd", "sgd"), ("adam", "adam")],
    "page": [("all", "all")],
}


@pytest.fixture
def lab(playground):
    """A playground over a small picture."""
    return playground(task=tasks.snowflake(0, 8, 8))


@pytest.fixture
def page(lab):
    return Page(lab.painter)


@pytest.fixture
def alone():
    """A panel that nobody trains."""
    panel = Panel(np.zeros((3, 4), np.float32), CHOICES)
    yield panel
    panel.close()


def values(panel, name):
    """What a list offers, without the labels."""
    return [value for value, _ in panel.choices[name]]


def state(panel):
    """All that a person has chosen."""
    return {name: getattr(panel, name) for name in (*SETTINGS, "choices", "controls")}


# What there is to choose


def test_the_lists_offer_everything_there_is(playground):
    panel = playground().painter
    assert panel.choices["technique"] == [[n, t.label] for n, t in TECHNIQUES.items()]
    assert values(panel, "optimizer") == list(LISTED)
    assert values(panel, "page") == list("0123456789")
    assert values(panel, "speed") == [1, 10, 200, None]


def test_the_panel_shows_what_the_playground_was_made_with(playground):
    panel = playground(optimizer="momentum", technique="restore", page="7").painter
    assert [panel.technique, panel.optimizer, panel.page] == ["restore", "momentum", "7"]


def test_another_optimizer_joins_the_list(playground):
    panel = playground(task=tasks.snowflake(0, 8, 8), optimizer="lion").painter
    assert panel.optimizer == "lion" and "adam" in values(panel, "optimizer")


def test_a_list_may_grow_and_what_it_offers_can_then_be_chosen(alone):
    with pytest.raises(traitlets.TraitError):
        alone.technique = "mine"
    alone.offer("technique", [*alone.choices["technique"], ("mine", "my own")])
    alone.technique = "mine"
    assert alone.choices["technique"][-1] == ["mine", "my own"]


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {**CHOICES, "technique": [("exact", "exact freeze")]},
        {**CHOICES, "technique": ["none"]},
        {**CHOICES, "technique": None},
        None,
        3,
    ],
)
def test_lists_that_are_none_or_lack_what_is_in_use_are_refused(alone, choices):
    before = state(alone)
    with pytest.raises(traitlets.TraitError):
        alone.choices = choices
    assert state(alone) == before


# Settings, from Python and by links


def in_force(lab):
    """What the loop and the trainer obey."""
    loop = lab.session.loop
    recipe = next(name for name, each in TECHNIQUES.items() if each is loop._recipe)
    return recipe, loop.names[loop._chosen], lab.session.pages.page, lab.session.trainer.limit


def test_what_is_assigned_is_in_force_when_the_assignment_returns(playground):
    lab = playground()
    for training in (False, True):
        panel = lab.painter
        panel.technique, panel.optimizer, panel.page, panel.speed = "exact", "sgd", "6", 11
        assert in_force(lab) == ("exact", "sgd", "6", 11)
        lab.train(1)
        lab.start()
        panel.technique, panel.optimizer, panel.page, panel.speed = "none", "adam", "3", None
        assert in_force(lab) == ("none", "adam", "3", None) and lab.training, training
        lab.stop()
    lab.paint(1, 1)
    assert lab.session.loop.frozen.reshape(8, 8, 10)[1, 1, 3]


def test_every_way_to_choose_does_the_same(lab, page, until):
    panel = lab.painter
    ways = {
        "assigned": lambda value: setattr(panel, "technique", value),
        "used": lambda value: lab.use(technique=value),
        "chosen": lambda value: page.choose("technique", value),
        "linked in the browser": lambda value: panel.set_state({"technique": value}),
    }
    told = []
    panel.observe(lambda change: told.append((change.new, in_force(lab)[0])), "technique")
    for way, choose in ways.items():
        for value in ("exact", "restore"):
            choose(value)
            until(lambda value=value: told and told[-1] == (value, value))
            assert panel.technique == value, way
    assert len(told) == 2 * len(ways) and panel.error == ""


def test_a_dropdown_can_be_linked_both_ways(lab):
    options = values(lab.painter, "technique")
    dropdown = ipywidgets.Dropdown(options=options, value="none")
    ipywidgets.link((dropdown, "value"), (lab.painter, "technique"))
    dropdown.value = "exact"
    assert lab.painter.technique == "exact" == in_force(lab)[0]
    lab.painter.technique = "restore"
    assert dropdown.value == "restore"
    lab.use("shadow_copy")
    assert dropdown.value == "shadow_copy" == in_force(lab)[0]


REFUSED = {
    "technique": ["freeze", "", None, 3, True, ["exact"], {"exact": 1}],
    "optimizer": ["lion", "Adam", None, 0],
    "page": ["9", 1, None],
    "speed": [0, -1, math.nan, math.inf, True, False, "10", [10], {}],
    "controls": [["train", "trian"], [1], 3],
}


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, vs in REFUSED.items() for v in vs])
def test_what_is_refused_changes_nothing_and_says_what_arrived(alone, name, value):
    before = state(alone)
    with pytest.raises(traitlets.TraitError) as refused:
        setattr(alone, name, value)
    assert state(alone) == before
    wrong = value[-1] if name == "controls" and isinstance(value, list) else value
    assert f"{wrong!r} arrived" in str(refused.value)


def test_a_refusal_says_what_was_wanted(alone):
    with pytest.raises(traitlets.TraitError, match="'freeze' arrived; the known ones are 'none'"):
        alone.technique = "freeze"
    with pytest.raises(traitlets.TraitError, match="-1 arrived; a positive number of steps"):
        alone.speed = -1


@pytest.mark.parametrize("speed", [1, 0.5, np.int64(7), np.float32(2.5), None])
def test_a_speed_is_any_positive_number_or_none(alone, speed):
    alone.speed = speed
    assert alone.speed == speed and type(alone.speed) in (int, float, type(None))


@pytest.mark.parametrize("training", [False, True])
def test_what_the_loop_refuses_is_taken_back_and_told(lab, page, until, monkeypatch, training):
    def refuse(name):
        raise RuntimeError(f"{name} cannot be built")

    monkeypatch.setattr(lab.session.loop, "use_technique", refuse)
    lab.train(1)
    if training:
        lab.start()
    with pytest.raises(RuntimeError, match="exact cannot be built"):
        lab.painter.technique = "exact"
    assert lab.painter.technique == "none" and "exact cannot" in lab.painter.error
    with pytest.raises(RuntimeError, match="restore cannot be built"):
        lab.use(technique="restore")
    page.choose("technique", "shadow_copy")
    until(lambda: "shadow_copy cannot be built" in lab.painter.error)
    assert lab.painter.technique == "none" and lab.training == training
    lab.stop()


def test_use_checks_every_name_before_it_changes_anything(lab):
    before = state(lab.painter)
    for choice in (
        ("restore", "nothing"),
        ("nothing", "sgd"),
        ("restore", "sgd", "nothing"),
        ("", "sgd"),
    ):
        with pytest.raises(ValueError):
            lab.use(*choice)
    assert state(lab.painter) == before


def test_a_choice_is_put_in_force_once_and_an_optimizer_in_use_can_be_chosen_anew(lab, monkeypatch):
    used = []
    loop, take = lab.session.loop, lab.session.loop.use_optimizer
    monkeypatch.setattr(loop, "use_optimizer", lambda name: (used.append(name), take(name)))
    lab.use("restore", "sgd")
    assert used == ["sgd"] and lab.painter.optimizer == "sgd"
    lab.use(optimizer="sgd")
    assert used == ["sgd", "sgd"]


def test_choosing_a_technique_and_an_optimizer_trains_with_them(lab):
    lab.train(10)
    lab.paint(slice(0, 4), slice(None))
    lab.painter.technique = "gradient_times_mask"
    lab.train(1)
    assert lab.leaks().sum() == 32
    lab.reset()
    lab.painter.optimizer = "sgd"
    lab.train(10)
    assert not lab.leaks().any()


def test_another_speed_does_not_make_an_end_endless(lab, until):
    lab.train(1)  # compiles
    training = threading.Thread(target=lab.train, args=(2000,))
    training.start()
    until(lambda: lab.session.trainer.running)
    lab.painter.speed = None
    training.join(30)
    assert not training.is_alive() and lab.steps == 2001


def test_another_speed_takes_hold_while_it_trains_and_starts_nothing(lab):
    lab.painter.speed = 10
    assert not lab.training
    lab.start()
    assert lab.session.trainer.limit == 10
    lab.painter.speed = 200
    assert lab.training and lab.session.trainer.limit == 200
    lab.stop()


def test_after_closing_a_setting_is_refused_and_taken_back(lab):
    lab.close()
    with pytest.raises(RuntimeError, match="closed"):
        lab.painter.technique = "exact"
    assert lab.painter.technique == "none" and "closed" in lab.painter.error


# Orders from the browser


def test_train_and_pause(lab, page, until):
    page.ask("train")
    until(lambda: lab.steps > 3)
    assert lab.painter.status == "training" and lab.session.trainer.limit == 200
    page.ask("pause")
    until(lambda: lab.painter.status == "paused")
    at = lab.weights
    assert not changed_bits(at, lab.weights).any()


def test_step_takes_one_step_and_pauses_what_trains(lab, page, until):
    for step in (1, 2, 3):
        page.ask("step")
        until(lambda step=step: lab.steps == step)
    page.ask("train")
    until(lambda: lab.steps > 6)
    page.ask("step")
    until(lambda: lab.painter.status == "paused")


def test_reset_takes_the_weights_back(lab, page, until):
    lab.train(5)
    page.ask("reset")
    until(lambda: lab.steps == 0)
    assert lab.weights.tobytes() == lab.initial.tobytes()


def test_orders_and_paint_are_carried_out_in_their_order(lab, page, until):
    lab.train(1)
    for value in ("exact", "none") * 10:
        page.choose("technique", value)
    page.ask("step")
    page.choose("technique", "restore")
    until(lambda: lab.painter.technique == "restore")
    lab.session.trainer.wait()
    assert lab.steps == 2 and lab.painter.error == "" and lab.painter.applied == {"page": 22}


def test_what_a_frame_names_as_applied_has_been_carried_out(lab, page, busy):
    """A list on the page shows its own choice until then, and what Python says from then on."""
    with busy(lab):
        page.choose("technique", "exact")
        assert lab.painter.applied == {"page": 1} and lab.painter.technique == "none"
        assert lab.painter.compose()[0]["applied"] == {}
    lab.session.settle()
    assert lab.painter.compose()[0]["applied"] == {"page": 1}
    assert lab.painter.technique == "exact"


def test_a_choice_that_comes_at_the_last_moment_is_in_the_frame_that_names_it(lab, page):
    """One whose turn in the mailbox would be only after the coming steps."""

    def late():
        page.choose("technique", "exact")
        lab.session._put_in_force()
        return lab.painter.compose()[0]["applied"], lab.painter.technique

    assert lab.session.do(late) == ({"page": 1}, "exact")


def test_no_order_waits_for_the_training_thread(lab, page, busy):
    """It is given under the link's lock, for which that thread may be waiting."""
    with busy(lab):
        for kind in ("train", "pause", "step", "reset"):
            page.ask(kind)
        page.choose("technique", "exact")
        page.choose("speed", None)
        lab.painter.set_state({"optimizer": "sgd"})
        assert lab.painter.technique == "none" and lab.steps == 0
    lab.session.settle()
    assert in_force(lab) == ("exact", "sgd", "all", None)


def test_an_observer_may_ask_for_what_only_the_training_thread_knows(lab, page, until):
    """Whoever observes a choice is called on that thread, and under no lock."""
    seen = []
    lab.painter.observe(lambda _: seen.append(lab.weights.sum()), "technique")
    lab.start()
    for value in ("exact", "none", "restore"):
        page.choose("technique", value)
    until(lambda: len(seen) == 3)
    lab.stop()


BAD_CHOICES = [(n, v) for n in ("technique", "optimizer", "page", "speed") for v in REFUSED[n]]


@pytest.mark.parametrize(("name", "value"), BAD_CHOICES)
@pytest.mark.parametrize("way", ["chosen", "linked in the browser"])
def test_a_bad_choice_from_the_browser_is_told_there_and_changes_nothing(alone, name, value, way):
    before, sent = state(alone), []
    alone.send_state = lambda key: sent.append(key)
    if way == "chosen":
        Page(alone).choose(name, value)
    else:
        alone.set_state({name: value})
    assert state(alone) == before and "arrived" in alone.error
    assert name in sent  # one of the pages shows something else now


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"name": "technique"},
        {"value": "exact"},
        {"name": "status", "value": "failed"},
        {"name": ["technique"], "value": "exact"},
        {"name": None, "value": "exact"},
        {"name": "t" * 1000, "value": "exact"},
    ],
)
def test_a_choice_of_nothing_is_told_and_changes_nothing(alone, message):
    before = state(alone)
    Page(alone).ask("choose", **message)
    assert state(alone) == before and "arrived" in alone.error and len(alone.error) < 500


def test_what_was_said_of_a_bad_choice_goes_with_the_next_good_one(alone):
    page = Page(alone)
    page.choose("technique", "nothing")
    assert "'nothing' arrived" in alone.error
    page.choose("technique", "exact")
    assert alone.error == "" and alone.technique == "exact"


def test_a_panel_that_nobody_trains_says_so(alone):
    page = Page(alone)
    for kind in ("train", "pause", "step", "reset"):
        alone.error = ""
        page.ask(kind)
        assert "Nobody trains this grid" in alone.error


def test_an_order_after_closing_says_so(lab, page):
    lab.close()
    page.ask("train")
    assert "closed" in lab.painter.error


def test_a_failure_is_shown_and_goes_with_the_next_order(playground, spoilt, until):
    lab = playground(task=spoilt(tasks.snowflake(0, 8, 8), 3))
    page = Page(lab.painter)
    page.ask("train")
    until(lambda: lab.painter.status == "failed")
    assert "step 4" in lab.painter.error
    page.ask("reset")
    until(lambda: lab.painter.status == "paused")
    assert lab.painter.error == ""
    lab.train(3)
    assert lab.steps == 3


def test_a_failure_stays_in_sight_however_often_train_is_pressed(playground, spoilt, until):
    lab = playground(task=spoilt(tasks.snowflake(0, 8, 8), 3))
    page = Page(lab.painter)
    for kind in ("train", "train", "step", "train"):
        page.ask(kind)
        until(lambda: "step 4" in lab.painter.error and not lab.training)
        lab.session.settle()
    assert lab.steps == 3 and np.isfinite(lab.weights).all()
    lab.reset()


# How training goes


def test_step_and_loss_are_those_of_the_end_whenever_training_pauses(lab):
    panel = lab.painter
    assert (panel.step, panel.loss, panel.accuracy) == (0, None, None)
    told = []
    panel.observe(lambda change: told.append((change.new, panel.step, panel.loss)), "status")
    for steps in (3, 8, 11):
        lab.train(steps - lab.steps)
        assert panel.step == steps == lab.steps and panel.loss == lab.session.run.curve.last
    lab.start()
    lab.stop()
    assert panel.step == lab.steps
    assert told[-1] == ("paused", panel.step, panel.loss)
    lab.reset()
    assert (panel.step, panel.loss) == (0, None)


def test_step_and_loss_are_those_of_a_failure(playground, spoilt, until):
    lab = playground(task=spoilt(tasks.snowflake(0, 8, 8), 7))
    lab.start()
    until(lambda: lab.painter.status == "failed")
    assert lab.painter.step == 7 and lab.painter.loss > 0


def test_while_it_trains_they_are_told_five_times_a_second_at_most(alone, monkeypatch):
    told, now = [], [100.0]
    monkeypatch.setattr(module.time, "perf_counter", lambda: now[0])
    alone.observe(lambda change: told.append((alone.step, alone.loss)), "step")
    for step in range(1, 101):
        now[0] += 0.01
        alone.report(loss=1 / step, step=step)
    assert 4 <= len(told) <= 6 and all(loss == 1 / step for step, loss in told)
    alone.report(at_once=True, loss=0.0, step=500)
    assert told[-1] == (500, 0.0)


@pytest.mark.parametrize("name", ["step", "loss", "accuracy"])
def test_they_are_not_for_readers_to_set_nor_for_the_browser(alone, name):
    with pytest.raises(traitlets.TraitError):
        setattr(alone, name, 1)
    assert name not in alone.get_state()


def test_an_observer_that_raises_is_told_and_stops_no_training(lab, until):
    def observe(_):
        raise ValueError("the reader's own mistake")

    lab.painter.observe(observe, "step")
    lab.start()
    until(lambda: "the reader's own mistake" in lab.painter.error and lab.steps > 50)
    assert lab.painter.status == "training"
    lab.stop()


def test_an_observer_that_trains_and_waits_is_told_that_it_cannot(lab, until):
    lab.painter.observe(lambda _: lab.train(1), "step")
    lab.start()
    until(lambda: "Call lab.start() there" in lab.painter.error)
    lab.stop()


# A line of text, shown and pasted on a page


@pytest.fixture
def said(lab, monkeypatch):
    """The texts that the panel has sent to its pages, a list of (kind, text)."""
    said, send = [], lab.painter.send

    def listen(message, **more):
        if "text" in message:
            said.append((message["kind"], message["text"]))
        send(message, **more)

    monkeypatch.setattr(lab.painter, "send", listen)
    return said


def test_a_page_gets_a_link_to_the_site_too_where_there_is_one(
    playground, lab, page, said, until, monkeypatch
):
    monkeypatch.setattr(share.home, "site", lambda: "https://someone.github.io/course/")
    page.ask("share")  # of a task that the site has not
    until(lambda: said)
    digits = playground("digits", "adam")
    monkeypatch.setattr(digits.painter, "send", lab.painter.send)
    digits.painter.post(digits.painter.operations["share"], digits.painter, {}, [])
    until(lambda: len(said) == 3)
    line = digits.code()
    there = ("link", f"https://someone.github.io/course/#{line}")
    assert said == [("code", lab.code()), ("code", line), there]


def test_a_page_asks_for_the_line_and_pastes_one(playground, lab, page, said, until):
    page.ask("share")
    until(lambda: said)
    assert said == [("code", lab.code())]
    other = playground(tasks.snowflake(0, 8, 8), "sgd", "exact")
    other.paint(2, slice(1, 5))
    page.ask("paste", line=other.code())
    until(lambda: len(said) == 2)
    assert said[1] == ("pasted", "") and lab.code() == other.code()
    page.ask("paste", line=playground(tasks.snowflake(5, 8, 8)).code())
    until(lambda: len(said) == 3)
    assert "seed 5" in said[2][1] and not lab.frozen.any()


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ({}, "The line None arrived"),
        ({"line": ""}, "a text of 1 to 65536 letters"),
        ({"line": "x" * 70_000}, "a text of 1 to 65536 letters"),
        ({"line": ["freeze1.a"]}, "a text of"),
        ({"line": "freeze1.a"}, "its checksum does not fit"),
    ],
)
def test_a_line_from_a_page_is_checked_and_its_refusal_shown(lab, page, said, until, message, told):
    lab.paint(1, 1)
    before = lab.code()
    page.ask("paste", **message)
    until(lambda: told in lab.painter.error)
    assert lab.code() == before and said == []


def test_a_line_of_ones_own_task_is_refused_on_the_page(playground, own_task, until):
    lab = playground(own_task())
    Page(lab.painter).ask("share")
    until(lambda: "A task of your own is on this grid" in lab.painter.error)


# Which tools are shown


def test_few_tools_are_shown_unless_others_are_named(playground):
    small = tasks.snowflake(0, 8, 8)
    assert playground(task=small).painter.controls == list(FEW)
    assert set(FEW) < set(CONTROLS) and "more" in FEW
    shown = ["reset", "train"]
    panel = playground(task=small, controls=shown).painter
    assert panel.controls == shown and panel.get_state()["controls"] == shown
    assert playground(task=small, controls=[]).painter.controls == []
    assert playground(task=small, controls=("undo",)).painter.controls == ["undo"]


@pytest.mark.parametrize("controls", [["train", "trian"], "train", [3], [None]])
def test_an_unknown_tool_is_refused_and_leaves_no_thread(playground, trainers, controls):
    with pytest.raises(ValueError, match="arrived; .*'train'"):
        playground(controls=controls)
    assert not trainers()


def test_the_browser_has_the_same_tools_in_the_same_order():
    groups = re.search(
        r"GROUPS = \[(.*?)\n\];", (BROWSER / "controls.mjs").read_text("utf-8"), re.DOTALL
    )[1]
    members = re.findall(r"\[([^\[\]]*)\]\],", groups)
    assert re.findall(r'"(\w+)"', " ".join(members)) == list(CONTROLS)
