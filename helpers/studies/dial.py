"""A slider for one setting, and a chart of what is found at each value that was tried."""

import itertools

import ipywidgets
import numpy as np
from IPython.display import Image

from helpers.pictures import charts, plots
from helpers.views import view_of

MARKED = 8  # values that have room for their numbers on the axis


class Dial:
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

    `tried` has the results so far, value -> what `measure` has returned.
    """

    def __init__(
        self, name, values, measure, begin, shown, label="read", most=100, unit="%", least=0
    ):
        self._name, self._values, self._measure, self._shown = name, list(values), measure, shown
        self._label, self._most, self._unit, self._least = label, most, unit, least
        self.tried = {}
        options = [(f"{value:g}", value) for value in self._values]
        self.slider = ipywidgets.SelectionSlider(
            options=options,
            value=begin,
            description=name,
            continuous_update=False,
            style={"description_width": "initial"},
            layout={"width": "min(30em, 95%)"},
        )
        self._picture = ipywidgets.Image(format="png")
        self._picture.layout.max_width = "100%"
        self._told = ipywidgets.HTML()
        self.widget = ipywidgets.VBox([self.slider, self._told, self._picture])
        self.slider.observe(lambda _: self._try(), "value")
        self._try()

    def picture(self):
        """Return the chart of what was tried; the strip is where the slider stands."""
        return self._chart(self.tried, self.slider.value)

    def _try(self):
        value = self.slider.value
        self.slider.disabled = True
        try:
            self.tried[value] = self._read(value)
        finally:
            self.slider.disabled = False
        read = self.tried[value].items()
        found = ", ".join(f"{name} {number:.0f} {self._unit}" for name, number in read)
        self._told.value = f'<div role="status">{self._name} {value:g}: {found}</div>'
        self._picture.value = self.picture().data

    def _read(self, value):
        return self.tried[value] if value in self.tried else self._measure(value)

    def _chart(self, tried, at):
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
        return Image(plots.png(figure))

    def __repr__(self):
        return f"Dial({self._name})"

    def _repr_mimebundle_(self, **_):
        """Return the slider and its chart, and a picture for readers without a kernel."""
        tried = {value: self._read(value) for value in self._shown}
        picture = self._chart(tried, self._shown[-1])
        shown = {**view_of(self.widget), "text/plain": repr(self)}
        return {**shown, "image/png": picture.data}
