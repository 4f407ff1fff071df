"""A trainer without a thread, for notebooks that do not show what a thread has changed: Colab's.

See https://github.com/googlecolab/colabtools/issues/3373. There, whoever asks for steps takes them:
the running cell, or the kernel as it handles a button.
"""

import math
import sys
import time

from helpers.playground.trainer import Trainer

# While it trains, nothing else can be asked for, a pause neither; so it pauses on its own.
LONGEST_SECONDS = 3.0
# So long it waits for a frame to leave. What is due later, such as compiling ahead, is left out.
SOON = 0.2


def needed():
    """Return whether this notebook runs in Colab."""
    return "google.colab" in sys.modules


class CellTrainer(Trainer):
    """A Trainer that does what is asked for at once, on the thread of whoever asks.

    Steps that were asked for are all taken before `start` returns; without a number, those of
    LONGEST_SECONDS. It is made for one thread.
    """

    _at_work = True  # until it is open

    def open(self):
        """Begin to do what is asked for."""
        self._at_work = False
        self._work()

    def wake(self):
        """Have `before` and `after` called, now."""
        super().wake()
        self._work()

    def close(self):
        """Do what was asked for, and nothing from now on."""
        super().close()
        self.catch_up()

    def _join(self):
        """There is no thread to wait for."""

    def _trains_here(self):
        return self._at_work

    def _put(self, function):
        future = super()._put(function)
        self._work()
        return future

    def _work(self):
        """Take turns until nothing is left to do, if this is not a turn already."""
        if self._at_work:
            return
        self._at_work, ends = True, math.inf
        try:
            while self._more_after(self._turn()):
                # Counted from the end of the first turn, which may have compiled for seconds.
                ends = min(ends, time.perf_counter() + LONGEST_SECONDS)
                if self.left == math.inf and time.perf_counter() > ends:
                    self._set(0, None)
        finally:
            self._at_work = False

    def _more_after(self, again):
        """Sleep until the next turn is due; return whether there is one."""
        soon = again is not None and again <= SOON
        if self._closed or not (soon or self.running or self._tasks):
            return False
        self._sleep(again if soon else None)
        return True
