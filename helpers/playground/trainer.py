"""The thread that trains live, in chunks of a few milliseconds, and can be asked in between."""

import collections
import concurrent.futures
import contextlib
import math
import sys
import threading
import time

import numpy as np

from helpers.playground import locks
from helpers.playground.driver import Closed

CHUNK_SECONDS = 0.004
LONGEST_CHUNK = 4096
# A thread that computes in Python keeps the others waiting for this long, and as a rule for 5 ms.
# With a busy cell in the notebook, a painted cell would wait a dozen times on its way to a step.
SWITCH_SECONDS = 0.001


class NotFinite(ArithmeticError):
    """The loss, or the gradient of a free cell, is NaN or infinite."""


class Trainer:
    """One thread that owns a Loop: everything that changes its variables happens here.

    `before` and `after` are called on the thread around each chunk, which may be of no steps;
    `after` gets its losses, and returns the seconds after which it wants to be called again, or
    None. `failed` is called with an exception that ends training, `refused` with one that was
    raised by what was posted. While it trains until stopped, a chunk ends at each of the `pauses`,
    numbers of steps, so that `after` can stop it there.
    """

    def __init__(self, loop, before, after, failed, refused, pauses=()):
        self.loop, self.limit, self.pauses = loop, None, pauses
        self._before, self._after = before, after
        self._failed, self._refused = failed, refused
        self._wake = threading.Condition(locks.make("mailbox"))
        self._tasks = collections.deque()
        self._budget, self._closed, self._broken = 0, False, False
        self._idle = threading.Event()
        self._seconds_a_step, self._credit, self._last = 1e-3, 0.0, time.perf_counter()
        self._thread = threading.Thread(target=self._live, name="freezing-trainer", daemon=True)

    def open(self):
        """Start the thread, once everything that its callbacks need is there."""
        sys.setswitchinterval(SWITCH_SECONDS)
        self._thread.start()

    @property
    def running(self):
        """Whether there are steps left to take."""
        return self._budget > 0

    @property
    def left(self):
        """How many steps are left to take; infinite while it trains until stopped."""
        return self._budget

    @property
    def at_pause(self):
        """Whether it trains until stopped, and has come to one of the pauses."""
        return self._budget == math.inf and self.loop.step in self.pauses

    def start(self, steps=math.inf, limit=None):
        """Take `steps` steps, at most `limit` a second (None = as fast as it goes)."""
        self.do(lambda: self._set(steps, limit))

    def change_limit(self, limit):
        """Take the steps that are left at most `limit` a second from now on."""
        self.do(lambda: setattr(self, "limit", limit))

    def stop(self):
        """Take no further step; the chunk under way ends first."""
        self.do(lambda: self._set(0, None))

    def wait(self):
        """Return when no steps are left; raises RuntimeError on the thread that takes them."""
        if self._trains_here():
            raise RuntimeError(
                "The training thread was asked to wait for its own steps, as by lab.train(…) in "
                "what observes a trait. Call lab.start() there, or train from a cell."
            )
        # In short waits: an interrupt may reach another thread, and then wakes nobody here.
        while not self._idle.wait(0.1):
            pass

    def wake(self):
        """Have `before` and `after` called soon."""
        with self._wake:
            self._tasks.append(None)
            self._wake.notify()

    def do(self, function):
        """Run `function` on the thread, between two chunks, and return what it returns."""
        if self._trains_here():
            return function()
        return self._put(function).result()

    def post(self, function):
        """Have `function` run on the thread, between two chunks, and do not wait for it. What it
        raises goes to `refused`; so this may be called under any lock but the mailbox's."""
        self._put(function).add_done_callback(self._tell)

    def catch_up(self):
        """On the thread: do everything that has been asked for so far."""
        while self._tasks:
            task = self._tasks.popleft()
            if task is None:
                continue
            function, future = task
            try:
                future.set_result(function())
            except Exception as error:
                future.set_exception(error)

    def close(self):
        """End the thread, wait until it is gone, and let go of the loop."""
        with self._wake:
            self._closed, self._budget = True, 0
            self._wake.notify()
        self._idle.set()
        if not self._trains_here():
            self._join()
        self.loop, self._broken = None, False

    def _join(self):
        """Wait until the thread is gone."""
        self._thread.join()

    def _trains_here(self):
        """Return whether the caller is the thread that trains."""
        return threading.current_thread() is self._thread

    def _set(self, steps, limit):
        self._budget, self.limit = steps, limit
        if steps:
            self._idle.clear()
        else:
            self._idle.set()

    def _live(self):
        while not self._closed:
            self._sleep(self._turn())
        self.catch_up()
        self._set(0, None)  # a start that came too late

    def _turn(self):
        """Do what was asked for, then a chunk; return the seconds after which to come back."""
        try:
            self.catch_up()
            self._before()
            again = self._after(self._chunk(self._steps_due()))
            self._check_finite()
            if not self.running:
                self._idle.set()
            return again
        except Exception as error:  # whatever it is, the person must see it
            self._budget, self.limit = 0, None
            with contextlib.suppress(Exception):  # of somebody who observes the status
                self._failed(error)
            if not self.running:  # whoever waits goes on once the failure is known
                self._idle.set()
            return None

    def _put(self, function):
        """Put a function into the mailbox; return the future of what it returns."""
        future = concurrent.futures.Future()
        with self._wake:
            if self._closed:
                raise RuntimeError(Closed.reason)
            self._tasks.append((function, future))
            self._wake.notify()
        return future

    def _tell(self, future):
        if future.exception() is not None:
            self._refused(future.exception())

    def _chunk(self, steps):
        """Take `steps` steps, which may be none, and return their losses."""
        if not steps:
            return np.zeros(0, np.float32)
        if not self.loop.is_compiled:
            self.loop.run(0)  # compiles, for seconds in which nobody needs to wait for the lock
        started = time.perf_counter()
        with self.loop.lock:
            losses = self.loop.run(steps)
        took = (time.perf_counter() - started) / steps
        self._seconds_a_step += 0.3 * (took - self._seconds_a_step)
        self._budget -= steps
        self._broken = len(losses) < steps
        return losses

    def _check_finite(self):
        if self._broken:
            self._broken = False
            raise NotFinite(
                f"The loss or a gradient was not finite at step {self.loop.step + 1}: training "
                "stopped, and the weights before that step are kept. Reset, and lower the learning "
                "rate or choose another optimizer."
            )

    def _steps_due(self):
        """Steps for the next chunk: what fits into CHUNK_SECONDS and under the limit, and leads no
        farther than the next pause."""
        longest = min([LONGEST_CHUNK, *self._steps_to_pauses()])
        fits = max(1, min(longest, int(CHUNK_SECONDS / self._seconds_a_step)))
        now = time.perf_counter()
        if self.limit is None or not self.running:
            self._credit, self._last = 0.0, now
            return int(min(fits, self._budget))
        # A token bucket that holds at most a twentieth of a second: no burst after a pause.
        self._credit += (now - self._last) * self.limit
        self._credit, self._last = min(self._credit, max(1.0, self.limit / 20)), now
        steps = int(min(fits, self._budget, self._credit))
        self._credit -= steps
        return steps

    def _steps_to_pauses(self):
        if self._budget < math.inf:  # somebody has counted the steps: all are taken
            return []
        return [step - self.loop.step for step in self.pauses if step > self.loop.step]

    def _sleep(self, again):
        with self._wake:
            if self._tasks or self._closed or (self.running and self.limit is None):
                return
            if self.running:
                # The next chunk is due when the limit allows a step, and not sooner than 4 ms
                # after the last one, so that at high speeds one call takes many steps.
                waited = time.perf_counter() - self._last
                pause = max(CHUNK_SECONDS - waited, (1 - self._credit) / self.limit - waited, 0)
                again = pause if again is None else min(again, pause)
            self._wake.wait(again)
