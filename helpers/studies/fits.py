"""Whether the training of a table fits into a machine, by each way to freeze: sliders and bars.

A way has two bars, the peaks that `peaks` measures while it is set up and in a step, cut into what
is there at that moment. The parts are computed: these arrays were found there by noting each large
allocation of such a process.
"""

import math

import ipywidgets
import numpy as np
from matplotlib.patches import Patch

from helpers.forms import Form, slider
from helpers.pictures import plots

PARTS = {  # -> colour
    "table": "#1f5a96",
    "another table": "#8fbbd9",
    "slots": "#e08214",
    "masks": "#7b3294",
    "places and copies of free values": "#c2a5cf",
    "on the way": "#fdd9a0",
    "measured, not computed": "white",
}
LISTS = "places and copies of free values"
REST = "measured, not computed"  # the measured peak less the parts
TOO_MUCH = "#b2182b"
SET_UP, STEPS = "set up", "in a step"  # in the order of a pair of `peaks`
MOMENTS = [SET_UP, "step"]
NAMES = {"nothing": "plain Adam"}
GOALS = {
    "a table of 8 GB trains on a machine of 16 GB": (
        lambda fits: fits.table.value == 8 and fits.memory.value == 16 and fits.able
    ),
    "with 10 % free, compact slots train, and free values do not": (
        lambda fits: (
            fits.free.value == 10
            and "compact slots" in fits.able
            and "free values" not in fits.able
        )
    ),
    "with 20 % free, a table of 4 GB trains on a machine of 16 GB by free values": (
        lambda fits: (
            (fits.free.value, fits.table.value, fits.memory.value) == (20, 4, 16)
            and "free values" in fits.able
        )
    ),
    "with nothing frozen, a table of 3 GB trains on a machine of 16 GB": (
        lambda fits: fits.table.value == 3 and fits.memory.value == 16 and "nothing" in fits.able
    ),
}
SIZES = [1, 2, 3, 4, 8, 16]  # of the table, GB
ROOMS = [8, 16, 24, 32, 64]  # of the machine, GB


def parts(way, share):
    """Return SET_UP or STEPS -> part -> how many times the size of the table it takes.

    `way` is one of `peaks.WAYS`; of the cells a `share` is free, a fraction. A mask takes a byte
    for each cell, a quarter of a table. A list of 4 bytes for each free cell takes `share` tables.
    """
    if way == "compact slots" and 3 * share <= 1:
        set_up = {"masks": 0.25, LISTS: 5 * share}
        steps = {"slots": 2 * share, LISTS: 2 * share, "on the way": 4 * share}
    elif way == "free values":
        set_up = {"another table": 1, "masks": 0.75, LISTS: 9 * share}
        steps = {"another table": 1, "slots": 2 * share, LISTS: 5 * share, "on the way": share}
    elif way == "rows split off":
        set_up = {"another table": 1, "slots": 2 * share}
        steps = {"slots": 2 * share, "on the way": 2 * share}
    else:
        # Compact slots of more than a third are a mask.
        begin, goes_on = {"by mask": (1, 0.25), "compact slots": (0.5, 0.25)}.get(way, (0, 0))
        set_up = {"slots": 2, "masks": begin}
        steps = {"slots": 2, "masks": goes_on, "on the way": 2}
    return {SET_UP: {"table": 1} | set_up, STEPS: {"table": 1} | steps}


class Fits(Form):
    """Bars of the memory at the peak, and whether it fits into a machine of a chosen size.

    peaks   as `peaks.at_shares` returns them: share of the cells that is free, % -> way ->
            (set up, steps), multiples of the table's size; NaN where the system does not tell, and
            then the sum of the computed parts is taken
    table   size of the table, one of SIZES, GB
    memory  of the machine, one of ROOMS, GB

    Where there is more than one share, there are GOALS, and a box by which the steps alone count.
    """

    def __init__(self, peaks, table=4, memory=16):
        self._of_shares = peaks
        self.free = slider("free, %:", list(peaks), min(peaks))
        self.table = slider("table, GB:", SIZES, table)
        self.memory = slider("machine, GB:", ROOMS, memory)
        self.steps_alone = ipywidgets.Checkbox(description="steps alone", indent=False)
        inputs, goals = [self.table, self.memory], {}
        if len(peaks) > 1:  # with one share, nothing to choose
            inputs, goals = [self.free, *inputs, self.steps_alone], GOALS
        super().__init__(*inputs, goals=goals)
        for each in (self.free, self.table, self.memory, self.steps_alone):
            each.observe(self._show, "value")
        self._show()

    def peak(self, way):
        """Return the most that a way takes, as a multiple of the table's size, and when: SET_UP or
        STEPS. Once the steps alone count, it is what they take."""
        at = self._at(way, self.free.value)
        return max((at[when], when) for when in self._counted)

    def _at(self, way, free):
        """Return SET_UP and STEPS -> what a way takes then, as a multiple of the table's size, with
        `free` % of the cells free."""
        computed = parts(way, free / 100)
        measured = zip((SET_UP, STEPS), self._of_shares[free][way])
        return {at: _sum(computed[at]) if math.isnan(peak) else peak for at, peak in measured}

    @property
    def _counted(self):
        return [STEPS] if self.steps_alone.value else [SET_UP, STEPS]

    @property
    def able(self):
        """The ways by which the table trains on the machine."""
        return [way for way in self._peaks if self.trains(way)]

    def trains(self, way):
        """Return whether the peak of a way fits."""
        return self.peak(way)[0] <= self._room

    def _chart(self):
        """Return the bars, for what is chosen on the sliders."""
        figure, (axes,) = plots.figure(8.6, 4)
        for number, way in enumerate(self._peaks):
            for place, when in zip((number - 0.21, number + 0.21), (SET_UP, STEPS)):
                self._draw(axes, place, way, when)
        axes.axhline(self._room, color="black", linestyle="--", linewidth=1)
        places = np.arange(len(self._peaks))
        axes.set_xticks(np.ravel(places[:, None] + [-0.21, 0.21]), MOMENTS * len(places))
        named = axes.secondary_xaxis(0)
        named.set_xticks(places, [f"\n{NAMES.get(way, way)}" for way in self._peaks])
        named.tick_params(length=0)
        told = ", computed" if np.isnan(list(self._peaks.values())).any() else ""
        title = (
            f"{self.free.value} % free{told}. {self.memory.value} GB hold {self._room:g} tables of"
        )
        axes.set(title=f"{title} {self.table.value} GB (dashed).", ylabel="tables at the peak")
        axes.set_ylim(0, 1.15 * max(min(self._room, 8), self._highest()))
        shown = [Patch(facecolor=colour, edgecolor="gray") for colour in PARTS.values()]
        axes.legend(shown, PARTS, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
        return figure

    @property
    def _peaks(self):
        return self._of_shares[self.free.value]

    @property
    def _room(self):
        """Return how many tables the machine holds."""
        return self.memory.value / self.table.value

    def _highest(self):
        """Return the highest peak of all shares."""
        pairs = ((free, way) for free, ways in self._of_shares.items() for way in ways)
        return max(max(self._at(way, free).values()) for free, way in pairs)

    def _draw(self, axes, place, way, when):
        """Draw a bar, its parts one on the other, and their sum above them; pale if it does not
        count."""
        below, peak = 0, self._at(way, self.free.value)[when]
        look = dict(edgecolor="gray", linewidth=0.6, alpha=1 if when in self._counted else 0.25)
        computed = parts(way, self.free.value / 100)[when]
        rest = {REST: max(0, peak - _sum(computed))}
        for part, size in (computed | rest).items():
            axes.bar(place, size, 0.36, below, color=PARTS[part], **look)
            below += size
        if when in self._counted:
            colour = "black" if peak <= self._room else TOO_MUCH
            box = dict(facecolor="white", edgecolor="none", pad=0.5)  # over the dashed line
            how = dict(ha="center", va="bottom", fontsize=9, color=colour, bbox=box)
            axes.text(place, below + 0.06, f"{peak:.1f}", **how)

    def _show(self, _=None):
        able = [NAMES.get(way, way) for way in self.able]
        self.reach(self)
        self.show(self._chart(), f"Trains on this machine: {', '.join(able) or 'nothing'}.")

    def __repr__(self):
        return f"Fits({', '.join(self._peaks)})"


def _sum(of_parts):
    return sum(of_parts.values())
