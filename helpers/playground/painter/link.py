"""The conversation between a widget and its browsers: operations come in, frames go out.

What is said stands in messages.py; this page says how it travels, and the browser's link.mjs is its
other end. Operations are numbered, 1, 2, 3, … for each client; a question and its reply are not.

What holds:

- Each operation is carried out once, in the order of its client's numbers. A client has at most
  three under way, and sends those again that no frame has named as applied for four seconds. One
  that comes a second time changes nothing; one that has overtaken a lost one is passed over, and
  comes again behind it. Either is answered with a frame.
- What arrives is checked, not trusted. A message whose client, numbers or kind are none counts for
  nothing; the widget says why.
- The pages that were heard last are known, and others forgotten. When a forgotten one speaks again,
  its numbers go on behind the one that it has `seen`.
- A refused operation counts as applied. Its browser has drawn it already, and the next frame shows
  it the truth.
- Frames are whole, never differences, and leave in the order of their numbers: a lost one costs
  nothing, and the last change is always followed by a frame.
- At most sixteen frames are under way, about as many as leave between two acknowledgements. When
  these stall, one a second leaves all the same, so that a browser whose acknowledgement was lost
  sees how things go on. Where nothing is heard while steps are taken, ten a second leave. Without
  a browser that has said hello, no frame is composed.
- A lost hello costs nothing but the frame that would have answered it: the page has read a whole
  one when it was made. A lost question is asked again at the next move of the pointer.
"""

import time

from helpers.playground import locks
from helpers.playground.painter import checks
from helpers.playground.painter.clients import Clients

FRAMES_IN_FLIGHT = 16
# Seconds between frames, at the least; a large frame takes both ends longer, so it gets more.
INTERVAL, INTERVAL_PER_CELL = 0.015, 7e-8
STALLED_INTERVAL = 1.0
# While training takes all the speed there is, frames are this many times rarer.
RARER_AT_FULL_SPEED = 20
# Where no browser is heard while steps are taken, which may take seconds.
UNHEARD_INTERVAL = 0.1


class Link:
    """The kernel's end of the conversation; safe to use from several threads.

    send(message, buffers)       sends a message to all browsers
    compose()                    returns a frame's header and its planes, both dicts
    carry_out(message, buffers)  does what an operation says, or raises
    answer(message)              returns the message that replies to a question, or raises
    wake()                       is called when there is something to publish
    cells                        the size of a frame

    unheard                      whether the thread that trains also has to read what browsers send,
                                 and reads nothing meanwhile
    """

    def __init__(self, send, compose, carry_out, answer, wake, cells, unheard=False):
        self._send, self._compose, self._carry_out = send, compose, carry_out
        self._answer, self._wake, self._cells = answer, wake, cells
        self.clients, self._full_speed, self._unheard = Clients(), False, unheard
        self._sent, self._shown, self._sent_at, self._stale = 0, 0, 0.0, True
        self._heard_at = None
        self._lock = locks.make("link")

    @property
    def applied(self):
        """For each browser, the number of its last operation; none is half carried out."""
        with self._lock:
            return self.clients.numbers

    @property
    def unwatched(self):
        """Seconds since a browser was heard; 0 where none has been, or none can be while training.

        A page that is closed falls silent without a word, and so does one that is out of sight.
        """
        if self._heard_at is None or self._unheard:
            return 0.0
        return time.perf_counter() - self._heard_at

    # --- from the browser ------------------------------------------------------------------

    def receive(self, message, buffers):
        """Handle one message from a browser; what is wrong with it raises, and changes nothing."""
        kind = checks.message(message)["kind"]
        self._heard_at = time.perf_counter()
        if kind == "hello":
            self._welcome(*_sender(message))
        elif kind == "shown":
            self._note_shown(*_sender(message), checks.whole(message, "frame"))
        elif "seq" in message:
            self._operate(*_sender(message), checks.whole(message, "seq", 1), message, buffers)
        else:
            self._send(self._answer(message), [])

    def _welcome(self, client, seen):
        with self._lock:
            self.clients.hear(client, seen)
            self._shown = self._sent
        self.changed()

    def _note_shown(self, client, seen, frame):
        with self._lock:
            self.clients.hear(client, seen)
            self._shown = max(self._shown, min(frame, self._sent))
        if self._stale:
            self._wake()

    def _operate(self, client, seen, seq, message, buffers):
        """Carry out an operation, if it is the next one of its client."""
        try:
            with self._lock:
                self.clients.hear(client, seen)
                if self.clients.is_next(client, seq):
                    self._carry_out(message, buffers)
        finally:  # also if it was refused, has come before, or has overtaken a lost one
            self.changed()

    # --- to the browser --------------------------------------------------------------------

    def changed(self):
        """Say that the picture is out of date, and see to it."""
        self.mark_stale()
        self._wake()

    def mark_stale(self):
        """Say that the picture is out of date; the next `publish` sends another.

        This takes no lock, so that whoever holds one may say it.
        """
        self._stale = True

    def frame(self):
        """Return the header and the planes of a whole frame, as things stand now."""
        header, planes = self._compose()
        return {**header, "frame": self._sent}, planes

    def publish(self, full_speed=False):
        """Send a frame if the picture is out of date and the browser keeps up; fewer of them at
        `full_speed`, when training takes all there is.

        Returns the seconds after which to try again, or None when there is nothing to send.
        """
        with self._lock:
            self._full_speed = full_speed
            wait = self._wait()
            if wait is None or wait > 0:
                return wait
            # Before the frame is composed, so that a change meanwhile is followed by another.
            self._stale = False
            self._sent, self._sent_at = self._sent + 1, time.perf_counter()
            header, planes = self.frame()
            message = {"kind": "frame", "planes": list(planes), **header}
            self._send(message, list(planes.values()))
        return None

    def _wait(self):
        """Seconds until the next frame may leave; None without one, or without a browser."""
        if not self._stale or not self.clients:
            return None
        return max(0.0, self._sent_at + self._interval() - time.perf_counter())

    def _interval(self):
        """Seconds from one frame to the next."""
        if self._unheard:
            return UNHEARD_INTERVAL
        if self._sent - self._shown >= FRAMES_IN_FLIGHT:
            return STALLED_INTERVAL
        shortest = INTERVAL + INTERVAL_PER_CELL * self._cells
        return RARER_AT_FULL_SPEED * shortest if self._full_speed else shortest


def _sender(message):
    """Return the name of the client that speaks, and its last operation that it has seen
    applied."""
    return checks.text(message, "client"), checks.whole(message, "seen")
