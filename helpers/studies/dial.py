"""A slider for one setting, and a chart of what is found at each value that was tried."""

import itertools

import numpy as np

from helpers.forms import Form, slider, working
from helpers.pictures import charts, plots

MARKED = 8  # values that have room for their numbers on the axis


class Dial(Form):
    """A slider over the values of one setting. Where it is let go, the setting is tried, and what
    comes of it is added to a chart, in which lines join neighbours.

    name     of the setting
    values   numbers, in the order of the slider
    measure  (value) -> name of a line -> what is found
    begin    the value that is tried first
    shown    the values that the picture for readers without a kernel has tried
    label    what is found
    most     up to here the chart goes at least
    unit     of what is found
    least    from here it goes at the latest
    goals    what there is to look for -> (what `measure` has returned) -> whether it is so

    `tried` has the results so far, value -> what `measure` has returned.
    """

    def __init__(
        self,
        name,
        values,
        measure,
        begin,
        shown,
        label="read",
        most=100,
        unit="%",
        least=0,
        goals=(),
    ):
        self._name, self._values, self._measure, self._shown = name, list(values), measure, shown
        self._label, self._most, self._unit, self._least = label, most, unit, least
        self.tried = {}
        self.slider = slider(name, self._values, begin, "{:g}")
        super().__init__(self.slider, goals=goals)
        self.slider.observe(lambda _: self._try(), "value")
        self._try()

    def _try(self):
        value = self.slider.value
        with working(self.slider):
            self.tried[value] = self._read(value)
        self.reach(self.tried[value])
        read = self.tried[value].items()
        found = ", ".join(f"{name} {number:.0f} {self._unit}" for name, number in read)
        self.show(self._chart(self.tried, value), f"{self._name} {value:g}: {found}")

    def _read(self, value):
        return self.tried[value] if value in self.tried else self._measure(value)

    def _chart(self, tried, at):
        """Return the chart of what was tried; the strip is where the slider stands."""
        figure, (axes,) = plots.figure(6.4, 3.2)
        place = {value: number for number, value in enumerate(self._values)}
        axes.axvline(place[at], color="#f6e3b4", linewidth=16, zorder=0)
        for name, line in zip(tried[at], itertools.cycle(charts.LINES)):
            # A line joins neighbours alone: where nothing was tried, it would say something.
            found = [tried[value][name] if value in tried else np.nan for value in place]
            axes.plot(found, line, label=name)
        apart = 1 if len(place) <= MARKED else 2
        axes.set_xticks(range(len(place))[::-apart], [f"{value:g}" for value in place][::-apart])
        numbers = [each for lines in tried.values() for each in lines.values()]
        least, most = min(self._least, *numbers), max(self._most, *numbers)
        room = 0.03 * (most - least)
        axes.set_ylim(least - room if least < self._least else least, most + room)
        axes.set(xlabel=self._name, ylabel=f"{self._label}, {self._unit}")
        axes.set_xlim(-0.5, len(place) - 0.5)
        axes.grid(axis="y", color="#dddddd")
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
        return figure

    def __repr__(self):
        return f"Dial({self._name})"

    def still(self):
        """Return the chart of the values that readers without a kernel are shown."""
        tried = {value: self._read(value) for value in self._shown}
        return plots.image(self._chart(tried, self._shown[-1]))
