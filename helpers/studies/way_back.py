"""Which products of a step are left out if layers are frozen: boxes to tick, and a drawing."""

import ipywidgets
from matplotlib.patches import Rectangle

from helpers.forms import Form
from helpers.pictures import plots

GOALS = {
    "three layers frozen, and 5 products": lambda frozen, count: sum(frozen) == 3 and count == 5,
    "three layers frozen, and 8 products": lambda frozen, count: sum(frozen) == 3 and count == 8,
    "two layers frozen, and 7 products": lambda frozen, count: sum(frozen) == 2 and count == 7,
    "7 products with layer 4 frozen": lambda frozen, count: frozen[3] and count == 7,
}
ROWS = "forward", "gradient of its kernel", "handed back"
COMPUTED, LEFT_OUT = "#2f79b5", "#f4f4f0"
EXAMPLE = True, False, True, False  # what the picture for readers without a kernel has frozen


def taken(frozen):
    """Return which products a step takes in a network of Dense layers of one width.

    `frozen` has one bool for each layer, the first one first, True = frozen; a layer is free.
    Returned is a list of bools for each of ROWS, one for each layer.
    """
    first = list(frozen).index(False)
    return [
        [True] * len(frozen),
        [not held for held in frozen],
        [number > first for number in range(len(frozen))],
    ]


class WayBack(Form):
    """A box to tick for each of four layers, ticked = frozen, and a drawing of the products that a
    step takes then.
    """

    def __init__(self):
        self.boxes = {
            name: ipywidgets.Checkbox(False, description=f"freeze {name}", indent=False)
            for name in (f"layer {number}" for number in range(1, 5))
        }
        for box in self.boxes.values():
            box.layout.width = "auto"
            box.observe(lambda _: self._show(), "value")
        row = ipywidgets.HBox(list(self.boxes.values()))
        row.layout.flex_flow = "row wrap"
        super().__init__(row, goals=GOALS)
        self._show()

    @property
    def frozen(self):
        """What is ticked: four bools, the first layer first, True = frozen."""
        return [box.value for box in self.boxes.values()]

    @property
    def count(self):
        """How many products a step takes; 0 if all layers are frozen."""
        return 0 if all(self.frozen) else sum(map(sum, taken(self.frozen)))

    def _show(self):
        frozen, count = self.frozen, self.count
        self.reach(frozen, count)
        text = (
            f"{count} products" if count else "All layers are frozen, so nothing trains: free one."
        )
        self.show(_drawn(frozen), text)

    def __repr__(self):
        return f"WayBack({self.count} products)"

    def still(self):
        """Return the drawing with two layers frozen."""
        return plots.image(_drawn(EXAMPLE))


def _drawn(frozen):
    """Return the drawing: a filled square is a product that is computed."""
    figure, (axes,) = plots.figure(5.2, 2.4)
    squares = [[False] * len(frozen)] * len(ROWS) if all(frozen) else taken(frozen)
    for row, which in enumerate(squares):
        for number, computed in enumerate(which):
            if row < 2 or number:  # the first layer has none before it
                look = {"facecolor": COMPUTED if computed else LEFT_OUT, "edgecolor": COMPUTED}
                axes.add_patch(Rectangle((number - 0.3, row - 0.3), 0.6, 0.6, **look))
    names = [f"layer {number}" for number in range(1, len(frozen) + 1)]
    held = [f"{name}\nfrozen" if each else name for name, each in zip(names, frozen)]
    axes.set_xticks(range(len(frozen)), held)
    axes.set_yticks(range(len(ROWS)), ROWS)
    axes.set(xlim=(-0.6, len(frozen) - 0.4), ylim=(2.6, -0.6), aspect="equal")
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure
