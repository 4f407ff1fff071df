"""The mask-painting widget, kernel side: it owns the mask, and tells the browser what to draw."""

import math
import pathlib
from typing import ClassVar

import numpy as np
import traitlets

from helpers import masks
from helpers.names import known
from helpers.pictures import plots
from helpers.playground import grids
from helpers.playground.cell_names import CellNames
from helpers.playground.driver import Nobody
from helpers.playground.painter import checks, planes
from helpers.playground.painter.link import Link
from helpers.playground.painter.operations import OPERATIONS
from helpers.playground.painter.painted_mask import PaintedMask
from helpers.widget import Widget, bundle
from helpers.widget.subshell import answer_while_busy

HERE = pathlib.Path(__file__).parent
# The parts of the browser's side; each imports only from those before it, and from the elements.
PARTS: tuple[str, ...] = (
    *("bytes", "geometry", "pixels", "controls", "overlays", "link", "store", "canvas"),
    *("ticks", "cursor", "readout", "pins", "bets", "pointer", "run", "knobs", "popup", "hints"),
    *("share", "more", "toolbar", "curves", "meters", "goals", "stations", "traces", "microscope"),
    *("tour", "view", "widget"),
)


TEXTS = {  # what a page says when it hears nothing; a trainer in the browser has others
    "disconnected": "Disconnected: the kernel was restarted or shut down. Run the cell again to "
    "paint.",
    "silent": "The kernel does not answer. What you painted is kept until it does.",
}


def _whole_frame(_, painter):
    header, of_frame = painter.link.frame()
    return {"header": header, **of_frame}


