"""The painter: Python owns the mask, and the browser asks for changes in numbered messages."""

import math
import threading

import numpy as np
import pytest

from helpers import masks
from helpers.playground.driver import Nobody
from helpers.playground.painter import Painter, planes
from helpers.playground.painter import painter as module
from helpers.playground.painter.painted_mask import PaintedMask

VALUES = np.arange(12, dtype=np.float32).reshape(3, 4) - 6


class Browser:
    """Speaks to a painter as link.mjs does, and keeps what the painter sends."""

    def __init__(self, painter, client="one"):
        self.painter, self.client, self.seq, self.mask, self.sent = painter, client, 0, 0, []
        painter.send = lambda content, buffers=None: self.sent.append((content, buffers or []))

    def say(self, kind, buffers=(), **message):
        """Send a message that is no operation."""
        self.painter._receive(None, {"kind": kind, **message}, list(buffers))

    def ask(self, kind, cells=None, **message):
        """Send an operation with the next number."""
        self.seq += 1
        buffers = [] if cells is None else [memoryview(np.array(cells, np.int32).tobytes())]
        message = dict(client=self.client, seen=0, seq=self.seq, mask=self.mask) | message
        self.say(kind, buffers, **message)

    def hello(self):
        """Say that a browser is there."""
        self.say("hello", client=self.client, seen=0)

    def paint(self, *cells, frozen=True, stroke=1):
        """Paint cells by their flat indexes."""
        self.ask("paint", cells, frozen=frozen, stroke=stroke)

    @property
    def frames(self):
        """The frames that have arrived: each a dict of header and planes."""
        frames = [
            (content, buffers) for content, buffers in self.sent if content["kind"] == "frame"
        ]
        return [{**c, **dict(zip(c["planes"], b))} for c, b in frames]


@pytest.fixture
def painter():
    """A painter of 3×4 cells."""
    painter = Painter(VALUES)
    yield painter
    painter.close()


@pytest.fixture
def browser(painter):
    """A browser that has not yet said hello."""
    return Browser(painter)


def publish_at_once(painter):
    """Send the frame that is due, without waiting for its time."""
    painter.link._sent_at = 0.0
    painter.publish()


def painted(painter):
    """Flat indexes of the frozen cells."""
    return np.flatnonzero(painter.frozen).tolist()


# From Python


def test_nothing_is_frozen_to_begin_with_unless_a_mask_is_given(painter):
    assert painter.frozen.shape == (3, 4) and not painter.frozen.any()
    mask = VALUES > 0
    other = Painter(VALUES, mask)
    np.testing.assert_array_equal(other.frozen, mask)
    other.close()


@pytest.mark.parametrize(
    ("values", "frozen", "kind"),
    [
        (np.zeros(4), None, ValueError),
        (np.zeros((513, 1)), None, ValueError),
        (VALUES, np.zeros((4, 3), bool), ValueError),
        (VALUES, np.zeros((3, 4)), TypeError),
    ],
)
def test_bad_arrays_are_refused_at_construction(values, frozen, kind):
    with pytest.raises(kind):
        Painter(values, frozen)


@pytest.mark.parametrize("mask", [np.zeros((4, 3), bool), np.zeros((3, 4))])
def test_a_bad_mask_is_refused_on_assignment_and_changes_nothing(painter, mask):
    painter.paint(1, 2)
    with pytest.raises((TypeError, ValueError)):
        painter.frozen = mask
    assert painted(painter) == [6]


def test_paint_undo_and_redo_from_python(painter):
    painter.paint([0, 2], [1, 3])
    painter.paint(0, 1, frozen=False)
    assert painted(painter) == [11]
    painter.undo()
    assert painted(painter) == [1, 11]
    painter.redo()
    assert painted(painter) == [11]


