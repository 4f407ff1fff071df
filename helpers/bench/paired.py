"""Things timed in turn in one process, so that whatever else the machine does hits both."""

import time

import numpy as np


def times(functions, rounds):
    """Call each function once a round, every other round in reverse order, and return seconds.

    The array has shape (rounds, functions). Three rounds run before, unmeasured: they trace,
    compile and fill caches.
    """
    seconds = np.zeros((rounds + 3, len(functions)))
    for number, row in enumerate(seconds):
        order = range(len(functions))
        for which in order if number % 2 else reversed(order):
            began = time.perf_counter()
            functions[which]()
            row[which] = time.perf_counter() - began
    return seconds[3:]


def ratio(seconds, which, base=0):
    """Return median and quartiles of `which` over `base`, round by round, as "1.02 (1.01–1.04)"."""
    low, median, high = np.percentile(seconds[:, which] / seconds[:, base], [25, 50, 75])
    return f"{median:.3f} ({low:.3f}–{high:.3f})"
