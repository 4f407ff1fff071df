"""Ways to keep old tasks, compared over seeds: a table of new ways beside some of the former.

A way is tried by a function of the page, `learn_all(way, seed, rate, strength, steps, part)`, which
returns what is read of each task, in %, the newest last.
"""

import itertools

import numpy as np

from helpers.studies.tables import mean_and_range

STEPS = (100, 1000)  # a task
CHOOSING = 100  # the seed with which a setting is chosen; pages report others


class Comparison:
    """What each way keeps of the older tasks, and what it reads of the newest one."""

    def __init__(self, learn_all, seeds):
        self._learn_all, self._seeds = learn_all, seeds
        self._found = {}  # (name, steps) -> array (seeds, tasks)

    def compare(self, ways, beside=()):
        """Try ways with each seed, and print what they keep and read; above a rule, what the ways
        named in `beside` did, which were tried before.

        `ways` maps a name to (way, rates) or (way, rates, strength), with one rate for 100 steps a
        task, and one for 1,000.
        """
        for name, (way, rates, *strength) in ways.items():
            for steps, rate in zip(STEPS, rates, strict=True):
                setting = rate, *(strength or [0]), steps
                runs = [self._learn_all(way, seed, *setting) for seed in self._seeds]
                self._found[name, steps] = np.array(runs)
        self._print(beside, ways)

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
        print(f"\n{name}: points more of the older two, mean (range)")
        print(f"{'':24}{'100 steps a new camera':26}1,000 steps a new camera")
        for other in others:
            hundred, thousand = map(mean_and_range, self.gain(name, other).values())
            print(f"than {other:19}{hundred:26}{thousand}")

    def choose(self, way, steps, rates, strengths=(0,)):
        """Return the rate and the strength, of those offered, with which most of the validation
        pictures of all tasks are read, by one seed that is not reported."""

        def read(setting):
            return np.mean(self._learn_all(way, CHOOSING, *setting, steps, "validation"))

        return max(itertools.product(rates, strengths), key=read)

    def _print(self, *parts):
        heads = "older two  newest   all"
        print(f"{'mean, in %':22}{'100 steps a new camera':28}1,000 steps a new camera")
        print(f"{'':22}" + heads.ljust(28) + heads)
        rule = "-" * (22 + 28 + len(heads))
        print(f"\n{rule}\n".join("\n".join(map(self._row, part)) for part in parts if part))

    def _row(self, name):
        row = f"{name:22}"
        for steps in STEPS:
            older, newest = self.older(name, steps).mean(), self.newest(name, steps).mean()
            everything = self._found[name, steps].mean()
            row += f"{older:9.1f}{newest:8.1f}{everything:6.1f}".ljust(28)
        return row.rstrip()
