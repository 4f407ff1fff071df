"""The mask-painting widget, kernel side: it owns the mask, and tells the browser what to draw."""

import math
import pathlib
from typing import ClassVar

import numpy as np
import traitlets

from helpers import masks
from helpers.names import known
from helpers.pictures import plots
from helpers.playground.painter import bundle, checks, frames
from helpers.playground.painter.link import Link
from helpers.playground.painter.operations import OPERATIONS
from helpers.playground.painter.strokes import Sheet
from helpers.playground.painter.subshell import answer_while_busy
from helpers.playground.painter.widget import Widget


def _whole_frame(_, painter):
    header, planes = painter.link.frame()
    return {"header": header, **planes}


class Painter(Widget):
    """A grid of weights on which frozen cells are painted.

    values    floating point array (rows, columns), what the heatmap shows
    frozen    bool mask to begin with; True = frozen; nothing is frozen without it
    sheet     the Sheet to paint on, of the shape of `values`; without it a new one
    traits    of a subclass, to begin with

    Whoever trains the weights replaces two attributes: `snapshot` returns what a frame shows (see
    `plain_snapshot`), and `on_change` is called when the mask has changed or the browser wants a
    frame; it sees to it that `publish` is called. `link` is the conversation with the browser.
    `row_names` may hold a name for each row, told with its cells.
    """

    operations: ClassVar = OPERATIONS  # what a browser may ask for
    javascript = bundle.joined()
    # As text: of a path anywidget would tell every painter that there ever was when it changes.
    _css = pathlib.Path(__file__).with_name("painter.css").read_text("utf-8")
    shape = traitlets.Tuple(traitlets.Int(), traitlets.Int()).tag(sync=True)
    colours = traitlets.Bytes().tag(sync=True)
    status = traitlets.Unicode("paused").tag(sync=True)
    error = traitlets.Unicode("").tag(sync=True)
    # Read when the browser asks, not when something is set: a reloaded page shows the truth.
    frame = traitlets.Any().tag(sync=True, to_json=_whole_frame)

    def __init__(self, values, frozen=None, sheet=None, **traits):
        self.shape_of_grid = masks.as_grid_shape(np.shape(values))
        self.values = np.array(values)
        self._sheets, self._turned_up = [sheet or Sheet(self.shape_of_grid)], 0
        self._bets, self.row_names = None, ()
        self.snapshot, self.on_change = self.plain_snapshot, self.publish
        self.link = Link(
            send=lambda message, buffers: self.send(message, buffers=buffers),
            compose=self.compose,
            carry_out=self._carry_out,
            answer=self._answer,
            wake=lambda: self.on_change(),
            cells=math.prod(self.shape_of_grid),
        )
        if frozen is not None:
            self.sheet.replace(masks.as_frozen(frozen, self.shape_of_grid))
        colours = plots.COLOURS.tobytes()
        super().__init__(shape=self.shape_of_grid, colours=colours, **traits)
        self.on_msg(self._receive)
        answer_while_busy(self)

    # --- the mask, from Python -------------------------------------------------------------

    @property
    def sheet(self):
        """The Sheet that is painted on; `turn_to` changes it."""
        return self._sheets[self._turned_up]

    @property
    def frozen(self):
        """The painted mask, a bool array (rows, columns); set it to replace the whole mask."""
        return self.sheet.frozen

    @frozen.setter
    def frozen(self, mask):
        self.sheet.replace(masks.as_frozen(mask, self.shape_of_grid))
        self.changed()

    def paint(self, rows, columns, frozen=True):
        """Freeze (or thaw) the cells named by rows and columns; see `masks.pick`."""
        cells = np.flatnonzero(masks.pick(rows, columns, self.shape_of_grid))
        self.sheet.paint(cells, bool(frozen))
        self.changed()

    def undo(self):
        """Take back the last stroke."""
        self.sheet.undo()
        self.changed()

    def redo(self):
        """Paint the last undone stroke again."""
        self.sheet.redo()
        self.changed()

    def turn_to(self, sheet, bets=None):
        """Paint on another sheet of the same shape from now on, with its own history; and on the
        sheet `bets` what is predicted, if anything can be.

        What a browser painted before it saw the new sheet still goes to the one that it saw.
        """
        self._turned_up = self._number(sheet)
        self._bets = None if bets is None else self._number(bets)
        self.changed()

    def _number(self, sheet):
        """The number by which browsers name a sheet."""
        if sheet not in self._sheets:
            self._sheets.append(sheet)
        return self._sheets.index(sheet)

    # --- frames to the browser -------------------------------------------------------------

    @property
    def applied(self):
        """For each browser, the number of its last operation that the mask holds."""
        return self.link.applied

    def changed(self):
        """Say that the picture is out of date, and see to it."""
        self.link.changed()

    def mark_stale(self):
        """Say that the picture is out of date; the next `publish` sends another."""
        self.link.mark_stale()

    def publish(self):
        """Send a frame if the picture is out of date and the browser keeps up.

        Returns the seconds after which to try again, or None when there is nothing to send.
        """
        return self.link.publish()

    def plain_snapshot(self):
        """What a frame shows: a dict with the arrays that `frames.planes` takes, `applied`, a
        float32 loss `curve` (2, points), a `header` of plain numbers for the meters, and bytes of
        `traces` for the microscope, which a grid that nobody trains does not have; `predicted`, a
        bool array of the cells that somebody bets on."""
        # `applied` is read first, so that the mask holds at least every operation that it names.
        applied, nothing = self.applied, np.zeros(self.shape_of_grid, bool)
        arrays = dict(values=self.values, moved_bits=nothing, initial=self.values, leaked=nothing)
        curve = np.zeros((2, 0), np.float32)
        told = dict(curve=curve, traces=b"", predicted=nothing, header={})
        return dict(arrays, frozen=self.frozen, applied=applied, **told)

    def compose(self):
        """Return what a frame says, as a header of plain numbers and planes of bytes."""
        snapshot = self.snapshot()
        extra, applied = snapshot.pop("header"), snapshot.pop("applied")
        curves = {"curve": snapshot.pop("curve").tobytes(), "traces": snapshot.pop("traces")}
        curves["predicted"] = frames.pack(snapshot.pop("predicted"))
        header, planes = frames.planes(**snapshot)
        header.update(extra, applied=applied, sheet=self._turned_up, bets=self._bets)
        return header, {**curves, **planes}

    # --- messages from the browser ---------------------------------------------------------

    def sheet_of(self, message):
        """The sheet that an operation was meant for: the one that its browser saw."""
        return self._sheets[checks.whole(message, "sheet", high=len(self._sheets))]

    def also_on_change(self, act):
        """Have `act()` called, too, whenever the mask may have changed, and now."""
        wake = self.on_change

        def changed():
            wake()
            act()

        self.on_change = changed
        act()

    def safely(self, function, *values):
        """Run a function that somebody pressed a button for, and show what it raises where that
        person looks; nobody reads the log of a button."""
        self.error = ""
        self.show_failure(function, *values)

    def _receive(self, _, message, buffers):
        """Handle one message from a browser; a bad one is reported there and changes nothing."""
        self.show_failure(self.link.receive, message, buffers)

    def show_failure(self, function, *values):
        """Run a function, and show what it raises instead of raising it."""
        try:
            function(*values)
        except Exception as error:
            self.error = str(error)

    def _answer(self, message):
        """Tell the exact value of one cell; a frame has it only in 256 steps."""
        if message["kind"] != "value":
            raise ValueError(
                f"{message['kind']!r} without a number arrived; only 'value' has none."
            )
        cell, snapshot = checks.whole(message, "cell", high=self.values.size), self.snapshot()
        value, initial = snapshot["values"].flat[cell], snapshot["initial"].flat[cell]
        told = {"value": repr_of(value), "was": repr_of(initial)}
        row = cell // self.shape_of_grid[1]
        return {"kind": "value", "cell": cell, "row": self.row_name(row), **told}

    def row_name(self, row):
        """What a row is called on screen: its number, and its name if it has one."""
        return f"row {row} ({self.row_names[row]})" if self.row_names else f"row {row}"

    def _carry_out(self, message, buffers):
        """Do what an operation says."""
        known("operation", message["kind"], self.operations)
        self.operations[message["kind"]](self, message, buffers)


def repr_of(number):
    """A number as a person wants to read it: nine digits tell every float32 from its neighbours."""
    return f"{float(number):.9g}"
