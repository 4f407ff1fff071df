"""Whether the training of a table fits into a machine, by each way to freeze: sliders and bars."""

import numpy as np

from helpers.forms import Form, slider
from helpers.pictures import plots

COLOURS = ["#a8a8a8", "#8fbbd9", "#1f5a96"]  # of the situations, in their order
TOO_MUCH = dict(hatch="////", edgecolor="#b2182b", linewidth=1.5)
CLEAR = dict(facecolor="white", edgecolor="none", pad=0.5)  # below a number on the dashed line
STEPS = "steps"  # the situation in which a way goes on; in the others it begins
SIZES = [1, 2, 3, 4, 8, 16]  # of the table, GB
ROOMS = [8, 16, 24, 32, 64]  # of the machine, GB


class Fits(Form):
    """Bars of the memory at the peak, for a table and a machine of chosen sizes.

    peaks   share of the cells that is free, % -> way -> situation -> the peak, as a multiple of the
            table's size, a float; NaN where the system does not tell. One situation is "steps", and
            in the others a way begins; one way has all of them, and their order holds for all
    table   size of the table, one of SIZES, GB
    memory  of the machine, one of ROOMS, GB

    A bar that passes the machine's memory is hatched in red.
    """

    def __init__(self, peaks, table=4, memory=16):
        self._of_shares = peaks
        self.free = slider("free, %:", list(peaks), min(peaks))
        self.table = slider("table, GB:", SIZES, table)
        self.memory = slider("machine, GB:", ROOMS, memory)
        free = [self.free] if len(peaks) > 1 else []  # with one share, nothing to choose
        super().__init__(*free, self.table, self.memory)
        for each in (self.free, self.table, self.memory):
            each.observe(self._show, "value")
        self._show()

    def fitting(self):
        """Return the situations of each way whose peak fits: way -> list of names."""
        return {
            way: [name for name, peak in of_way.items() if self._gigabytes(peak) <= self._room]
            for way, of_way in self._peaks.items()
        }

    def trains(self, way):
        """Return whether a way's steps fit, and one of the situations in which it can begin."""
        fitting = self.fitting()[way]
        begins = set(self._peaks[way]) - {STEPS}
        return STEPS in fitting and (not begins or not begins.isdisjoint(fitting))

    def _chart(self):
        """Return the bars, at the sizes on the sliders."""
        figure, (axes,) = plots.figure(8.6, 4)
        names = list(max(self._peaks.values(), key=len))
        for line, of_way in enumerate(self._peaks.values()):
            self._draw(axes, line, of_way, names)
        axes.axvline(self._room, color="black", linestyle="--", linewidth=1)
        for name, colour in zip(names, COLOURS):
            axes.barh(np.nan, np.nan, color=colour, label=name)
        axes.barh(np.nan, np.nan, color="none", label="does not fit", **TOO_MUCH)
        told = [f"{way}: {'yes' if self.trains(way) else 'no'}" for way in self._peaks]
        axes.set_yticks(range(len(told)), told)
        table = f"a table of {self.table.value} GB, {self.free.value} % of it free"
        axes.set(title=f"{table}, on a machine of {self._room} GB")
        axes.set(xlabel="GB at the peak", xlim=(0, 1.3 * max(self._room, self._highest())))
        axes.invert_yaxis()
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
        return figure

    @property
    def _peaks(self):
        return self._of_shares[self.free.value]

    @property
    def _room(self):
        return self.memory.value

    def _gigabytes(self, peak):
        return peak * self.table.value

    def _highest(self):
        of_all = [way for each in self._of_shares.values() for way in each.values()]
        peaks = [peak for way in of_all for peak in way.values()]
        return np.nanmax([0, *map(self._gigabytes, peaks)])

    def _draw(self, axes, line, of_way, names):
        """Draw the bars of one way, each at the place of its situation."""
        for name, peak in of_way.items():
            place, size = names.index(name), self._gigabytes(peak)
            marked = {} if size <= self._room else TOO_MUCH
            at = line + 0.26 * (place - (len(names) - 1) / 2)
            bar = axes.barh(at, size, 0.24, color=COLOURS[place], **marked)
            axes.bar_label(bar, fmt="%.1f", padding=3, fontsize=9, bbox=CLEAR)

    def _show(self, _=None):
        able = [way for way in self._peaks if self.trains(way)]
        self.show(self._chart(), f"Trains on this machine: {', '.join(able) or 'nothing'}.")

    def __repr__(self):
        return f"Fits({', '.join(self._peaks)})"
