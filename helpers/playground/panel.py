"""The panel: the playground's one widget, a painter with the controls of a training run."""

import functools
import time
from collections.abc import Iterable
from typing import ClassVar

import traitlets

from helpers.names import known
from helpers.playground.painter import Painter, checks

# Every tool there is, as a teacher would call it; the browser shows them in this order.
CONTROLS = (
    *("train", "step", "reset", "speed"),
    *("technique", "optimizer", "page"),
    *("freeze", "predict", "tool", "size", "undo", "invert", "clear", "presets"),
    *("pin", "view", "drawing", "share", "hints"),
)
SPEEDS = (
    (1, "1 step a second"),
    (10, "10 steps a second"),
    (200, "200 steps a second"),
    (None, "as fast as it goes, fewer pictures"),
)
SETTINGS = ("technique", "optimizer", "page", "speed")
CLAIMS = ("leak", "stay")  # what can be bet of cells: that they leak, or do not move
ORDERS = ("train", "pause", "step", "reset")
REPORT_SECONDS = 0.2
LONGEST_LINE = 2**16  # that of a mask of 512×512 cells drawn at random has 44,000 letters


def known_controls(controls):
    """Return `controls`, or every one there is for None, as a list; ValueError for other names."""
    names = CONTROLS if controls is None else controls
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise checks.refused("The controls", names, "a list of names, such as ['train', 'reset'],")
    return [known("control", name, CONTROLS) for name in names]


def _checked(check):
    """A trait's validator that turns what `check` raises into a TraitError."""

    @functools.wraps(check)
    def validate(self, panel, value):
        try:
            return check(self, panel, value)
        except (TypeError, ValueError) as error:
            raise traitlets.TraitError(str(error)) from error

    return validate


class Chosen(traitlets.Unicode):
    """One of the names that the panel's `choices` offer under the trait's own name."""

    @_checked
    def validate(self, panel, value):
        """The name, if it is offered."""
        if not isinstance(value, str):
            raise checks.refused(f"The {self.name}", value, "a name")
        return known(self.name, value, [name for name, _ in panel.choices[self.name]])


class Speed(traitlets.TraitType):
    """Steps a second, or None for as fast as it goes."""

    @_checked
    def validate(self, panel, value):
        """The speed, if it is one."""
        if value is None or (checks.is_number(value) and 0 < value < float("inf")):
            return value if value is None or isinstance(value, int) else float(value)
        wanted = "a positive number of steps a second, or None for as fast as it goes,"
        raise checks.refused("The speed", value, wanted)


class Choices(traitlets.Dict):
    """What the lists offer: a list's name -> [[value, label], …]."""

    @_checked
    def validate(self, panel, value):
        """The lists, if they are lists, and offer what is chosen now."""
        lists = {name: [_pair(pair) for pair in pairs] for name, pairs in dict(value).items()}
        for name, chosen in panel.in_force.items():
            if name != "speed":  # of which any may be chosen; the list has the usual ones
                offered = [value for value, _ in lists.get(name, [])]
                known(f"{name} in use", chosen, offered, "Offer it too, or choose another first.")
        return lists


class Controls(traitlets.List):
    """The names of the tools that are shown."""

    @_checked
    def validate(self, panel, value):
        """The names, if there are such tools."""
        return known_controls(value)


def _pair(pair):
    if len(pair) != 2:
        raise checks.refused("The choice", pair, "a pair (value, label)")
    value, label = pair
    return [value, str(label)]


