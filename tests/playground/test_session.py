"""A session: what happens on the training thread, asked for from several others."""

import threading

import numpy as np
import pytest

from helpers.playground import tasks

PAGE = {"client": "a page", "seen": 0}
HELLO = {"kind": "hello", **PAGE}


def messages(masks):
    """What a page sends: strokes, undo and redo, questions, acknowledgements."""
    cells = np.arange(20, dtype=np.int32)
    yield HELLO, []
    for seq in range(1, 41):
        kind = ("paint", "undo", "redo", "random", "choose", "step", "train")[seq % 7]
        details = {"stroke": seq, "frozen": True, "fraction": 0.3, "mask": seq % masks}
        details |= {"name": "technique", "value": ("exact", "none")[seq % 2]}
        yield dict(kind=kind, seq=seq, **PAGE, **details), [memoryview(cells.tobytes())]
        yield {"kind": "value", "cell": 3}, []
        yield {"kind": "shown", "frame": seq, **PAGE}, []


def test_locks_are_taken_in_their_order_whoever_does_what(watched_locks, playground):
    lab = playground("digits", technique="restore")
    lab.use(page="1")
    lab.train(1)  # compiles
    lab.start()

    def browse():
        for message, buffers in messages(masks=2):
            lab.painter._receive(None, message, buffers)

    def call():
        for step in range(10):
            lab.paint(step % 8, slice(None))
            lab.use(page=str(step % 2), optimizer=("sgd", "adam")[step % 2])
            lab.undo()
            lab.leaks()

    def look():
        for _ in range(30):
            lab.painter.compose()

    def link():
        for step in range(10):
            lab.painter.set_state({"speed": 100 + step})
            lab.painter.technique = ("restore", "none")[step % 2]

    lab.painter.observe(lambda _: lab.weights, "technique")
    threads = [threading.Thread(target=work) for work in (browse, call, look, link)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    lab.reset()
    assert not any(thread.is_alive() for thread in threads) and lab.painter.error == ""
    # Frames are composed under the link, and what they show is read under the step.
    assert {("link", "step"), ("link", "mask")} <= watched_locks.taken


def test_whoever_asks_is_told_which_operations_a_step_obeyed(playground, until):
    lab, told = playground(task=tasks.snowflake(0, 8, 8)), []
    lab.session.after_steps.append(told.append)
    lab.train(2)
    assert told and told[-1] == {}
    lab.painter._receive(None, HELLO, [])
    stroke = dict(kind="paint", seq=1, stroke=1, frozen=True, mask=0, **PAGE)
    lab.painter._receive(None, stroke, [memoryview(np.arange(3, dtype=np.int32).tobytes())])
    lab.session.settle()
    lab.train(1)
    assert told[-1] == {"a page": 1}


@pytest.mark.parametrize("page", ["0", "7"])
def test_a_frame_shows_the_page_that_is_painted(playground, page):
    lab = playground("digits", page=page)
    lab.paint(1, 1)
    snapshot = lab.session.snapshot()
    np.testing.assert_array_equal(snapshot["frozen"], lab.frozen)
    np.testing.assert_array_equal(snapshot["values"], lab.weights)
