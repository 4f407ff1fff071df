"""The panel: the playground's one widget, a painter with the controls of a training run."""

import functools
import time
from typing import ClassVar

import traitlets

from helpers.names import known
from helpers.playground.orders import OF_A_RUN
from helpers.playground.painter import Painter
from helpers.playground.settings import (
    KNOBS,
    SETTINGS,
    SPEEDS,
    Choices,
    Chosen,
    Controls,
    Speed,
    Turned,
    known_controls,
)

REPORT_SECONDS = 0.2


class Panel(Painter):
    """A Painter with controls; each of them can also be set, observed and linked from Python.

    values    as for Painter, as what stands under `painter` is
    choices   list -> [(value, label), …]: what the lists "technique", "optimizer" and "page"
              offer, at least one each. It may change at any time
    controls  the tools that are shown, of `settings.CONTROLS`; None = `settings.FEW`
    stations  what happens where in a step, as dicts; see `stations.describe_step`
    goals     what the page asks somebody to do, as sentences; a frame says which are reached
    painter   driver, mask, cell_names and unheard of a Painter, and
    overlays  arrays to view in place of the weights; see `overlays.on_screen`
    chosen    list -> value to begin with; the first one where nothing is said

    `technique`, `optimizer`, `page`, `speed` (steps a second, or None for as fast as it goes) and
    the knobs `rate`, `momentum` and `decay` (a number, or None where the optimizer does not have
    it) come into force before the next step, whoever sets them; when the assignment returns, they
    are.
    What is unknown raises TraitError and changes nothing. `status`, `step`, `loss` and `accuracy`
    say how training goes; the last three five times a second at most, and whenever it pauses.
    """

    operations: ClassVar = {**Painter.operations, **OF_A_RUN}
    technique = Chosen().tag(sync=True)
    optimizer = Chosen().tag(sync=True)
    page = Chosen().tag(sync=True)
    speed = Speed(200).tag(sync=True)
    rate = Turned(None).tag(sync=True)
    momentum = Turned(None).tag(sync=True)
    decay = Turned(None).tag(sync=True)
    choices = Choices().tag(sync=True)
    controls = Controls().tag(sync=True)
    stations: traitlets.List = traitlets.List().tag(sync=True)
    goals: traitlets.List = traitlets.List(traitlets.Unicode()).tag(sync=True)
    overlays: traitlets.List = traitlets.List().tag(sync=True)
    step = traitlets.Int(0, read_only=True)
    loss = traitlets.Float(None, allow_none=True, read_only=True)
    accuracy = traitlets.Float(None, allow_none=True, read_only=True)

    def __init__(self, values, choices, controls=None, *, stations=(), goals=(), **more):
        first = {name: pairs[0][0] for name, pairs in choices.items()}
        chosen = {name: more.pop(name) for name in SETTINGS if name in more}
        knobs = dict.fromkeys(KNOBS)
        self.in_force, self._reported = {**first, "speed": 200, **knobs, **chosen}, 0.0
        traits = {"choices": {**choices, "speed": SPEEDS}, "stations": list(stations)}
        traits["goals"] = list(goals)
        traits["controls"] = known_controls(controls)
        super().__init__(values, **more, **traits, **self.in_force)

    # --- settings --------------------------------------------------------------------------

    def choose(self, name, value):
        """Choose a technique, an optimizer, a page or a speed, or turn a knob, as an assignment.

        What is chosen already is chosen anew: an optimizer then starts with empty state.
        """
        known("setting", name, SETTINGS)
        if value == getattr(self, name):
            self.driver.do(functools.partial(self._settle, name))
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
            self.driver.do(functools.partial(self._settle, change.name))
        except Exception as error:
            setattr(self, change.name, self.in_force[change.name])
            self.tell(str(error))
            raise

    def _settle(self, name):
        """Between two steps: put in force what a setting says now."""
        value = getattr(self, name)
        self.driver.choose(name, value)
        self.in_force[name] = value

    # --- what the browser asks for ---------------------------------------------------------

    def set_state(self, sync_data):
        """Take a setting that a link in the browser has set: as if it had been chosen from a list.

        Else this would happen under ipywidgets' own hold on notifications, which is not made for
        a second thread.
        """
        settings = {name: value for name, value in sync_data.items() if name in SETTINGS}
        for name, value in settings.items():
            self.show_failure(self.post, self.choose_or_tell, name, value)

    def choose_or_tell(self, name, value):
        """Choose, or let the browsers know again what is chosen, which one of them got wrong."""
        try:
            self.choose(name, value)
        except Exception:
            self.send_state(name)
            raise

    def post(self, function, *values):
        """Have something done between two steps, without waiting for it: an operation is carried
        out under the link's lock, for which the training thread may be waiting."""
        self.driver.post(functools.partial(self._obey, function, *values))

    def _obey(self, function, *values):
        self.tell("")
        function(*values)

    def send_answer(self, kind, ask, *values):
        """Send the browsers what a function answers, a text or None."""
        self.send({"kind": kind, "text": ask(*values) or ""})

    # --- how training goes -----------------------------------------------------------------

    def show_stations(self, stations):
        """Show what happens where in the next step; see `stations.describe_step`."""
        self.stations = stations

    def show_knobs(self, numbers):
        """Show at which numbers the knobs stand; those that are missing, the optimizer lacks."""
        self.in_force.update({name: numbers.get(name) for name in KNOBS})
        for name in KNOBS:
            setattr(self, name, self.in_force[name])

    def report(self, at_once=False, **facts):
        """Set `loss`, `accuracy` and `step`, if the last time is long enough ago or `at_once`."""
        now = time.perf_counter()
        if at_once or now - self._reported >= REPORT_SECONDS:
            self._reported = now
            for name, value in facts.items():
                self.show_failure(self.set_trait, name, value)  # one of somebody's observer