class Panel(Painter):
    """A Painter with controls; each of them can also be set, observed and linked from Python.

    values    as for Painter, as `sheet` is
    choices   list -> [(value, label), …]: what the lists "technique", "optimizer" and "page"
              offer, at least one each. It may change at any time
    controls  the tools that are shown, of `CONTROLS`; None = all of them
    stations  what happens where in a step, as dicts; see `stations.describe_step`
    chosen    list -> value to begin with; the first one where nothing is said

    `technique`, `optimizer`, `page` and `speed` (steps a second, or None for as fast as it goes)
    come into force before the next step, whoever sets them; when the assignment returns, they are.
    What is unknown raises TraitError and changes nothing. `status`, `step`, `loss` and `accuracy`
    say how training goes; the last three five times a second at most, and whenever it pauses.

    Whoever trains replaces these, beside what a Painter has replaced: `orders`, a function for
    each of `ORDERS`; `put_in_force(name, value)`, for a setting; `pin(cell, pinned)`, for a cell
    (page, row, column); `bet(claim)`, for what is predicted, of `CLAIMS`; `code()`, which returns
    what is here as a line of text, and `paste(line)`, which puts one in force and returns a remark
    or None; `run(function)`, which calls it between two steps and waits for that, and
    `post(function)`, which does not wait.
    """

    technique = Chosen().tag(sync=True)
    optimizer = Chosen().tag(sync=True)
    page = Chosen().tag(sync=True)
    speed = Speed(200).tag(sync=True)
    choices = Choices().tag(sync=True)
    controls = Controls().tag(sync=True)
    stations: traitlets.List = traitlets.List().tag(sync=True)
    step = traitlets.Int(0, read_only=True)
    loss = traitlets.Float(None, allow_none=True, read_only=True)
    accuracy = traitlets.Float(None, allow_none=True, read_only=True)

    def __init__(self, values, choices, controls=None, sheet=None, stations=(), **chosen):
        self.orders, self.put_in_force = dict.fromkeys(ORDERS, _nobody), lambda name, value: None
        self.pin = self.bet = self.code = self.paste = _nobody
        self.run = self.post = lambda function: function()
        first = {name: pairs[0][0] for name, pairs in choices.items()}
        self.in_force, self._reported = {**first, "speed": 200, **chosen}, 0.0
        traits = {"choices": {**choices, "speed": SPEEDS}, "stations": list(stations)}
        traits["controls"] = known_controls(controls)
        super().__init__(values, sheet=sheet, **traits, **self.in_force)

    # --- settings --------------------------------------------------------------------------

    def choose(self, name, value):
        """Choose a technique, an optimizer, a page or a speed, as an assignment does.

        What is chosen already is chosen anew: an optimizer then starts with empty state.
        """
        known("setting", name, SETTINGS)
        if value == getattr(self, name):
            self.run(functools.partial(self._settle, name))
        else:
            setattr(self, name, value)

    def offer(self, name, pairs):
        """Have a list offer other choices: (value, label) each, what is chosen now among them."""
        self.choices = {**self.choices, known("list", name, self.choices): pairs}

    @traitlets.observe(*SETTINGS)
    def _set(self, change):
        """Put a setting in force, or take it back and say why."""
        if change.new == self.in_force[change.name]:
            return
        try:
            self.run(functools.partial(self._settle, change.name))
        except Exception as error:
            setattr(self, change.name, self.in_force[change.name])
            self.error = str(error)
            raise

    def _settle(self, name):
        """Between two steps: put in force what a setting says now."""
        value = getattr(self, name)
        self.put_in_force(name, value)
        self.in_force[name] = value

    # --- what the browser asks for ---------------------------------------------------------

    def set_state(self, sync_data):
        """Take a setting that a link in the browser has set: as if it had been chosen from a list.

        Else this would happen under ipywidgets' own hold on notifications, which is not made for
        a second thread.
        """
        settings = {name: value for name, value in sync_data.items() if name in SETTINGS}
        for name, value in settings.items():
            self.show_failure(self._order, self._choose_or_tell, name, value)

    def _choose_or_tell(self, name, value):
        """Choose, or let the browsers know again what is chosen, which one of them got wrong."""
        try:
            self.choose(name, value)
        except Exception:
            self.send_state(name)
            raise

    def _order(self, function, *values):
        """Have something done between two steps, without waiting for it: an operation is carried
        out under the link's lock, for which the training thread may be waiting."""
        self.post(functools.partial(self._obey, function, *values))

    def _obey(self, function, *values):
        self.error = ""
        function(*values)

    def _give_order(self, message, _):
        self._order(self.orders[message["kind"]])

    def _give_choice(self, message, _):
        name = checks.text(message, "name")
        self._order(self._choose_or_tell, known("setting", name, SETTINGS), message.get("value"))

    def _give_pin(self, message, _):
        rows, columns = self.shape_of_grid
        cell = checks.whole(message, "cell", high=rows * columns)
        page = known("page", checks.text(message, "page"), dict(self.choices["page"]))
        self._order(self.pin, (page, *divmod(cell, columns)), checks.truth(message, "pinned"))

    def _give_bet(self, message, _):
        self._order(self.bet, known("claim", checks.text(message, "claim"), CLAIMS))

    def _give_code(self, *_):
        self._order(self._tell, "code", self.code)

    def _give_paste(self, message, _):
        self._order(self._tell, "pasted", self.paste, checks.text(message, "line", LONGEST_LINE))

    def _tell(self, kind, ask, *values):
        """Send the browsers what a function answers."""
        self.send({"kind": kind, "text": ask(*values) or ""})

    operations: ClassVar = {
        **Painter.operations,
        **dict.fromkeys(ORDERS, _give_order),
        "pin": _give_pin,
        "choose": _give_choice,
        "bet": _give_bet,
        "share": _give_code,
        "paste": _give_paste,
    }

    # --- how training goes -----------------------------------------------------------------

    def report(self, at_once=False, **facts):
        """Set `loss`, `accuracy` and `step`, if the last time is long enough ago or `at_once`."""
        now = time.perf_counter()
        if at_once or now - self._reported >= REPORT_SECONDS:
            self._reported = now
            for name, value in facts.items():
                self.show_failure(self.set_trait, name, value)  # one of somebody's observer


def _nobody(*_):
    raise RuntimeError("Nobody trains this grid. Make a Playground, whose panel has a trainer.")
