"""How a training under way is getting on: its loss curve, its accuracy, and how fast it goes."""

import time

import numpy as np

CURVE_POINTS = 256
GROWTH = 1 / 16  # of the steps taken: while they are few, the accuracy is measured more often
COST = 10  # times as long as a measurement took, another one waits at the least


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


class AccuracyCurve:
    """Shares of right answers, measured after some of the steps; the points move apart when they
    get too many.

    names  what the shares are of, one name each
    """

    def __init__(self, names):
        self.names, self._points, self._apart = list(names), [], 1

    def add(self, step, shares):
        """Take note of the shares, 0 to 1, after so many steps; the newest always stays."""
        points = self._points
        if len(points) > 1 and points[-1][0] - points[-2][0] < self._apart:
            points.pop()
        points.append((step, *shares))
        if len(points) > CURVE_POINTS:
            self._points, self._apart = points[::2], 2 * step / CURVE_POINTS

    @property
    def points(self):
        """float32 (1 + names, points): steps, and the shares of each name."""
        return np.array(self._points, np.float32).reshape(-1, 1 + len(self.names)).T


class StepRate:
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


class HeldOutAccuracy:
    """How much of the held-out data a model gets right, a few times a second, or more often while
    the steps are few and it takes little time.

    `predict` returns the model's outputs (examples, classes) for inputs; `held_out` and `labels`
    are the task's. `share` is the share of right answers over all that is held out, 0 to 1; None
    if nothing is, or before the first time. `by_page` has that of each page's own examples: a dict
    from pages to shares, which are None before the first time; empty if nothing is held out.
    """

    EVERY = 0.25  # seconds

    def __init__(self, predict, held_out, labels):
        self._predict, self._held_out, self._labels = predict, held_out, labels
        self._at, self.marks, self.share = -self.EVERY, {}, None
        self._took = self._step = 0
        self.by_page = dict.fromkeys(labels if held_out else ())

    def take(self, step=0):
        """Examine the model now, after so many steps. Returns `marks`: name -> bool array, which
        examples are right."""
        began, first = time.perf_counter(), not self.marks
        for name, (inputs, labels) in self._held_out.items():
            self.marks[name] = self._predict(inputs).argmax(-1) == np.ravel(labels)
        self._at, self.share = time.perf_counter(), _share(list(self.marks.values()))
        # The first time it takes longer than ever again.
        self._took, self._step = 0 if first else self._at - began, step
        self.by_page = {page: self._share_of(self._labels[page]) for page in self.by_page}
        return self.marks

    @property
    def by_name(self):
        """The share of right answers of each name, a dict; empty before the first time."""
        return {name: _share([right]) for name, right in self.marks.items()}

    def due(self, step):
        """Return whether the last time was long enough ago, when so many steps have been taken."""
        passed = time.perf_counter() - self._at
        soon = step >= self._step * (1 + GROWTH) and passed >= COST * self._took
        return soon or passed >= self.EVERY

    def report(self, page):
        """Return what is shown: the share of all, of the examples of the page's label, and of each
        task where there are several: a dict from names to shares, empty if nothing is held out."""
        shares = {"all": self.share, "page": self.by_page.get(page)}
        if len(self._held_out) > 1:
            shares |= self.by_name
        return {name: share for name, share in shares.items() if share is not None}

    def _share_of(self, label):
        """Return the share of right answers over the examples of one label."""
        of_task = self._held_out.items()
        return _share([self.marks[name][np.ravel(own) == label] for name, (_, own) in of_task])


def _share(rights):
    rights = np.concatenate([np.zeros(0, bool), *rights])
    return float(rights.mean()) if rights.size else None
