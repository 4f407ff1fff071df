"""A chart that is drawn anew whenever one of its sliders moves."""

import ipywidgets

from helpers.pictures import plots
from helpers.views import view_of


class Drawn:
    """Sliders over numbers, and the chart of where they stand.

    draw     (axes, **numbers) → None, with the name of each slider as an argument
    sliders  name → (least, most, begin), for whole numbers; or a list of some numbers, of which the
             first comes first, and where it is drawn only when the slider is let go

    Readers without a browser see the chart as it was drawn last.
    """

    def __init__(self, draw, **sliders):
        self._draw = draw
        self.sliders = {name: _slider(name, numbers) for name, numbers in sliders.items()}
        self._shown = ipywidgets.Image(format="png", layout={"max_width": "100%"})
        for slider in self.sliders.values():
            slider.observe(self._show, "value")
        self._show()

    def _show(self, _=None):
        figure, (axes,) = plots.figure(8, 3)
        self._draw(axes, **{name: slider.value for name, slider in self.sliders.items()})
        self._shown.value = plots.png(figure)

    def __repr__(self):
        return f"Drawn({', '.join(self.sliders)})"

    def _repr_mimebundle_(self, **_):
        """Return the chart below its sliders, and a picture for readers without a kernel."""
        box = ipywidgets.VBox([*self.sliders.values(), self._shown])
        return {**view_of(box), "text/plain": repr(self), "image/png": bytes(self._shown.value)}


def _slider(name, numbers):
    look = {"style": {"description_width": "initial"}, "layout": {"width": "min(34em, 95%)"}}
    look["description"] = name.replace("_", " ")
    if isinstance(numbers, list):
        options = [(f"{number:,}", number) for number in numbers]
        return ipywidgets.SelectionSlider(options=options, continuous_update=False, **look)
    least, most, begin = numbers
    return ipywidgets.IntSlider(min=least, max=most, value=begin, **look)
