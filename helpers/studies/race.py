"""Steps with and without XLA timed against each other, in a setting that one chooses on sliders."""

import ipywidgets
import numpy as np

from helpers.forms import Form, slider, working
from helpers.pictures import charts, plots

COMPILED = "without XLA", "with XLA"
UNIT = "÷ plain step without XLA"
YARDSTICK = "no update"
GOALS = {  # in a race, name -> a bar for each of COMPILED, with (low, median, high)
    "compact slots take longer than the plain step": lambda race: race["compact"][0][0] > 1,
    "XLA alone saves nothing": lambda race: race["plain"][1][2] > 1,
    "a step takes less than a third of the plain one": lambda race: _highs(race).min() < 1 / 3,
}
TOLD = {"percent_free": "{} % free"}  # how a setting is told in the title
BEFORE = dict(marker="|", markersize=11, color="black", linestyle="none", markeredgewidth=2)


class Race(Form):
    """Sliders for a setting, a button that times steps in it, and bars of what they took.

    measure   (**setting) -> name -> two bars (low, median, high), without XLA and with it, of a
              step over the plain one without XLA; "plain" and "compact" are among the names, and
              YARDSTICK may be: that is no whole step
    found     what `measure` has returned for the first values of all settings
    settings  name -> values, whole numbers, of which the first one comes first

    Black lines show where the bars of the race before ended. `run` times what is chosen, as the
    button does, and `found` is the last race.
    """

    def __init__(self, measure, found, **settings):
        self._measure, self.found = measure, None
        self.sliders = {
            name: slider(name.replace("_", " "), sorted(values), values[0])
            for name, values in settings.items()
        }
        self._button = ipywidgets.Button(description="Time it", icon="play")
        self._button.on_click(lambda _: self.run())
        super().__init__(*self.sliders.values(), self._button, goals=GOALS)
        self._finish(found)

    def run(self):
        """Time the steps in the setting on the sliders, and show what they took."""
        with working(self._button):
            self._finish(self._measure(**self._setting()))

    def _setting(self):
        return {name: each.value for name, each in self.sliders.items()}

    def _finish(self, found):
        before, self.found = self.found, found
        self.reach(found)
        setting = self._setting().items()
        title = ", ".join(TOLD.get(name, f"{name} {{:,}}").format(value) for name, value in setting)
        self.show(_chart(found, before, title), f"Timed: {title}.")

    def __repr__(self):
        return f"Race({', '.join(self.sliders)})"


def _highs(race):
    return np.array([bars for name, bars in race.items() if name != YARDSTICK])[..., 2]


def _chart(race, before, title):
    """Return the bars of a race, and marks where those of the race before ended."""
    figure, (axes,) = plots.figure(8.6, 3.8)
    charts.pairs(axes, race, COMPILED, title, UNIT)
    if before:
        ends = np.array(list(before.values()))[..., 1]
        places = np.arange(len(ends))[:, None] + [0, 0.4]
        axes.plot(ends.ravel(), places.ravel(), **BEFORE, label="the race before")
        axes.set_xlim(right=max(axes.get_xlim()[1], 1.1 * ends.max()))
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure
