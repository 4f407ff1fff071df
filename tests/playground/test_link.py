"""The kernel's end of the conversation: each operation once and in order, frames at a fit pace."""

import math

import pytest

from helpers.playground.painter import link as module
from helpers.playground.painter.link import FRAMES_IN_FLIGHT, Link


class Peer:
    """A link whose operations and frames are plain lists; `say` speaks as a browser does."""

    def __init__(self, cells=12):
        self.frames, self.replies, self.carried_out, self.woken = [], [], [], 0
        self.picture, self.composed = b"nothing", 0
        self.link = Link(
            self.send, self.compose, self.carry_out, self.answer, self.wake, cells=cells
        )

    def send(self, message, buffers):
        """What leaves."""
        box = self.frames if message["kind"] == "frame" else self.replies
        box.append({**message, **dict(zip(message.get("planes", ()), buffers))})

    def compose(self):
        """A frame of one plane."""
        self.composed += 1
        return {"applied": self.link.applied}, {"picture": self.picture}

    def carry_out(self, message, buffers):
        """Keep the operation's kind; refuse one."""
        if message["kind"] == "wrong":
            raise ValueError("this one is refused")
        self.carried_out.append(message["kind"])

    def answer(self, message):
        """Answer any question."""
        return {"kind": "reply", "to": message["kind"]}

    def wake(self):
        """Publish at once, as nobody trains."""
        self.woken += 1
        self.link.publish()

    def say(self, kind, **message):
        """A message from a browser, of the client "one" that has seen nothing if none is named."""
        self.link.receive({"kind": kind, "client": "one", "seen": 0, **message}, [])

    def ask(self, kind, seq, **message):
        """An operation from a browser."""
        self.say(kind, seq=seq, **message)


@pytest.fixture(autouse=True)
def clock(stopped_clock):
    """The link's clock, which stands still until a test moves it."""
    return stopped_clock(module)


@pytest.fixture
def peer():
    return Peer()


@pytest.fixture
def greeted(peer):
    """A peer that has said hello, and got its frame."""
    peer.say("hello")
    return peer


# Operations


def test_operations_are_carried_out_in_the_order_of_their_numbers(peer):
    for seq, kind in enumerate("abc", start=1):
        peer.ask(kind, seq)
    assert peer.carried_out == ["a", "b", "c"] and peer.link.applied == {"one": 3}


def test_an_operation_that_arrives_again_is_ignored(peer):
    for seq in (1, 1, 2, 2, 1):
        peer.ask(f"number {seq}", seq)
    assert peer.carried_out == ["number 1", "number 2"]


def test_an_operation_that_arrives_again_is_answered_again(greeted, clock):
    """Its sender would not have sent it again, had the frame that answers it arrived."""
    for _ in range(2):
        clock.now += 10
        greeted.ask("invert", 1)
        greeted.say("shown", frame=greeted.frames[-1]["frame"])
    assert greeted.carried_out == ["invert"] and len(greeted.frames) == 3
    assert greeted.frames[-1]["applied"] == {"one": 1}


def test_an_operation_that_has_overtaken_a_lost_one_waits_for_it(peer):
    peer.ask("a", 1)
    peer.ask("c", 3)
    assert peer.carried_out == ["a"] and peer.link.applied == {"one": 1}
    peer.ask("b", 2)
    peer.ask("c", 3)
    assert peer.carried_out == ["a", "b", "c"]


def test_each_browser_counts_for_itself(peer):
    peer.ask("a", 1)
    peer.ask("b", 2)
    peer.ask("c", 1, client="two")
    assert peer.carried_out == ["a", "b", "c"] and peer.link.applied == {"one": 2, "two": 1}


def test_a_refused_operation_counts_and_is_followed_by_a_frame(greeted, clock):
    clock.now += 10
    with pytest.raises(ValueError, match="refused"):
        greeted.ask("wrong", 1)
    assert greeted.frames[-1]["applied"] == {"one": 1}
    greeted.ask("right", 2)
    assert greeted.carried_out == ["right"]


SENDER = {"client": "one", "seen": 0}
BAD = [
    None,
    [],
    "hello",
    {},
    {"seq": 1, **SENDER},
    {"kind": ["hello"], **SENDER},
    {"kind": "hello"},
    {"kind": "hello", "client": "one"},
    {"kind": "hello", "client": "", "seen": 0},
    {"kind": "hello", "client": "o" * 101, "seen": 0},
    {"kind": "hello", "client": ["one"], "seen": 0},
    {"kind": "hello", "client": "one", "seen": -1},
    {"kind": "shown", **SENDER},
    {"kind": "shown", "frame": math.nan, **SENDER},
    {"kind": "shown", "frame": [1], **SENDER},
    *[{"kind": "a", "seq": seq, **SENDER} for seq in (0, -1, 1.0, True, None, "1", [1], math.nan)],
]


