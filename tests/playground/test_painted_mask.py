"""The mask that is painted on: strokes, undo and redo, against a model that stores whole masks."""

import threading

import numpy as np
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from helpers.playground.painter.painted_mask import LONGEST_HISTORY, PaintedMask

SHAPE = (3, 4)
CELLS = st.lists(st.integers(0, 11), max_size=6)


class SheetAgreesWithWholeMasks(RuleBasedStateMachine):
    """Paints on a mask, and keeps every mask there ever was to look up what undo must bring."""

    @initialize()
    def begin(self):
        self.painted, self.mask = PaintedMask(SHAPE), np.zeros(SHAPE, bool)
        self.past, self.future = [], []  # (stroke, mask before it), (mask after it)
        self.seen, self.version = self.mask.copy(), self.painted.version

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
        self.painted.paint(np.array(cells, np.int32), frozen, stroke)
        after = self.mask.copy()
        after.flat[cells] = frozen
        self.edit(after, stroke)

    @rule(bits=st.lists(st.booleans(), min_size=12, max_size=12))
    def replace(self, bits):
        after = np.reshape(bits, SHAPE)
        self.painted.replace(after)
        self.edit(after.copy(), None)

    @rule()
    def undo(self):
        self.painted.undo()
        if self.past:
            self.future.append(self.mask)
            self.mask = self.past.pop()[1]

    @rule()
    def redo(self):
        self.painted.redo()
        if self.future:
            self.past.append((None, self.mask))
            self.mask = self.future.pop()

    @invariant()
    def masks_agree(self):
        np.testing.assert_array_equal(self.painted.frozen, self.mask)

    @invariant()
    def version_moves_exactly_with_the_mask(self):
        changed = (self.painted.frozen != self.seen).any()
        assert (self.painted.version != self.version) == changed
        self.seen, self.version = self.painted.frozen, self.painted.version


TestSheet = SheetAgreesWithWholeMasks.TestCase


def test_a_stroke_of_many_parts_is_one_undo():
    painted = PaintedMask(SHAPE)
    painted.paint([0], True, "first")
    for cell in range(1, 5):
        painted.paint([cell], True, "second")
    painted.undo()
    assert np.flatnonzero(painted.frozen).tolist() == [0]
    painted.redo()
    assert np.flatnonzero(painted.frozen).tolist() == [0, 1, 2, 3, 4]


def test_a_stroke_that_crosses_itself_is_taken_back_whole():
    painted = PaintedMask(SHAPE)
    painted.paint([1], True)
    painted.paint([1, 2], False, "s")
    painted.paint([1, 3], True, "s")
    painted.undo()
    assert np.flatnonzero(painted.frozen).tolist() == [1]


def test_a_redone_stroke_does_not_grow():
    painted = PaintedMask(SHAPE)
    painted.paint([1], True, "s")
    painted.undo()
    painted.redo()
    painted.paint([2], True, "s")
    painted.undo()
    assert np.flatnonzero(painted.frozen).tolist() == [1]


def test_painting_after_undo_forgets_what_could_be_redone():
    painted = PaintedMask(SHAPE)
    painted.paint([1], True)
    painted.undo()
    painted.paint([2], True)
    painted.redo()
    assert np.flatnonzero(painted.frozen).tolist() == [2]


def test_painting_what_is_painted_keeps_what_can_be_redone():
    painted = PaintedMask(SHAPE)
    painted.paint([1], True)
    painted.undo()
    painted.paint([2], False)
    painted.redo()
    assert np.flatnonzero(painted.frozen).tolist() == [1]


def test_the_oldest_strokes_are_forgotten_and_the_mask_stays_right():
    painted = PaintedMask((1, LONGEST_HISTORY + 10))
    for cell in range(LONGEST_HISTORY + 10):
        painted.paint([cell], True)
    for _ in range(2 * LONGEST_HISTORY):
        painted.undo()
    assert np.flatnonzero(painted.frozen).tolist() == list(range(10))


def test_a_stroke_that_came_to_nothing_takes_no_undo():
    painted = PaintedMask(SHAPE)
    painted.paint([1], True)
    painted.paint([2], True, "s")
    painted.paint([2], False, "s")
    painted.undo()
    assert not painted.frozen.any()


def test_frozen_is_a_copy():
    painted = PaintedMask(SHAPE)
    painted.frozen[:] = True
    assert not painted.frozen.any()
    mask = np.ones(SHAPE, bool)
    painted.replace(mask)
    mask[:] = False
    assert painted.frozen.all()


def test_several_threads_may_paint():
    painted = PaintedMask((4, 50))

    def paint(row):
        for cell in range(50):
            painted.paint([50 * row + cell], True)
            if cell % 5 == 0:
                painted.undo()
                painted.redo()

    threads = [threading.Thread(target=paint, args=(row,)) for row in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    while painted.frozen.any():
        version = painted.version
        painted.undo()
        assert painted.version == version + 1