def test_every_change_is_told_to_the_driver(painter):
    calls = []

    class Counting(Nobody):
        def wake(self):
            calls.append(self.painter.frozen.sum())

    painter.hand_over(Counting(painter))
    painter.paint(0, 0)
    painter.frozen = VALUES > 0
    painter.undo()
    painter.redo()
    assert calls == [1, 5, 1, 5]


def test_two_painters_have_nothing_in_common(painter):
    other = Painter(VALUES)
    other.paint(0, 0)
    assert not painter.frozen.any()
    other.close()


# Operations from the browser


def test_a_stroke_freezes_or_thaws_the_cells_it_names(painter, browser):
    browser.paint(0, 5, 11)
    assert painted(painter) == [0, 5, 11]
    browser.paint(5, frozen=False, stroke=2)
    assert painted(painter) == [0, 11]


def test_parts_of_a_stroke_are_one_undo_and_two_strokes_are_two(painter, browser):
    for cell in (0, 1, 2):
        browser.paint(cell, stroke=1)
    browser.paint(3, stroke=2)
    browser.ask("undo")
    assert painted(painter) == [0, 1, 2]
    browser.ask("undo")
    assert painted(painter) == []
    browser.ask("redo")
    assert painted(painter) == [0, 1, 2]


def test_strokes_of_two_browsers_are_two_even_under_one_number(painter, browser):
    other = Browser(painter, "two")
    browser.paint(0, stroke=1)
    other.paint(1, stroke=1)
    painter.undo()
    assert painted(painter) == [0]


def test_the_browser_can_invert_and_clear(painter, browser):
    browser.paint(*range(7))
    browser.ask("invert")
    assert painted(painter) == [7, 8, 9, 10, 11]
    browser.ask("clear")
    assert painted(painter) == []
    browser.ask("undo")
    assert painted(painter) == [7, 8, 9, 10, 11]


def test_the_largest_are_those_of_the_weights_now_not_at_the_start(painter, browser):
    browser.ask("largest", fraction=0.25)
    np.testing.assert_array_equal(painter.frozen, masks.largest(VALUES, 0.25))
    painter.values = -(VALUES[::-1].copy() ** 3)
    browser.ask("largest", fraction=0.5)
    np.testing.assert_array_equal(painter.frozen, masks.largest(painter.values, 0.5))


def test_random_freezes_the_fraction_and_differs_the_next_time(painter, browser):
    drawn = set()
    for _ in range(8):
        browser.ask("random", fraction=0.5)
        assert painter.frozen.sum() == 6
        drawn.add(painter.frozen.tobytes())
    assert len(drawn) > 1


def test_each_browser_counts_for_itself(painter, browser):
    other = Browser(painter, "two")
    browser.paint(0)
    browser.paint(1)
    other.paint(2)
    assert painted(painter) == [0, 1, 2] and painter.applied == {"one": 2, "two": 1}


