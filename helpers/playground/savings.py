"""A painted mask, and beside it what freezing could save by its shape: counted as it is painted."""

import ipywidgets
from IPython.display import Image
from matplotlib import colors

from helpers.pictures import plots
from helpers.views import view_of

SHOWN = colors.ListedColormap(["#ffffff", "#c9c9c9", "#2f79b5"])  # free, frozen, in a whole line


def count(frozen):
    """Return how many cells keep slots under a bool mask (rows, columns), True = frozen: a dict
    from the way to freeze, in words, to a number."""
    rows, columns = frozen.shape
    return {
        "a mask": frozen.size,
        "rows split off": int((~frozen.all(axis=1)).sum()) * columns,
        "columns split off": int((~frozen.all(axis=0)).sum()) * rows,
        "compact slots": int((~frozen).sum()),
    }


def _facts(frozen):
    """Return what is said of a mask: a dict from two headings to short texts."""
    rows, columns = (int(frozen.all(axis=axis).sum()) for axis in (1, 0))
    return {
        "Frozen": [
            f"{frozen.sum():,} of {frozen.size:,} cells",
            f"as a whole {rows} of {frozen.shape[0]} rows",
            f"and {columns} of {frozen.shape[1]} columns",
        ],
        "Cells with slots": [f"{way} {cells:,}" for way, cells in count(frozen).items()],
    }


def told(frozen):
    """Say in two lines what is frozen, in cells, rows and columns, and how many cells keep slots
    under each way to freeze them."""
    (frozen_cells, *whole), kept = _facts(frozen).values()
    slots = " · ".join(kept)
    return f"Frozen: {frozen_cells}; {' '.join(whole)}\nCells with slots: {slots}"


class Savings:
    """A playground below the two lines of `told`, which follow each stroke of the brush.

    `playground` is the Playground. Without a browser there is `picture`: the mask, its whole rows
    and columns in another colour.
    """

    def __init__(self, playground):
        self.playground = playground
        self._lines = ipywidgets.HTML()
        playground.painter.watch(self._show)

    def __str__(self):
        return told(self.playground.painter.frozen)

    def __repr__(self):
        return f"Savings({self.playground!r})"

    def picture(self):
        """Return a static picture of the mask as it is."""
        frozen = self.playground.painter.frozen
        whole = frozen.all(axis=1, keepdims=True) | frozen.all(axis=0, keepdims=True)
        picture, (axes,) = plots.figure(5.5, 4.6)
        axes.imshow(
            1 * frozen + (frozen & whole), cmap=SHOWN, vmin=0, vmax=2, interpolation="nearest"
        )
        axes.set(xlabel="column", ylabel="row")
        parts = ["\n".join([heading, *facts]) for heading, facts in _facts(frozen).items()]
        parts.append("grey: frozen\nblue: in a row or column\nfrozen as a whole")
        axes.text(1.08, 1, "\n\n".join(parts), transform=axes.transAxes, va="top", linespacing=1.5)
        return Image(plots.png(picture))

    def _show(self):
        self._lines.value = f'<span role="status">{str(self).replace(chr(10), "<br>")}</span>'

    def _repr_mimebundle_(self, **_):
        """Return the lines above the grid, and a picture for readers without a kernel."""
        box = ipywidgets.VBox([self._lines, self.playground.painter])
        return {**view_of(box), "text/plain": repr(self), "image/png": self.picture().data}
