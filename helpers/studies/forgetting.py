"""Ways to keep old tasks, compared over seeds.

A way is tried by a function of the page, `learn_all(way, seed, rate, part)`. It returns what is
read of each task, in %, the newest last.
"""

import itertools

import matplotlib.pyplot as plt
import numpy as np

from helpers.pictures import charts
from helpers.studies.tables import mean_and_range

CHOOSING = 100  # the seed with which a setting is chosen; pages report others


class Comparison:
    """What each way keeps of the older tasks, and what it reads of the newest one."""

    def __init__(self, learn_all, seeds):
        self._learn_all, self._seeds = learn_all, seeds
        self._found = {}  # name -> array (seeds, tasks)

    def learn(self, name, way, rate):
        """Try a way with each seed."""
        runs = [self._learn_all(way, seed, rate) for seed in self._seeds]
        self._found[name] = np.array(runs)

    def older(self, name):
        """Return what a way reads of all tasks but the newest, in %, one number a seed."""
        return self._found[name][:, :-1].mean(axis=1)

    def newest(self, name):
        """Return what a way reads of the newest task, in %, one number a seed."""
        return self._found[name][:, -1]

    def every(self, name):
        """Return what a way reads of all tasks, in %, one number a seed."""
        return self._found[name].mean(axis=1)

    def gain(self, name, other):
        """Return how many points more of the older tasks a way keeps than another, one a seed."""
        return self.older(name) - self.older(other)

    def print_gains(self, name, others):
        """Print these differences, mean and range, beside each of the other ways."""
        print(f"{name}: points more of the older two, mean (range)")
        for other in others:
            print(f"    than {other:27}{mean_and_range(self.gain(name, other))}")

    def chart(self, names):
        """Draw what is read with each of these ways, a dot a seed: of the older tasks, which are
        two cameras, of the newest, and of all three."""
        size, alike = (10, 1 + 0.45 * len(names)), dict(sharex=True, sharey=True)
        _, panels = plt.subplots(1, 3, figsize=size, layout="constrained", **alike)
        titles = {
            "the older two cameras": self.older,
            "the newest": self.newest,
            "all three": self.every,
        }
        for axes, (title, read) in zip(panels, titles.items()):
            charts.compare(axes, {name: read(name) for name in names}, title, "read, %")
        axes.set_xlim(10, 107)
        plt.show()

    def trade_off(self, names, ceiling=None):
        """Draw what these ways read of the older tasks, which are two cameras, and of the newest:
        a dot a way, the mean of its seeds. `ceiling` names one more, which is drawn in grey."""
        _, axes = plt.subplots(figsize=(8, 4.8), layout="constrained")
        axes.set(xlabel="the older two cameras, read, %", ylabel="the newest, read, %")
        axes.set_title("in brackets: the older two, the newest", fontsize=9, loc="right")
        every = [ceiling, *names] if ceiling else names
        dots = {name: (self.older(name).mean(), self.newest(name).mean()) for name in every}
        left, low = np.min([(23, 68), *dots.values()], axis=0) - 3
        axes.set(xlim=(left, 118), ylim=(low, 104), xticks=range(20, 101, 10))
        axes.grid(color="#dddddd")
        for name, dot in dots.items():
            axes.plot(*dot, "o", color="#999999" if name == ceiling else charts.SEEDS)
        charts.name_dots(axes, dots)
        plt.show()

    def choose(self, rates, ways):
        """Return the rate and the strength, of those offered, with which most of the validation
        pictures of all tasks are read, by one seed that is not reported. `ways` has a way for each
        strength."""

        def read(setting):
            rate, strength = setting
            return np.mean(self._learn_all(ways[strength], CHOOSING, rate, "validation"))

        return max(itertools.product(rates, ways), key=read)