PAINT = dict(kind="paint", stroke=9, frozen=True, cells=[3])
BAD = {
    "a cell outside": {**PAINT, "cells": [12]},
    "a cell below zero": {**PAINT, "cells": [-1]},
    "no cells": {**PAINT, "cells": None},
    "no stroke": {**PAINT, "stroke": None},
    "a stroke that is no number": {**PAINT, "stroke": [9]},
    "a stroke and a half": {**PAINT, "stroke": 1.5},
    "frozen as a number": {**PAINT, "frozen": 1},
    "frozen as a list": {**PAINT, "frozen": [False]},
    "frozen as nothing": {**PAINT, "frozen": None},
    "an unknown kind": {**PAINT, "kind": "paintt"},
    "an unknown mask": dict(kind="clear", mask=1),
    "a mask below zero": dict(kind="clear", mask=-1),
    "a mask that is no number": dict(kind="invert", mask="0"),
    "true as a mask": dict(kind="invert", mask=False),
    "a fraction too large": dict(kind="largest", fraction=1.5),
    "a fraction that is none": dict(kind="random", fraction="half"),
    "a fraction that is no number": dict(kind="random", fraction=math.nan),
    "a list of fractions": dict(kind="largest", fraction=[0.5]),
    "true as a fraction": dict(kind="random", fraction=True),
    "no fraction": dict(kind="largest"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_operation_is_reported_there_and_changes_nothing(painter, browser, name):
    browser.paint(1, 2)
    assert painter.error == ""
    browser.ask(**BAD[name])
    assert painter.error != "" and painted(painter) == [1, 2]
    browser.ask("undo")
    assert painted(painter) == []


@pytest.mark.parametrize("message", [{}, {"kind": "undo"}, {"kind": "hello"}, {"kind": "shown"}])
def test_a_message_without_its_parts_is_reported(painter, message):
    painter.paint(0, 0)
    painter._receive(None, message, [])
    assert painter.error != "" and painted(painter) == [0]


def test_an_unknown_operation_is_told_what_there_is(painter, browser):
    browser.ask("paintt")
    assert "'paintt'" in painter.error and "invert" in painter.error


def test_a_browser_whose_operation_was_refused_is_shown_the_truth(painter, browser):
    """It has drawn the cells already; without a frame its picture would stay wrong."""
    browser.hello()
    browser.ask(**BAD["a cell outside"])
    publish_at_once(painter)
    assert browser.frames[-1]["applied"] == {"one": 1}


# Values under the pointer

NO_NAMES = {"rows": [], "columns": []}


def test_the_value_of_a_cell_is_told_exactly(painter, browser):
    painter.values = VALUES + np.float32(1 / 3)
    browser.say("value", cell=7)
    (answer, _) = browser.sent[-1]
    assert answer["kind"] == "value" and answer["cell"] == 7
    assert np.float32(answer["value"]) == painter.values[1, 3]
    assert answer["name"] == "row 1, column 3"
    assert painter.names == {**NO_NAMES, "first": "row 0, column 0", "last": "row 2, column 3"}


@pytest.mark.parametrize(
    "number", [0.1, -0.0, 1e-45, 16777217, 3.4e38, float("nan"), -float("inf")]
)
def test_nine_digits_bring_any_weight_back(number):
    number = np.float32(number)
    again = np.float32(module.repr_of(number))
    assert again.tobytes() == number.tobytes() or (np.isnan(number) and np.isnan(again))


@pytest.mark.parametrize("cell", [12, -1, 1.5, math.nan, True, None, "1", [1, 2]])
def test_a_value_of_no_cell_is_reported(painter, browser, cell):
    browser.say("value", cell=cell)
    assert "from 0 to 11 was wanted" in painter.error and not browser.sent


@pytest.mark.parametrize("length", [1, 7])
def test_cells_that_are_cut_short_are_reported(painter, browser, length):
    browser.seq += 1
    sender = dict(client="one", seen=0, seq=1, mask=0, stroke=1, frozen=True)
    browser.say("paint", [memoryview(bytes(length))], **sender)
    assert "four bytes a cell" in painter.error and not painter.frozen.any()


# Frames


def test_a_frame_is_whole_and_names_what_it_holds(painter, browser):
    painter.values = np.where(VALUES == 0, np.nan, VALUES)
    browser.hello()
    browser.paint(0, 5)
    publish_at_once(painter)
    frame = browser.frames[-1]
    assert frame["applied"] == {"one": 1} and frame["frame"] == len(browser.frames)
    np.testing.assert_array_equal(planes.unpack(frame["frozen"], (3, 4)), painter.frozen)
    weights = np.frombuffer(frame["weights"], np.int8)
    assert weights[0] == -127 and weights[6] == planes.NOT_FINITE
    assert {"weights", "moved", "leaked", "frozen", "curve"} <= set(frame["planes"])


def test_what_a_reloaded_page_reads_is_the_truth_of_now(painter):
    painter.paint(2, 3)
    painter.values = 2 * VALUES
    state = painter.get_state(["frame"])["frame"]
    assert planes.unpack(state["frozen"], (3, 4))[2, 3]
    assert state["header"]["scale"] == 12


def test_the_page_gets_the_shipped_module_shape_and_colours(painter):
    state = painter.get_state()
    assert "cellsCrossed" in state["module"] and ".painter" in state["_css"]
    assert tuple(state["shape"]) == (3, 4) and len(state["colours"]) == 2 * 256 * 3


# Several masks


def test_the_given_sheet_is_painted_on():
    mask = PaintedMask((3, 4))
    painter = Painter(VALUES, mask=mask)
    painter.paint(2, 3)
    assert painter.mask is mask and mask.frozen[2, 3]
    painter.close()


def test_another_sheet_is_painted_on_from_then_on(painter, browser):
    first, second = painter.mask, PaintedMask((3, 4))
    browser.hello()
    painter.paint(0, 0)
    painter.turn_to(second)
    assert painted(painter) == []
    publish_at_once(painter)
    browser.mask = browser.frames[-1]["mask"]
    browser.paint(5)
    assert painted(painter) == [5]
    painter.undo()
    painter.undo()
    painter.turn_to(first)
    assert painted(painter) == [0]


@pytest.mark.parametrize("kind", ["undo", "redo", "invert", "clear", "random"])
def test_what_a_browser_asked_for_before_it_saw_another_sheet_goes_to_the_one_it_saw(
    painter, browser, kind
):
    first, second = painter.mask, PaintedMask((3, 4))
    browser.paint(0, 1)
    browser.paint(2, stroke=2)
    if kind == "redo":
        browser.ask("undo")
    before = first.frozen
    painter.turn_to(second)
    painter.paint(2, 3)
    browser.ask(kind, fraction=0.5)
    assert painted(painter) == [11] and (first.frozen != before).any()
    browser.paint(7, stroke=3)
    assert painted(painter) == [11] and first.frozen[1, 3] and painter.error == ""


def test_the_largest_of_a_grid_that_is_no_longer_shown_are_refused(painter, browser):
    """The weights at hand are those of the grid that is shown now."""
    first, second = painter.mask, PaintedMask((3, 4))
    painter.turn_to(second)
    browser.ask("largest", fraction=0.5)
    assert "no longer shown" in painter.error
    assert not first.frozen.any() and not second.frozen.any()


def test_turning_back_to_a_sheet_gives_it_the_number_it_had(painter):
    numbers = []
    first, second = painter.mask, PaintedMask((3, 4))
    for mask in (second, first, second):
        painter.turn_to(mask)
        numbers.append(painter.compose()[0]["mask"])
    assert numbers == [1, 0, 1]


# Several threads


def test_threads_that_paint_undo_receive_and_publish_keep_the_order_of_locks(watched_locks):
    """A lock out of order fails the test; no operation of a browser is passed over."""
    painter = Painter(np.zeros((8, 50), np.float32))
    onlooker = {"client": "onlooker", "seen": 0}
    painter.link.receive({"kind": "hello", **onlooker}, [])

    hands = [Browser(painter, f"browser {row}") for row in range(2)]

    def by_hand(row):
        browser = hands[row]
        for column in range(50):
            browser.paint(50 * row + column, stroke=column)
            browser.ask("undo")
            browser.paint(50 * row + column, stroke=column)

    def by_python(row):
        for column in range(50):
            painter.paint(row, column)

    def onlook(_):
        for number in range(100):
            painter.link.receive({"kind": "shown", "frame": number, **onlooker}, [])
            painter.link.receive({"kind": "value", "cell": number}, [])
            publish_at_once(painter)
            painter.get_state(["frame"])

    work = [(by_hand, 0), (by_hand, 1), (by_python, 2), (by_python, 3), (onlook, 0), (onlook, 0)]
    threads = [threading.Thread(target=target, args=(row,)) for target, row in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert painter.error == ""
    assert painter.applied == {"onlooker": 0, "browser 0": 150, "browser 1": 150}
    assert watched_locks.taken >= {("link", "mask")}
    painter.close()
