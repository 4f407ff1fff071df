"""What a browser and whoever owns the mask say to each other: small dicts, and some buffers.

The browser has the same in browser/messages.mjs, and a test compares the two. A client is one page
that shows the widget, under a random name; how the messages travel stands in link.py.
"""

from typing import Any, Literal, TypedDict

# --- from the browser ----------------------------------------------------------------------


class Sender(TypedDict):
    """Who speaks."""

    client: str  # the random name of the page
    seen: int  # the number of its last operation that a frame has named as applied


class Hello(Sender):
    """A page is there; it gets a frame."""

    kind: Literal["hello"]


class Shown(Sender):
    """A frame stands on the screen."""

    kind: Literal["shown"]
    frame: int  # its number


class Question(TypedDict):
    """What is the exact value of a cell? It gets one reply, a Value, or none."""

    kind: Literal["value"]
    cell: int  # its flat index: row · columns + column


class Operation(Sender):
    """A change, or an order; its kind says what else there is in it: one of those below, or of
    "undo", "redo", "invert", "clear", "train", "pause", "step", "reset" and "share", which have no
    field of their own."""

    kind: str
    seq: int  # 1, 2, 3, … for each client
    mask: int  # the number of the mask that its browser saw, as a frame has named it


class Paint(Operation):
    """Freeze or thaw cells. One buffer: their flat indexes, int32."""

    stroke: int  # all parts of one stroke have its number
    frozen: bool  # True = freeze


class Preset(Operation):
    """Freeze the "largest" weights of the grid, or cells at "random"."""

    fraction: float  # of all cells, 0 to 1


class Choose(Operation):
    """Choose a setting."""

    name: str  # of driver.Setting
    value: Any  # a name that its list offers; steps a second, or None; a knob's number


class Pin(Operation):
    """Record a cell under the microscope, or no more."""

    page: str
    cell: int  # its flat index on that page
    pinned: bool


class Bet(Operation):
    """Say what is bet of the predicted cells."""

    claim: str  # of driver.Claim


class Paste(Operation):
    """Put in force what a line of text says."""

    line: str


# --- to the browser ------------------------------------------------------------------------


class Progress(TypedDict, total=False):
    """How training goes: what a frame's header has if somebody trains."""

    step: int
    loss: float | None  # of the last step
    speed: float | None  # steps a second
    goal: int | None  # the step at which training ends, if it does
    device: str
    accuracy: dict[str, float]  # name -> share that is right of held-out data, 0 to 1
    by_page: dict[str, float | None]  # page -> the same of its own examples; None: not yet measured
    held_out: list[str]  # what `accuracies` of Planes are of
    page: str
    claim: str  # of driver.Claim
    judged: bool  # whether training has gone on since the bet was made
    leaked_at: int | None  # after how many steps a frozen cell was last seen to have changed
    goals: list[bool]  # which goals have been reached, in their order
    microscope: dict[str, Any]  # pinned cells and quantities; see Microscope.curves


class Header(Progress):
    """All of a frame but its planes."""

    frame: int  # its number
    applied: dict[str, int]  # client -> its last operation that the frame holds
    mask: int  # the number of the mask that is shown
    bets: int | None  # the number of that of the bets
    scale: float  # the weight that 127 stands for in `weights`
    moved_scale: float  # the distance that 255 stands for in `moved`


class Frame(Header):
    """Everything there is to see. Its buffers are the planes, in the order of their names."""

    kind: Literal["frame"]
    planes: list[str]  # keys of Planes


class Planes(TypedDict):
    """The buffers of a frame; see planes.py."""

    weights: bytes  # int8 a cell
    moved: bytes  # uint8 a cell
    frozen: bytes  # a bit a cell
    leaked: bytes  # a bit a cell
    predicted: bytes  # a bit a cell
    curve: bytes  # float32: steps, then their losses
    accuracies: bytes  # float32: steps, then the share that is right of each of `held_out`
    traces: bytes  # float32; see Microscope.curves


class Value(TypedDict):
    """The reply to a Question."""

    kind: Literal["value"]
    cell: int
    name: str  # what it is called on screen
    value: str  # nine digits, which tell every float32 from its neighbours
    was: str  # the same of what it held when it was frozen; of a free cell, before the first step


class Text(TypedDict):
    """The reply to "share", a line of text and maybe a link to it, or to "paste", a remark or
    nothing."""

    kind: Literal["code", "link", "pasted"]
    text: str
