"""Ways to keep old tasks, compared over seeds: a table and a chart that grow with each comparison.

A way is tried by a function of the page, `learn_all(way, seed, rate, strength, steps, part)`, which
returns what is read of each task, in %, the newest last.
"""

import itertools

import matplotlib.pyplot as plt
import numpy as np

from helpers.pictures import charts
from helpers.studies.tables import mean_and_range

STEPS = (100, 1000)  # a task
CHOOSING = 100  # the seed with which a setting is chosen; pages report others


class Comparison:
    """What each way keeps of the older tasks, and what it reads of the newest one."""

    def __init__(self, learn_all, seeds):
        self._learn_all, self._seeds = learn_all, seeds
        self._found = {}  # (name, steps) -> array (seeds, tasks)

    def compare(self, ways):
        """Try ways with each seed, print what they read, and draw what all ways so far keep.

        `ways` maps a name to (way, rates) or (way, rates, strength), with one rate for 100 steps a
        task, and one for 1,000.
        """
        for name, (way, rates, *strength) in ways.items():
            for steps, rate in zip(STEPS, rates, strict=True):
                setting = rate, *(strength or [0]), steps
                runs = [self._learn_all(way, seed, *setting) for seed in self._seeds]
                self._found[name, steps] = np.array(runs)
        self._print(ways)
        self._draw()

    def older(self, name, steps):
        """Return what a way reads of all tasks but the newest, in %, one number a seed."""
        return self._found[name, steps][:, :-1].mean(axis=1)

    def newest(self, name, steps):
        """Return what a way reads of the newest task, in %, one number a seed."""
        return self._found[name, steps][:, -1]

    def gain(self, name, other):
        """Return how many points more of the older tasks a way keeps than another: a dict from the
        number of steps to one difference a seed."""
        return {steps: self.older(name, steps) - self.older(other, steps) for steps in STEPS}

    def print_gains(self, name, others):
        """Print these differences, mean and range, beside each of the other ways."""
        print(f"{name}: points more of the older two, mean (range)")
        print(f"{'':24}{'100 steps a camera':26}1,000 steps a camera")
        for other in others:
            hundred, thousand = map(mean_and_range, self.gain(name, other).values())
            print(f"than {other:19}{hundred:26}{thousand}")

    def choose(self, way, steps, rates, strengths=(0,)):
        """Return the rate and the strength, of those offered, with which most of the validation
        pictures of all tasks are read, by one seed that is not reported."""

        def read(setting):
            return np.mean(self._learn_all(way, CHOOSING, *setting, steps, "validation"))

        return max(itertools.product(rates, strengths), key=read)

    def _print(self, names):
        print(f"{'read correctly, %':22}{'100 steps a camera':26}1,000 steps a camera")
        print(f"{'':22}" + "newest   all three".ljust(26) + "newest   all three")
        for name in names:
            row = f"{name:22}"
            for steps in STEPS:
                newest, everything = self.newest(name, steps), self._found[name, steps]
                row += f"{newest.mean():6.1f}{everything.mean():12.1f}".ljust(26)
            print(row.rstrip())

    def _draw(self):
        names = dict.fromkeys(name for name, _ in self._found)
        options = dict(figsize=(9.5, 1.2 + 0.4 * len(names)), sharey=True, layout="constrained")
        _, panels = plt.subplots(1, 2, **options)
        for axes, steps in zip(panels, STEPS):
            kept = {name: self.older(name, steps) for name in names}
            charts.compare(axes, kept, f"{steps:,} steps a camera")
            axes.set(xlim=(15, 100), xlabel="older two cameras, %")
        plt.show()