class Painter(Widget):
    """A grid of weights on which frozen cells are painted.

    values     floating point array (rows, columns), what the heatmap shows
    frozen     bool mask to begin with; True = frozen; nothing is frozen without it
    driver     the Driver who trains the weights; without it Nobody, who shows `values`
    mask       the PaintedMask to paint on, of the shape of `values`; without it a new one
    cell_names the CellNames of the grid; without them rows and columns have numbers
    unheard    whether the thread that trains also has to read what browsers send; see Link
    traits     of a subclass, to begin with

    `link` is the conversation with the browser, `driver` whoever stands behind the grid now.
    """

    operations: ClassVar = OPERATIONS  # what a browser may ask for
    javascript = bundle.joined(
        bundle.ELEMENTS, *(HERE / "browser" / f"{part}.mjs" for part in PARTS)
    )
    # As text: of a path anywidget would tell every painter that there ever was when it changes.
    _css = bundle.styled(HERE / "painter.css")
    shape = traitlets.Tuple(traitlets.Int(), traitlets.Int()).tag(sync=True)
    colours = traitlets.Bytes().tag(sync=True)
    status = traitlets.Unicode("paused").tag(sync=True)
    error = traitlets.Unicode("").tag(sync=True)
    calm = traitlets.Bool(False).tag(sync=True)  # whether `error` is none, but to be known
    texts: traitlets.Dict = traitlets.Dict(TEXTS).tag(sync=True)
    names: traitlets.Dict = traitlets.Dict().tag(sync=True)
    # Read when the browser asks, not when something is set: a reloaded page shows the truth.
    frame = traitlets.Any().tag(sync=True, to_json=_whole_frame)

    def __init__(
        self,
        values,
        frozen=None,
        *,
        driver=None,
        mask=None,
        cell_names=None,
        unheard=False,
        **traits,
    ):
        self.shape_of_grid = grids.as_shape(np.shape(values))
        self.values, self._cell_names = np.array(values), cell_names or CellNames()
        self._masks = [mask or PaintedMask(self.shape_of_grid)]
        self._turned_up, self._bets = 0, None
        self.driver, self._watchers = driver or Nobody(self), []
        self.link = Link(
            send=lambda message, buffers: self.send(message, buffers=buffers),
            compose=self.compose,
            carry_out=self._carry_out,
            answer=self._answer,
            wake=self._wake,
            cells=math.prod(self.shape_of_grid),
            unheard=unheard,
        )
        if frozen is not None:
            self.mask.replace(masks.as_frozen(frozen, self.shape_of_grid))
        colours = plots.COLOURS.tobytes()
        traits["names"] = self._cell_names.on_screen(self.shape_of_grid)
        super().__init__(shape=self.shape_of_grid, colours=colours, **traits)
        self.on_msg(self._receive)
        answer_while_busy(self)

    def hand_over(self, driver):
        """Let another Driver stand behind the grid from now on."""
        self.driver = driver

    # --- the mask, from Python -------------------------------------------------------------

    @property
    def mask(self):
        """The PaintedMask that is painted on; `turn_to` changes it."""
        return self._masks[self._turned_up]

    @property
    def frozen(self):
        """The painted mask, a bool array (rows, columns); set it to replace the whole mask."""
        return self.mask.frozen

    @frozen.setter
    def frozen(self, mask):
        self.mask.replace(masks.as_frozen(mask, self.shape_of_grid))
        self.changed()

    def paint(self, rows, columns, frozen=True):
        """Freeze (or thaw) the cells named by rows and columns; see `grids.pick`."""
        cells = np.flatnonzero(grids.pick(rows, columns, self.shape_of_grid))
        self.mask.paint(cells, bool(frozen))
        self.changed()

    def undo(self):
        """Take back the last stroke."""
        self.mask.undo()
        self.changed()

    def redo(self):
        """Paint the last undone stroke again."""
        self.mask.redo()
        self.changed()

    def turn_to(self, mask, bets=None):
        """Paint on another mask of the same shape from now on, with its own history; and on the
        mask `bets` what is predicted, if anything can be.

        What a browser painted before it saw the new mask still goes to the one that it saw.
        """
        self._turned_up = self._number(mask)
        self._bets = None if bets is None else self._number(bets)
        self.changed()

    def _number(self, mask):
        """Return the number by which browsers name a mask."""
        if mask not in self._masks:
            self._masks.append(mask)
        return self._masks.index(mask)

    # --- frames to the browser -------------------------------------------------------------

    @property
    def applied(self):
        """For each browser, the number of its last operation that the mask holds."""
        return self.link.applied

    def changed(self):
        """Say that the picture is out of date, and see to it."""
        self.link.changed()

    @property
    def unwatched(self):
        """Seconds since a browser was heard; 0 where none has been, or none can be."""
        return self.link.unwatched

    def mark_stale(self):
        """Say that the picture is out of date; the next `publish` sends another."""
        self.link.mark_stale()

    def publish(self, full_speed=False):
        """Send a frame if the picture is out of date and the browser keeps up; fewer of them while
        training takes all the speed there is.

        Returns the seconds after which to try again, or None when there is nothing to send.
        """
        return self.link.publish(full_speed)

    def compose(self):
        """Return what a frame says, as a header of plain numbers and planes of bytes."""
        snapshot = dict(self.driver.snapshot())
        extra, applied = snapshot.pop("header"), snapshot.pop("applied")
        curves = {name: snapshot.pop(name).tobytes() for name in ("curve", "accuracies")}
        curves["traces"] = snapshot.pop("traces")
        curves["predicted"] = planes.pack(snapshot.pop("predicted"))
        del snapshot["held"]  # which is told of one cell at a time
        header, of_grid = planes.of_grid(**snapshot)
        header.update(extra, applied=applied, mask=self._turned_up, bets=self._bets)
        return header, {**curves, **of_grid}

    # --- messages from the browser ---------------------------------------------------------

    def mask_of(self, message):
        """Return the mask that an operation was meant for: the one that its browser saw."""
        return self._masks[checks.whole(message, "mask", high=len(self._masks))]

    def watch(self, act):
        """Call `act()` whenever the mask may have changed, and now."""
        self._watchers.append(act)
        act()

    def _wake(self):
        self.driver.wake()
        for act in self._watchers:
            act()

    def show_status(self, status):
        """Show how training goes: "training", "paused", "failed" or "closed"."""
        self.status = status

    def tell(self, error, calm=False):
        """Show a sentence where the person looks; an empty one takes away what stands there, and a
        calm one is no error."""
        self.calm = calm
        self.error = error

    def safely(self, function, *values):
        """Run a function that somebody pressed a button for, and show what it raises where that
        person looks; nobody reads the log of a button."""
        self.tell("")
        self.show_failure(function, *values)

    def _receive(self, _, message, buffers):
        """Handle one message from a browser; a bad one is reported there and changes nothing."""
        self.show_failure(self.link.receive, message, buffers)

    def show_failure(self, function, *values):
        """Run a function, and show what it raises instead of raising it."""
        try:
            function(*values)
        except Exception as error:
            self.tell(str(error))

    def _answer(self, message):
        """Tell the exact value of one cell; a frame has it only in 256 steps."""
        if message["kind"] != "value":
            raise ValueError(
                f"{message['kind']!r} without a number arrived; only 'value' has none."
            )
        cell = checks.whole(message, "cell", high=self.values.size)
        snapshot = self.driver.snapshot()
        then = snapshot["held" if snapshot["frozen"].flat[cell] else "initial"]
        fields = {"value": repr_of(snapshot["values"].flat[cell]), "was": repr_of(then.flat[cell])}
        name = self._cell_names.of_cell(*divmod(cell, self.shape_of_grid[1]))
        return {"kind": "value", "cell": cell, "name": name, **fields}

    def _carry_out(self, message, buffers):
        """Do what an operation says."""
        known("operation", message["kind"], self.operations)
        self.operations[message["kind"]](self, message, buffers)


def repr_of(number):
    """Return a number as a person wants to read it: nine digits tell every float32 from its
    neighbours."""
    return f"{float(number):.9g}"
