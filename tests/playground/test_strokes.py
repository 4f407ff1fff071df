"""The sheet that is painted on: strokes, undo and redo, against a model that stores whole masks."""

import threading

import numpy as np
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from helpers.playground.painter.strokes import LONGEST_HISTORY, Sheet

SHAPE = (3, 4)
CELLS = st.lists(st.integers(0, 11), max_size=6)


class SheetAgreesWithWholeMasks(RuleBasedStateMachine):
    """Paints on a sheet, and keeps every mask there ever was to look up what undo must bring."""

    @initialize()
    def begin(self):
        self.sheet, self.mask = Sheet(SHAPE), np.zeros(SHAPE, bool)
        self.past, self.future = [], []  # (stroke, mask before it), (mask after it)
        self.seen, self.version = self.mask.copy(), self.sheet.version

    def edit(self, after, stroke):
        if (after == self.mask).all():
            return
        if stroke is None or not self.past or self.past[-1][0] != stroke:
            self.past.append((stroke, self.mask))
        elif (after == self.past[-1][1]).all():
            self.past.pop()  # a stroke that changes nothing in the end is not there to be undone
        self.mask, self.future = after, []

    @rule(cells=CELLS, frozen=st.booleans(), stroke=st.sampled_from([None, "a", "b"]))
    def paint(self, cells, frozen, stroke):
        self.sheet.paint(np.array(cells, np.int32), frozen, stroke)
        after = self.mask.copy()
        after.flat[cells] = frozen
        self.edit(after, stroke)

    @rule(bits=st.lists(st.booleans(), min_size=12, max_size=12))
    def replace(self, bits):
        after = np.reshape(bits, SHAPE)
        self.sheet.replace(after)
        self.edit(after.copy(), None)

    @rule()
    def undo(self):
        self.sheet.undo()
        if self.past:
            self.future.append(self.mask)
            self.mask = self.past.pop()[1]

    @rule()
    def redo(self):
        self.sheet.redo()
        if self.future:
            self.past.append((None, self.mask))
            self.mask = self.future.pop()

    @invariant()
    def masks_agree(self):
        np.testing.assert_array_equal(self.sheet.frozen, self.mask)

    @invariant()
    def version_moves_exactly_with_the_mask(self):
        changed = (self.sheet.frozen != self.seen).any()
        assert (self.sheet.version != self.version) == changed
        self.seen, self.version = self.sheet.frozen, self.sheet.version


TestSheet = SheetAgreesWithWholeMasks.TestCase


def test_a_stroke_of_many_parts_is_one_undo():
    sheet = Sheet(SHAPE)
    sheet.paint([0], True, "first")
    for cell in range(1, 5):
        sheet.paint([cell], True, "second")
    sheet.undo()
    assert np.flatnonzero(sheet.frozen).tolist() == [0]
    sheet.redo()
    assert np.flatnonzero(sheet.frozen).tolist() == [0, 1, 2, 3, 4]


def test_a_stroke_that_crosses_itself_is_taken_back_whole():
    sheet = Sheet(SHAPE)
    sheet.paint([1], True)
    sheet.paint([1, 2], False, "s")
    sheet.paint([1, 3], True, "s")
    sheet.undo()
    assert np.flatnonzero(sheet.frozen).tolist() == [1]


def test_a_redone_stroke_does_not_grow():
    sheet = Sheet(SHAPE)
    sheet.paint([1], True, "s")
    sheet.undo()
    sheet.redo()
    sheet.paint([2], True, "s")
    sheet.undo()
    assert np.flatnonzero(sheet.frozen).tolist() == [1]


def test_painting_after_undo_forgets_what_could_be_redone():
    sheet = Sheet(SHAPE)
    sheet.paint([1], True)
    sheet.undo()
    sheet.paint([2], True)
    sheet.redo()
    assert np.flatnonzero(sheet.frozen).tolist() == [2]


def test_painting_what_is_painted_keeps_what_can_be_redone():
    sheet = Sheet(SHAPE)
    sheet.paint([1], True)
    sheet.undo()
    sheet.paint([2], False)
    sheet.redo()
    assert np.flatnonzero(sheet.frozen).tolist() == [1]


def test_the_oldest_strokes_are_forgotten_and_the_mask_stays_right():
    sheet = Sheet((1, LONGEST_HISTORY + 10))
    for cell in range(LONGEST_HISTORY + 10):
        sheet.paint([cell], True)
    for _ in range(2 * LONGEST_HISTORY):
        sheet.undo()
    assert np.flatnonzero(sheet.frozen).tolist() == list(range(10))


def test_a_stroke_that_came_to_nothing_takes_no_undo():
    sheet = Sheet(SHAPE)
    sheet.paint([1], True)
    sheet.paint([2], True, "s")
    sheet.paint([2], False, "s")
    sheet.undo()
    assert not sheet.frozen.any()


def test_frozen_is_a_copy():
    sheet = Sheet(SHAPE)
    sheet.frozen[:] = True
    assert not sheet.frozen.any()
    mask = np.ones(SHAPE, bool)
    sheet.replace(mask)
    mask[:] = False
    assert sheet.frozen.all()


def test_several_threads_may_paint():
    sheet = Sheet((4, 50))

    def paint(row):
        for cell in range(50):
            sheet.paint([50 * row + cell], True)
            if cell % 5 == 0:
                sheet.undo()
                sheet.redo()

    threads = [threading.Thread(target=paint, args=(row,)) for row in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    while sheet.frozen.any():
        version = sheet.version
        sheet.undo()
        assert sheet.version == version + 1
