"""The mask-painting widget, kernel side: it owns the mask, and tells the browser what to draw."""

import math
import pathlib
import threading
import time

import anywidget
import numpy as np
import traitlets

from helpers import masks
from helpers.pictures import plots
from helpers.playground.painter import frames
from helpers.playground.painter.strokes import Sheet
from helpers.playground.painter.subshell import answer_while_busy

IN_FLIGHT = 6
# Seconds between frames, at the least; a large frame takes both ends longer, so it gets more.
INTERVAL, INTERVAL_PER_CELL = 0.025, 7e-8
# Milliseconds between the browser's acknowledgements. Frames of a TCP segment or less need the fast
# beat; see `shown` in painter.mjs.
BEAT, LARGE_BEAT, LARGE = 25, 80, 2**15
# While training takes all the speed there is, frames are this many times rarer.
CALM = 6
STALLED_INTERVAL = 1.0

HERE = pathlib.Path(__file__).parent


class Painter(anywidget.AnyWidget):
    """A grid of weights on which frozen cells are painted.

    values    floating point array (rows, columns), what the heatmap shows
    frozen    bool mask to begin with; True = frozen; nothing is frozen without it

    Whoever trains the weights replaces two attributes: `read` returns what a frame shows (see
    `reading`), and `on_change` is called when the mask has changed or the browser wants a frame.
    """

    _esm = HERE / "painter.mjs"
    _css = HERE / "painter.css"
    shape = traitlets.Tuple(traitlets.Int(), traitlets.Int()).tag(sync=True)
    colours = traitlets.Bytes().tag(sync=True)
    status = traitlets.Unicode("paused").tag(sync=True)
    error = traitlets.Unicode("").tag(sync=True)
    # Read when the browser asks, not when something is set: a reloaded page shows the truth.
    frame = traitlets.Any().tag(sync=True, to_json=lambda _, painter: painter.draw())

    def __init__(self, values, frozen=None):
        self.shape_of_grid = masks.as_grid_shape(np.shape(values))
        self.values = np.array(values)
        self.sheet = Sheet(self.shape_of_grid)
        self.read, self.on_change = self.reading, self.publish
        self._applied, self._sent, self._shown, self._sent_at = {}, 0, 0, 0.0
        self._stale, self.calm = True, False
        self._lock = threading.RLock()
        if frozen is not None:
            self.sheet.replace(masks.as_frozen(frozen, self.shape_of_grid))
        super().__init__(shape=self.shape_of_grid, colours=plots.COLOURS.tobytes())
        self.on_msg(self._receive)
        answer_while_busy(self)

    # --- the mask, from Python -------------------------------------------------------------

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

    def turn_to(self, sheet):
        """Paint on another sheet of the same shape from now on, with its own history."""
        self.sheet = sheet
        self.changed()

    @property
    def applied(self):
        """For each browser, the number of its last operation that the mask holds."""
        with self._lock:
            return dict(self._applied)

    # --- frames to the browser -------------------------------------------------------------

    def reading(self):
        """What a frame shows: a dict with the arrays that `frames.planes` takes, `applied`, a
        float32 loss `curve` (2, points), and a `header` of plain numbers for the meters."""
        applied, nothing = self.applied, np.zeros(self.shape_of_grid, bool)
        arrays = dict(values=self.values, moved_bits=nothing, initial=self.values, leaked=nothing)
        curve = np.zeros((2, 0), np.float32)
        return dict(arrays, frozen=self.frozen, applied=applied, curve=curve, header={})

    def draw(self):
        """Return a whole frame, as a dict of its header and its planes."""
        reading = self.read()
        extra, applied, curve = (reading.pop(name) for name in ("header", "applied", "curve"))
        header, planes = frames.planes(**reading)
        header.update(extra, applied=applied, frame=self._sent, beat=self._beat())
        return {"header": header, "curve": curve.tobytes(), **planes}

    def changed(self):
        """Say that the picture is out of date, and see to it."""
        self.mark_stale()
        self.on_change()

    def mark_stale(self):
        """Say that the picture is out of date; the next `publish` sends another."""
        self._stale = True

    def publish(self):
        """Send a frame if the picture is out of date and the browser keeps up.

        Returns the seconds after which to try again, or None when there is nothing to send.
        """
        with self._lock:
            wait = self._wait()
            if wait is None or wait > 0:
                return wait
            self._stale = False
            self._sent, self._sent_at = self._sent + 1, time.perf_counter()
            frame = self.draw()
        header = frame.pop("header")
        self.send({"kind": "frame", "planes": list(frame), **header}, buffers=list(frame.values()))
        return None

    def _wait(self):
        """Seconds until the next frame may leave; None without one, or without a browser."""
        if not self._stale or not self._applied:
            return None
        keeps_up = self._sent - self._shown < IN_FLIGHT
        shortest = INTERVAL + INTERVAL_PER_CELL * math.prod(self.shape_of_grid)
        interval = shortest * (CALM if self.calm else 1) if keeps_up else STALLED_INTERVAL
        return max(0.0, self._sent_at + interval - time.perf_counter())

    def _beat(self):
        if self.calm:
            return CALM * INTERVAL * 1000
        return LARGE_BEAT if math.prod(self.shape_of_grid) >= LARGE else BEAT

    # --- operations from the browser -------------------------------------------------------

    def _receive(self, _, message, buffers):
        """Handle one message from a browser; a bad one is reported there and changes nothing."""
        try:
            handle = {"hello": self._hello, "shown": self._note_shown, "value": self._answer}
            handle.get(message["kind"], self._operate)(message, buffers)
        except Exception as error:
            self.error = str(error)

    def _hello(self, message, _):
        with self._lock:
            self._applied.setdefault(message["client"], 0)
            self._shown = self._sent
        self.changed()

    def _note_shown(self, message, _):
        self._shown = max(self._shown, message["frame"])
        if self._stale:
            self.on_change()

    def _answer(self, message, _):
        """Tell the exact value of one cell; a frame has it only in 256 steps."""
        reading, cell = self.read(), message["cell"]
        value, initial = reading["values"].flat[cell], reading["initial"].flat[cell]
        self.send({"kind": "value", "cell": cell, "value": repr_of(value), "was": repr_of(initial)})

    def _operate(self, message, buffers):
        """Change the mask as an operation says, once and in the order of their numbers."""
        with self._lock:
            last = self._applied.get(message["client"], 0)
            if message["seq"] != last + 1:
                # Sent again, because the frame that answers it was lost; or it has overtaken one
                # that was lost, and comes again behind that.
                self.changed()
                return
            self._applied[message["client"]] = message["seq"]
            try:
                OPERATIONS[message["kind"]](self, message, buffers)
            finally:  # a browser whose operation was refused has drawn it, and must see the truth
                self.changed()


def repr_of(number):
    """A number as a person wants to read it: nine digits tell every float32 from its neighbours."""
    return f"{float(number):.9g}"


def _paint(painter, message, buffers):
    cells = np.frombuffer(buffers[0], np.int32)
    if cells.min(initial=0) < 0:
        raise IndexError(f"Cell {cells.min()} arrived; cells count from 0. Nothing was painted.")
    stroke = (message["client"], message["stroke"])
    painter.sheet.paint(cells, message["frozen"], stroke)


def _largest(painter, message, _):
    values = painter.read()["values"]
    painter.sheet.replace(masks.largest(values, message["fraction"]))


def _random(painter, message, _):
    seed = message["seq"]
    painter.sheet.replace(masks.random(painter.shape_of_grid, message["fraction"], seed))


OPERATIONS = {
    "paint": _paint,
    "undo": lambda painter, *_: painter.sheet.undo(),
    "redo": lambda painter, *_: painter.sheet.redo(),
    "invert": lambda painter, *_: painter.sheet.replace(~painter.frozen),
    "clear": lambda painter, *_: painter.sheet.replace(np.zeros(painter.shape_of_grid, bool)),
    "largest": _largest,
    "random": _random,
}
