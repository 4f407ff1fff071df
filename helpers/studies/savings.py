"""What time each way to freeze takes, beside a slider for the share that is free."""

import itertools

import numpy as np
from matplotlib.ticker import LogLocator

from helpers.forms import Form, slider
from helpers.pictures import charts, plots
from helpers.studies.verdicts import verdict

WIDTH, HEIGHT = 9.2, 4.2  # of the chart, in inches
NOISY = 0.2  # so far from 1 the noise may go
BUSY = (
    "This machine is too busy for timings. In a quiet minute, run the page again;\n"
    "the figures in the text are those of a quiet machine."
)
SAID = {"shorter": "saves", "longer": "takes more", "not told apart": "not told apart"}


class Savings(Form):
    """A chart of what is taken over the share of cells that is free, read where a slider stands.

    shares  the shares that were measured, floats from 0 to 1, rising
    taken   way -> what it takes, as a multiple of what is taken with nothing frozen: one (low,
            median, high) a share, the quartiles of all rounds; NaN where it was not tried
    noise   (low, median, high) of nothing frozen beside itself
    title   of the chart: what is divided by what
    free    the share that is read now

    A curve has the shares at which the slider has been, and joins neighbours. The legend has the
    medians at the share that is read, and where the bar lies beside the noise: below it the way
    saves. Where the noise goes further than NOISY from 1, the chart says that the machine is busy.
    Readers without a kernel see all shares.
    """

    def __init__(self, shares, taken, noise, title, free=None):
        self._shares, self._taken, self._noise = list(shares), taken, noise
        self._title = title
        free = free or self._shares[len(self._shares) // 2]
        self._slider, self._seen = slider("free:", self._shares, free, "{:.0%}"), set()
        super().__init__(self._slider)
        self._slider.observe(self._show, "value")
        self._show()

    @property
    def free(self):
        """The share on the slider."""
        return self._slider.value

    @property
    def busy(self):
        """Whether the machine was too busy: the noise goes far from 1."""
        return bool(np.abs(np.subtract(self._noise, 1)).max() > NOISY)

    def read(self, way):
        """Return what a way takes at the share on the slider, and one of SAID."""
        low, median, high = self._taken[way][self._shares.index(self.free)]
        bars = (low, high), (self._noise[0], self._noise[2])
        return median, SAID[verdict(*bars)]

    def still(self):
        """Return the chart of all shares, with the figures at the share that is read."""
        return plots.image(self._chart(self._shares))

    def _chart(self, seen):
        """Return the chart of some of the shares."""
        figure, (axes,) = plots.figure(WIDTH, HEIGHT)
        below, _, above = self._noise
        if below < above:
            axes.axhspan(below, above, color="#dddddd", label="noise: plain beside plain")
        axes.axhline(1, color="gray", linewidth=0.8)
        axes.axvline(self.free, color="#f6e3b4", linewidth=30, zorder=0)
        lines = zip(self._taken.items(), itertools.cycle(charts.LINES))
        for place, ((way, bars), line) in enumerate(lines):
            found = [
                bar if share in seen else 3 * [np.nan] for share, bar in zip(self._shares, bars)
            ]
            low, median, high = np.transpose(found)
            bar = [median - low, high - median]
            label = f"{way}: {self._said(*self.read(way))}"
            apart = 1.07 ** (place - 1.5) if below < above else 1  # or bars hide bars
            at = np.array(self._shares) * apart
            axes.errorbar(at, median, bar, fmt=line, label=label, markersize=5)
        self._scale_axes(axes)
        beside = dict(loc="center left", bbox_to_anchor=(1, 0.5))
        axes.legend(title=f"{self.free:.0%} free", frameon=False, **beside)
        return figure

    def _scale_axes(self, axes):
        """Let halves and doubles be as far from 1, and all have room."""
        of_all = [bar for bars in self._taken.values() for bar in bars]
        lowest, highest = np.nanmin([self._noise, *of_all]), np.nanmax([self._noise, *of_all])
        axes.set(title=self._title, xlabel="share of the cells that is free")
        if self.busy:
            axes.set_title(f"{BUSY}\n{self._title}", color="#b2182b")
        axes.set(xscale="log", yscale="log", ylim=(lowest / 1.1, highest * 1.1))
        axes.set_xlim(min(self._shares) / 1.3, max(self._shares) * 1.3)
        axes.set_xticks(self._shares)
        axes.xaxis.set_major_formatter("{x:.0%}")
        axes.yaxis.set(major_locator=LogLocator(2), major_formatter="{x:g}")
        axes.minorticks_off()

    @staticmethod
    def _said(median, said):
        return "not tried" if np.isnan(median) else f"{median:.3f}, {said}"

    def _show(self, _=None):
        self._seen.add(self.free)
        self.show(self._chart(self._seen))

    def __repr__(self):
        return f"Savings({', '.join(self._taken)})"
