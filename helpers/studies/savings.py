"""What each way to freeze takes in time and memory, beside a slider for the share that is free."""

import itertools

import ipywidgets
from IPython.display import Image

from helpers.pictures import charts, plots
from helpers.views import view_of

WIDTH, HEIGHT = 4.8, 4.2  # of a chart, in inches


class Savings:
    """Two charts over the share of cells that is free, read where a slider stands.

    shares  the shares that were measured, floats from 0 to 1, rising
    time    way -> what a step takes, as a multiple of the plain one: floats, one a share
    memory  way -> what is kept beside the weights, as a multiple of plain Adam's: the same

    `free` is the share that is read now. Without a browser there is `picture`.
    """

    def __init__(self, shares, time, memory, free=None):
        self._shares, self._charts = list(shares), {"time of a step": time, "memory kept": memory}
        told = [(f"{share:.0%}", share) for share in self._shares]
        free = free or self._shares[len(self._shares) // 2]
        self._slider = ipywidgets.SelectionSlider(options=told, value=free, description="free:")
        self._shown = ipywidgets.Image(value=self.picture().data, format="png")
        self._slider.observe(self._show, "value")

    @property
    def free(self):
        """The share on the slider."""
        return self._slider.value

    def picture(self):
        """Return the charts as a picture, with the numbers at the share that is read."""
        place = self._shares.index(self.free)
        figure, panels = plots.figure(WIDTH, HEIGHT, panels=len(self._charts))
        for axes, (title, ways) in zip(panels, self._charts.items()):
            for (way, values), line in zip(ways.items(), itertools.cycle(charts.LINES)):
                label = f"{way}: {values[place]:.2f}"
                axes.plot(self._shares, values, line, label=label, markersize=5)
            axes.axhline(1, color="gray", linewidth=0.8)
            axes.axvline(self.free, color="black", linewidth=0.8, linestyle="--")
            axes.set(title=f"{title} ÷ that of plain Adam", ylim=(0, None))
            axes.set_xscale("log")
            axes.set_xticks(self._shares, [f"{share:.0%}" for share in self._shares])
            axes.minorticks_off()
            axes.set_xlabel("share of the cells that is free")
            axes.legend(title=f"{self.free:.0%} free", frameon=False)
        return Image(plots.png(figure))

    def _show(self, _):
        self._shown.value = self.picture().data

    def __repr__(self):
        return f"Savings({', '.join(self._charts['time of a step'])})"

    def _repr_mimebundle_(self, **_):
        """Return the charts below their slider, and a picture for readers without a kernel."""
        box = ipywidgets.VBox([self._slider, self._shown])
        return {**view_of(box), "text/plain": repr(self), "image/png": self.picture().data}
