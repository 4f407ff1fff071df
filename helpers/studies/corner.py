"""What trains, and at which rate: a picture, a form, and a chart of what is learnt against kept."""

import ipywidgets

from helpers.forms import Form, dropdown, working
from helpers.pictures import plots

RATES = (0.0003, 0.001, 0.003, 0.01, 0.03)
LEARNT, KEPT, LOST = 75, 96, 55  # in %
GOALS = {
    f"{LEARNT} % of the new digits or more, and {KEPT} % of the old ones or more": (
        lambda new, old: new >= LEARNT and old >= KEPT
    ),
    f"{LEARNT} % of the new digits or more, and less than {LOST} % of the old ones": (
        lambda new, old: new >= LEARNT and old < LOST
    ),
}
TRAINS, FROZEN = "#2f79b5", "#d9d9d9"
NARROW = {"layout": {"width": "12em"}, "style": {"description_width": "3em"}}


def what_trains(axes, layers, ways):
    """Draw a line a way, with a box a layer: blue if the layer trains, grey if it is frozen.

    layers  name -> a layer, from the first to the last
    ways    name -> the layers that train
    """
    for line, trained in enumerate(ways.values()):
        for place, layer in enumerate(layers.values()):
            colour = TRAINS if any(layer is each for each in trained) else FROZEN
            axes.barh(line, 0.94, 0.7, place - 0.47, color=colour)
    axes.set_yticks(range(len(ways)), list(ways))
    axes.set_xticks(range(len(layers)), list(layers))
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.invert_yaxis()


class Corner(Form):
    """A form with a box to tick for each layer that is to train and a list of rates, a button that
    trains, and a chart of all runs: how many new and old digits are read.

    layers  name -> a layer, from the first to the last
    judge   (layers, rate) -> two numbers: trains these, and returns what is read of the new and of
            the old digits, in %

    `train` trains what is chosen, as the button does, and returns these two. `runs` has all
    results: (what trained, rate, new, old).
    """

    def __init__(self, layers, judge):
        self._layers, self._judge = layers, judge
        self.runs = []
        last = list(layers)[-1]
        self.ticks = {
            name: ipywidgets.Checkbox(name == last, description=name, indent=False)
            for name in layers
        }
        self.rate = dropdown("rate", {each: f"{each:g}" for each in RATES}, 0.003, **NARROW)
        self._button = ipywidgets.Button(description="Train 100 steps", icon="play")
        self._button.on_click(lambda _: self.train())
        row = ipywidgets.HBox([self.rate, self._button])
        row.layout.flex_flow = "row wrap"
        super().__init__(*self.ticks.values(), row, goals=GOALS)
        self._show("Tick what is to train.")

    def train(self):
        """Train what is ticked, and show what is read then; None, and a sentence, if nothing is."""
        chosen = [name for name, box in self.ticks.items() if box.value]
        if not chosen:
            self._show("Nothing is ticked, so nothing would train: tick a layer.")
            return None
        with working(self._button):
            layers = [self._layers[name] for name in chosen]
            new, old = self._judge(layers, self.rate.value)
        self.runs.append((chosen, self.rate.value, new, old))
        self.reach(new, old)
        self._show(f"{_sentence(*self.runs[-1])}.")
        return new, old

    def _show(self, text):
        self.show(_chart(self.runs), text)

    def __repr__(self):
        return f"Corner({', '.join(self._layers)})"

    def still(self):
        """Return the chart of two runs, one of the last layer and one of all."""
        every = list(self._layers)
        examples = [(every[-1:], 0.03), (every, 0.01)]
        runs = []
        for names, rate in examples:
            found = self._judge([self._layers[name] for name in names], rate)
            runs.append((names, rate, *found))
        return plots.image(_chart(runs))


def _sentence(names, rate, new, old):
    return f"{', '.join(names)} at {rate:g}: {new:.0f} % of the new digits, {old:.0f} % of the old"


def _chart(runs):
    """Return the chart of all runs; the latest one is filled, and goals are shaded."""
    figure, (axes,) = plots.figure(6.4, 3.6)
    for low, high, text in ((KEPT, 100, "kept"), (0, LOST, "lost")):
        axes.fill_between([LEARNT, 100], low, high, color="#f6e3b4")
        axes.text(99, (low + high) / 2, text, ha="right", va="center")
    for number, (names, rate, new, old) in enumerate(runs, 1):
        latest = number == len(runs)
        axes.plot(new, old, "o", color="#2f79b5", fillstyle="full" if latest else "none")
        if latest or len(runs) < 3:
            label = f"{names[0] if len(names) == 1 else f'{len(names)} layers'} at {rate:g}"
            axes.annotate(label, (new, old), (6, -12), textcoords="offset points")
    axes.set(
        xlim=(20, 100), ylim=(0, 103), xlabel="new digits read, %", ylabel="old digits read, %"
    )
    axes.grid(color="#dddddd")
    return figure
