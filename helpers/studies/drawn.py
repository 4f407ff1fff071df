"""A chart that is drawn anew whenever one of its sliders moves."""

import ipywidgets
from IPython.display import Image

from helpers.pictures import plots
from helpers.views import view_of


class Drawn:
    """Sliders over whole numbers, and the chart of where they stand.

    draw     (axes, **numbers) → None, with the name of each slider as an argument
    sliders  name → (least, most, begin)

    Without a browser there is `picture`, of where they stand.
    """

    def __init__(self, draw, **sliders):
        self._draw = draw
        self.sliders = {name: _slider(name, *ends) for name, ends in sliders.items()}
        self._shown = ipywidgets.Image(format="png", layout={"max_width": "100%"})
        for slider in self.sliders.values():
            slider.observe(self._show, "value")
        self._show()

    def picture(self):
        """Return the chart as a picture."""
        figure, (axes,) = plots.figure(8, 3)
        self._draw(axes, **{name: slider.value for name, slider in self.sliders.items()})
        return Image(plots.png(figure))

    def _show(self, _=None):
        self._shown.value = self.picture().data

    def __repr__(self):
        return f"Drawn({', '.join(self.sliders)})"

    def _repr_mimebundle_(self, **_):
        """Return the chart below its sliders, and a picture for readers without a kernel."""
        box = ipywidgets.VBox([*self.sliders.values(), self._shown])
        return {**view_of(box), "text/plain": repr(self), "image/png": self.picture().data}


def _slider(name, least, most, begin):
    said = name.replace("_", " ")
    style, layout = {"description_width": "initial"}, {"width": "min(34em, 95%)"}
    ends = dict(min=least, max=most, value=begin)
    return ipywidgets.IntSlider(**ends, description=said, style=style, layout=layout)
