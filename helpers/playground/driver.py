"""Whoever stands behind a grid, and whoever shows it: what either asks of the other; and the two
drivers who train nothing.

A session answers with a trainer on a thread of its own, or, where no thread may show what it has
changed, with one that works in the running cell; then there are Nobody and Closed. Another front
end is a FrontEnd that a Session is given in place of a Panel, as `tests/playground/test_driver.py`
gives it one of lines of text; another trainer is a Driver.
"""

from collections.abc import Callable
from typing import Any, Literal, NoReturn, Protocol, TypedDict

import numpy as np

Order = Literal["train", "pause", "step", "reset"]
Knob = Literal["rate", "momentum", "decay"]  # numbers of the optimizer in use; see `knobs`
Setting = Literal["technique", "optimizer", "page", "speed", Knob]
Claim = Literal["leak", "stay"]  # what can be bet of cells: that they leak, or do not move
Cell = tuple[str, int, int]  # page, row, column


class Snapshot(TypedDict):
    """What a frame shows, as things stand between two steps; arrays are (rows, columns) but for
    the curves."""

    values: np.ndarray  # floating point: what the model computes with
    initial: np.ndarray  # the same before the first step
    moved_bits: np.ndarray  # bool, True where a bit differs from `initial`
    frozen: np.ndarray  # bool, True = frozen
    held: np.ndarray  # what a frozen cell held when it was frozen; means nothing of others
    leaked: np.ndarray  # bool, True where a frozen cell has changed
    predicted: np.ndarray  # bool, True where somebody bets on the claim
    applied: dict[str, int]  # browser -> its last operation that all of this holds
    curve: np.ndarray  # float32 (2, points): steps and their losses
    accuracies: np.ndarray  # float32 (1 + names, points): steps, and shares of what is held out
    traces: bytes  # of the pinned cells; see `Microscope.curves`
    header: dict[str, Any]  # for the meters; see `messages.Progress`


class Driver(Protocol):
    """Whoever trains what a panel shows.

    `snapshot`, `wake` and `post` are called from any thread, and under the link's lock: they wait
    for no other lock than the step's. `do` may wait for a chunk of steps. All others are called
    between two steps, through `do` or `post`, and may raise: the panel shows it.
    """

    def snapshot(self) -> Snapshot:
        """Return what a frame is to show now."""

    def wake(self) -> None:
        """See to it that `publish` is called soon: the mask or the picture has changed."""

    def do(self, function: Callable[[], Any]) -> Any:
        """Call a function between two steps, and return what it returns."""

    def post(self, function: Callable[[], Any]) -> None:
        """Have a function called between two steps, and do not wait for that."""

    def order(self, order: Order) -> None:
        """Train, pause, take one step, or go back to the start."""

    def choose(self, setting: Setting, value: Any) -> None:
        """Put a setting in force: the next step is the first that obeys it."""

    def pin(self, cell: Cell, pinned: bool) -> None:
        """Record a cell from the next step on; or no more, and forget its record."""

    def bet(self, claim: Claim) -> None:
        """Let the predicted cells be a bet on this claim."""

    def code(self) -> str:
        """Return masks and choices as a line of text."""

    def link(self) -> str:
        """Return the address at which the site opens that line; "" if there is none."""

    def paste(self, line: str) -> str | None:
        """Put in force what a line says; return a remark on it, or None."""


class Grid(Protocol):
    """A grid that is painted on: what Nobody asks of it, whose driver it is."""

    values: np.ndarray  # as it was made: what a closed one shows

    @property
    def frozen(self) -> np.ndarray:
        """The painted mask, bool (rows, columns)."""

    @property
    def applied(self) -> dict[str, int]:
        """Browser -> its last operation that the mask holds."""

    def publish(self, full_speed: bool = False) -> float | None:
        """Show how things stand, if it is time; return when to come back, in seconds, or None.

        At `full_speed` training is to lose as little time by it as can be."""


class FrontEnd(Grid, Protocol):
    """Whoever shows a run: what a Session asks of its panel, from the training thread mostly."""

    speed: float | None  # steps a second; None for as fast as it goes
    status: str

    @property
    def unwatched(self) -> float:
        """Seconds for which nobody has looked on; 0 where that cannot be known."""

    def turn_to(self, mask: Any, bets: Any) -> None:
        """Show another page: paint on this PaintedMask, and predictions on that one."""

    def changed(self) -> None:
        """Say that the picture is out of date, and see to it."""

    def mark_stale(self) -> None:
        """Say that the picture is out of date; the next `publish` shows another."""

    def report(self, at_once: bool, **facts: Any) -> None:
        """Tell observers `step`, `loss` and `accuracy`."""

    def show_status(self, status: str) -> None:
        """Show "training", "paused", "failed" or "closed"."""

    def show_stations(self, stations: list[dict]) -> None:
        """Show what happens where in the next step."""

    def show_knobs(self, numbers: dict[str, float]) -> None:
        """Show at which numbers the knobs stand; those that are missing, the optimizer lacks."""

    def tell(self, error: str, calm: bool = False) -> None:
        """Show a sentence where the person looks; an empty one takes away what stands there, and a
        calm one is no error."""

    def offer(self, name: str, pairs: list[tuple[str, str]]) -> None:
        """Have a list offer other choices: (value, label) each."""

    def hand_over(self, driver: "Driver") -> None:
        """Let another Driver stand behind the grid."""


class Nobody(Driver):
    """The driver of a grid that nobody trains: it shows what the painter was made with."""

    reason = "Nobody trains this grid. Make a Playground, whose panel has a trainer."

    def __init__(self, painter: Grid):
        self.painter = painter

    def snapshot(self) -> Snapshot:
        """Return the painter's own values, and its mask as it is painted."""
        # `applied` is read first, so that the mask holds at least every operation that it names.
        applied, values = self.painter.applied, self.painter.values
        nothing = np.zeros(values.shape, bool)
        return Snapshot(
            values=values,
            initial=values,
            held=values,
            moved_bits=nothing,
            frozen=self.painter.frozen,
            leaked=nothing,
            predicted=nothing,
            applied=applied,
            curve=np.zeros((2, 0), np.float32),
            accuracies=np.zeros((1, 0), np.float32),
            traces=b"",
            header={},
        )

    def wake(self):
        """Publish at once."""
        self.painter.publish()

    def do(self, function):
        """Call it: there are no steps to wait for."""
        return function()

    def post(self, function):
        """Call it: there are no steps to wait for."""
        function()

    def choose(self, setting, value):
        """Do nothing: there is no step that would obey."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise RuntimeError(self.reason)

    order = pin = bet = code = link = paste = _refuse


class Closed(Nobody):
    """The driver of a playground that is closed: whoever still holds its painter sees what that was
    made with, and can change no setting."""

    reason = "This playground is closed. Run its cell again for a new one."

    do = post = Nobody._refuse
