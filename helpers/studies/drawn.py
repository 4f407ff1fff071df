"""A chart that is drawn anew whenever one of its sliders moves."""

import ipywidgets

from helpers.forms import WIDE, Form, slider
from helpers.pictures import plots


class Drawn(Form):
    """Sliders over numbers, and the chart of where they stand.

    draw     (axes, **numbers) → None, with the name of each slider as an argument
    sliders  name → (least, most, begin), for whole numbers; or a list of some numbers, of which the
             first comes first, and where it is drawn only when the slider is let go

    Readers without a browser see the chart as it was drawn last.
    """

    def __init__(self, draw, **sliders):
        self._draw = draw
        self.sliders = {name: _slider(name, numbers) for name, numbers in sliders.items()}
        super().__init__(*self.sliders.values())
        for each in self.sliders.values():
            each.observe(self._show, "value")
        self._show()

    def _show(self, _=None):
        figure, (axes,) = plots.figure(8, 3)
        self._draw(axes, **{name: each.value for name, each in self.sliders.items()})
        self.show(figure)

    def __repr__(self):
        return f"Drawn({', '.join(self.sliders)})"


def _slider(name, numbers):
    name = name.replace("_", " ")
    if isinstance(numbers, list):
        return slider(name, numbers, numbers[0])
    least, most, begin = numbers
    return ipywidgets.IntSlider(min=least, max=most, value=begin, description=name, **WIDE)
