"""How a training under way is getting on: its loss curve, and how fast it goes."""

import time

import numpy as np

CURVE_POINTS = 256


class Curve:
    """The loss at every `stride`-th step; the stride doubles when the points get too many."""

    def __init__(self):
        self.stride, self.losses, self.last, self._steps = 1, [], None, 0

    def add(self, losses):
        """Take note of the losses of the next steps."""
        first = -self._steps % self.stride
        self.losses.extend(losses[first :: self.stride])
        self._steps += len(losses)
        self.last = float(losses[-1])
        while len(self.losses) > CURVE_POINTS:
            self.losses, self.stride = self.losses[::2], 2 * self.stride

    @property
    def steps(self):
        """How many losses have been noted."""
        return self._steps

    @property
    def points(self):
        """float32 (2, points): steps, counted from 1, and their losses."""
        steps = np.arange(len(self.losses)) * self.stride + 1
        return np.array([steps, self.losses], np.float32).reshape(2, -1)


class Pace:
    """Steps a second, over the last half second or so; None while nothing trains."""

    def __init__(self):
        self.rest()

    def rest(self):
        """Begin anew: time in which nothing trains does not count."""
        self.speed, self._steps, self._since = None, 0, time.perf_counter()

    def add(self, steps):
        """Take note of `steps` more steps."""
        self._steps += steps
        took = time.perf_counter() - self._since
        if took > 0.5:
            self.speed = self._steps / took
            self._steps, self._since = 0, time.perf_counter()
