"""The history of a run: replaying it gives the same masks and the same copies at every step."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import masks
from helpers.playground.history import History

SHAPE = (2, 2)
MASKS = st.lists(st.booleans(), min_size=4, max_size=4).map(lambda c: np.reshape(c, SHAPE))
ACTIONS = st.one_of(MASKS, st.sampled_from(["step", "reset"]))


class Freezing:
    """Freezes as the loop does: a cell's copy is the value that it had when it was frozen. All
    cells have the number of the step as their value."""

    def __init__(self):
        self.frozen, self.copies = np.zeros(SHAPE, bool), np.zeros(SHAPE, int)

    def freeze(self, step, frozen):
        self.copies = np.where(frozen & ~self.frozen, step, self.copies)
        self.frozen = frozen

    def seen(self):
        """The mask, and the copies that the model sees."""
        return self.frozen.tolist(), np.where(self.frozen, self.copies, -1).tolist()


def replayed(changes):
    """What a program that obeys these changes sees in the end, and the steps of its masks."""
    freezing = Freezing()
    for (step, kind), text in changes.items():
        if kind in ("thawed", "frozen"):
            freezing.freeze(step, masks.from_text(text, SHAPE))
    return freezing.seen()


@given(st.lists(ACTIONS, max_size=30))
def test_a_replay_sees_what_the_loop_saw(actions):
    history, loop, step = History(SHAPE), Freezing(), 0
    for action in actions:
        if isinstance(action, np.ndarray):
            history.freeze(step, action)
            loop.freeze(step, action)
        elif action == "step":
            step += 1
        else:
            history.restart()
            loop.copies[:], step = 0, 0
        assert replayed(history.changes) == loop.seen()
    steps = [at for at, _ in history.changes]
    assert steps == sorted(steps)


def test_masks_at_one_step_are_one_change():
    history, half = History(SHAPE), np.eye(2, dtype=bool)
    for mask in (half, ~half, half | ~half, half):
        history.freeze(3, mask)
    assert history.changes == {(3, "frozen"): masks.as_text(half)}


def test_a_cell_that_was_thawed_and_frozen_within_a_step_is_thawed_in_between():
    history, half = History(SHAPE), np.eye(2, dtype=bool)
    for step, mask in ((0, half), (3, ~half), (3, half)):
        history.freeze(step, mask)
    assert history.changes[3, "thawed"] == masks.as_text(np.zeros(SHAPE, bool))
    history.freeze(3, ~half)
    assert (3, "thawed") not in history.changes


@pytest.mark.parametrize("kind", ["technique", "optimizer"])
def test_the_last_choice_at_a_step_counts_and_the_same_name_later_is_a_choice_again(kind):
    history = History(SHAPE)
    for step, name in ((0, "one"), (0, "two"), (5, "three"), (5, "two")):
        history.choose(step, kind, name)
    assert history.changes == {(0, kind): "two", (5, kind): "two"}


def test_a_restart_begins_with_what_is_in_force():
    history = History(SHAPE)
    history.choose(0, "technique", "none")
    history.choose(4, "technique", "exact")
    for mask in (True, False, True):
        history.freeze(7, np.full(SHAPE, mask))
    history.freeze(9, np.full(SHAPE, False))
    history.freeze(9, np.full(SHAPE, True))
    history.restart()
    everything = masks.as_text(np.full(SHAPE, True))
    assert history.now == {"technique": "exact", "frozen": everything}
    assert history.changes == {(0, "technique"): "exact", (0, "frozen"): everything}
    for mask in (False, True):  # all cells hold their first values: thawing them changes no copy
        history.freeze(0, np.full(SHAPE, mask))
    assert history.changes == {(0, "technique"): "exact", (0, "frozen"): everything}


def test_a_mask_that_is_changed_afterwards_does_not_change_what_was_noted():
    history, mask = History(SHAPE), np.ones(SHAPE, bool)
    history.freeze(0, mask)
    mask[:] = False
    for value in (False, True):
        history.freeze(1, np.full(SHAPE, value))
    assert (1, "thawed") in history.changes


def test_the_loop_notes_each_change_at_its_step(lab, half):
    lab.train(3)
    lab.use("restore", "sgd")
    lab.frozen = half
    lab.train(2)
    lab.use(optimizer="sgd")
    history = lab.session.loop.history
    none, some = masks.as_text(np.zeros_like(half)), masks.as_text(half)
    assert history.changes == {
        (0, "frozen"): none,
        (0, "technique"): "none",
        (0, "optimizer"): "adam",
        (0, "knobs"): {},
        (3, "technique"): "restore",
        (3, "optimizer"): "sgd",
        (3, "knobs"): {},
        (3, "frozen"): some,
        (5, "optimizer"): "sgd",
        (5, "knobs"): {},
    }
    lab.reset()
    now = {"technique": "restore", "optimizer": "sgd", "knobs": {}, "frozen": some}
    assert history.changes == {(0, kind): value for kind, value in now.items()}