@pytest.mark.parametrize("message", BAD)
def test_a_message_that_is_none_raises_and_counts_for_nothing(peer, message):
    with pytest.raises(ValueError, match="arrived; .* wanted"):
        peer.link.receive(message, [])
    assert peer.carried_out == [] and peer.link.applied == {} and peer.frames == []


def test_a_question_is_answered_and_changes_nothing(greeted):
    woken = greeted.woken
    greeted.say("value")
    assert greeted.replies == [{"kind": "reply", "to": "value"}]
    assert greeted.woken == woken and greeted.link.applied == {"one": 0}


# Frames


def test_no_frame_is_composed_without_a_browser(peer, clock):
    for _ in range(5):
        clock.now += 10
        peer.link.changed()
    assert peer.frames == [] and peer.composed == 0


def test_hello_is_answered_with_a_frame(greeted):
    (frame,) = greeted.frames
    assert frame["frame"] == 1 and frame["applied"] == {"one": 0}
    assert frame["planes"] == ["picture"] and frame["picture"] == b"nothing"


def test_hello_again_keeps_the_count_of_operations(peer):
    peer.ask("a", 1)
    peer.say("hello")
    assert peer.link.applied == {"one": 1}


def test_frames_keep_their_distance_and_the_last_change_is_never_lost(greeted, clock):
    for picture in (b"first", b"second"):
        greeted.picture = picture
        greeted.link.changed()
    assert len(greeted.frames) == 1
    wait = greeted.link.publish()
    assert 0 < wait <= 1
    clock.now += wait
    assert greeted.link.publish() is None
    assert greeted.frames[-1]["picture"] == b"second"
    clock.now += 10
    assert greeted.link.publish() is None and len(greeted.frames) == 2


def test_a_change_while_a_frame_is_composed_is_followed_by_another(greeted, clock):
    def compose():
        greeted.link.mark_stale()
        return {}, {}

    greeted.link._compose = compose
    clock.now += 10
    greeted.link.changed()
    assert greeted.link.publish() > 0


def send_until_refused(peer, clock):
    """Change the picture and let time pass until no further frame leaves at once."""
    for _ in range(100):
        clock.now += 0.5
        peer.link.mark_stale()
        wait = peer.link.publish()
        if wait:
            return wait
    return None


def test_an_unacknowledged_window_of_frames_then_one_a_second(greeted, clock):
    wait = send_until_refused(greeted, clock)
    assert len(greeted.frames) == FRAMES_IN_FLIGHT
    assert wait == pytest.approx(module.STALLED_INTERVAL - 0.5)
    clock.now += wait
    greeted.link.publish()
    assert len(greeted.frames) == FRAMES_IN_FLIGHT + 1


def test_an_acknowledgement_opens_the_window(greeted, clock):
    send_until_refused(greeted, clock)
    greeted.say("shown", frame=greeted.frames[-1]["frame"])
    assert len(greeted.frames) == FRAMES_IN_FLIGHT + 1
    send_until_refused(greeted, clock)
    assert len(greeted.frames) == 2 * FRAMES_IN_FLIGHT


def test_an_acknowledgement_of_a_frame_that_was_never_sent_does_not_lift_the_limit(greeted, clock):
    greeted.say("shown", frame=10**6)
    assert send_until_refused(greeted, clock)
    assert len(greeted.frames) == FRAMES_IN_FLIGHT + 1


def test_an_old_acknowledgement_does_not_close_it_again(greeted, clock):
    for frame in (1, 0):
        greeted.say("shown", frame=frame)
    send_until_refused(greeted, clock)
    assert len(greeted.frames) == 1 + FRAMES_IN_FLIGHT


def test_a_browser_that_comes_back_is_not_held_up_by_what_it_missed(greeted, clock):
    send_until_refused(greeted, clock)
    count = len(greeted.frames)
    clock.now += 0.1
    greeted.say("hello")
    assert len(greeted.frames) == count + 1


def wait_between(peer, clock, **pace):
    """Seconds from one frame to the next."""
    peer.say("hello")
    clock.now += 10
    peer.link.changed()
    peer.link.mark_stale()
    return peer.link.publish(**pace)


def test_at_full_speed_frames_are_rarer(peer, clock):
    wait = wait_between(peer, clock)
    assert wait_between(peer, clock, full_speed=True) == pytest.approx(
        module.RARER_AT_FULL_SPEED * wait
    )


def test_large_frames_get_more_time(clock):
    small, large = (wait_between(Peer(cells), clock) for cells in (64, 512**2))
    assert large > 1.5 * small
