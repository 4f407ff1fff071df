"""A verdict of the leak laboratory in a playground, paused before the step in which it happens."""

import numpy as np

from helpers.device import keras
from helpers.leaks import regression
from helpers.leaks.rehearsal import Rehearsal
from helpers.leaks.run import named
from helpers.leaks.situations import SITUATIONS
from helpers.leaks.verdicts import Verdict
from helpers.names import known
from helpers.optimizers import LISTED, NAMES
from helpers.playground import tasks
from helpers.playground.playground import Playground
from helpers.playground.settings import FEW
from helpers.techniques import TECHNIQUES


def replay(which, techniques=None, optimizers=(), controls=None):
    """Return a Playground in which a verdict's run is paused before the step that does the harm.

    `which` is a Verdict of `leaks.judge`, or (technique, optimizer, situation) by their names. If
    techniques or optimizers of your own were judged, pass them as you passed them to `judge`:
    `techniques` is a dict from names to Techniques, `optimizers` a list. `controls` are those of
    `Playground`; without them there is "step" beside the usual few. The playground's `outlook` says
    what its next step will do. ValueError: an unknown name, or settings that the optimizer refuses,
    as in the verdict.
    """
    names = which
    if isinstance(which, Verdict):
        names = which.technique, which.optimizer, which.situation
    technique, optimizer, situation = names
    recipes, of_own = techniques or TECHNIQUES, {named(one)[0]: one for one in optimizers}
    known("technique", technique, recipes, "Pass techniques={name: Technique} if it is your own.")
    known("optimizer", optimizer, [*of_own, *NAMES], "Pass optimizers=[…] if it is your own.")
    known("situation", situation, SITUATIONS)
    recipe = technique if recipes[technique] is TECHNIQUES.get(technique) else recipes[technique]
    return Replay(recipe, of_own.get(optimizer, optimizer), situation, controls)


class Replay(Playground):
    """The small regression on which leaks are judged, paused before the step that does the harm.

    technique  as for Playground; optimizer as for `leaks.judge`; situation one of `SITUATIONS`
    controls   as for Playground; None = the usual few, and "step"

    It has taken the situation's steps with nothing frozen, and then those with frozen cells in
    which nothing happens. Where nothing happens in any, it stands before the first of them. Pinned
    are the first cell that comes to harm (or the first frozen one) and the nearest of the other
    kind, frozen or free. `outlook` says what the next step will do, and `harmed`, bool (rows,
    columns), to which cells: both were found by a rehearsal.
    """

    def __init__(self, technique, optimizer, situation, controls=None):
        given, model = SITUATIONS[situation], regression.drawn()
        name, listed = _optimizers(optimizer, given.options)
        controls = [*FEW, "step"] if controls is None else controls
        super().__init__(_task(model, given, listed), name, technique, 0, "cpu", None, controls)
        self._call = f"replay({(self.painter.technique, name, situation)!r})"
        try:
            rehearsal = Rehearsal(self.session.loop, model.frozen, given)
            forecast = self.session.do(rehearsal.run)
            self.outlook, self.harmed = forecast.outlook, forecast.harmed
            self._stand_before(forecast, model.frozen, given.warm)
        except BaseException:
            self.close()
            raise

    def _stand_before(self, forecast, frozen, warm):
        """Take the steps that come before the one that matters."""
        for cell in _to_watch(forecast.harmed, frozen):
            self.pin(*cell)
        self.train(warm)
        self.frozen = frozen
        self.train(forecast.steps)
        if forecast.thawed:
            self.frozen = np.zeros_like(frozen)


def _optimizers(optimizer, options):
    """Return the name of an optimizer, and all that can be chosen, by name, each with the same
    options."""
    name, plain = named(optimizer)
    listed = {**{each: named(each)[1] for each in LISTED}, name: plain}
    return name, {
        each: type(one).from_config(one.get_config() | options) for each, one in listed.items()
    }


def _task(model, situation, listed):
    """Return the regression as a task: all of its examples in every batch."""
    layer = _Layer(model, situation)
    network = keras.Sequential([keras.layers.Input(model.inputs.shape[1:]), layer])

    def batch(step):
        return model.inputs, model.targets

    grid = tasks.ONE_PAGE, regression.SHAPE
    task = tasks.Task(network, layer.kernel, batch, model.loss, *grid, rates={}, listed=listed)
    return tasks.of_kind(task, ("regression", situation.penalty, situation.nan))


class _Layer(keras.layers.Layer):
    """The regression as a layer; its kernel is all that trains."""

    def __init__(self, model, situation):
        super().__init__(dtype="float32")
        self._regression, self._nan = model, situation.nan
        penalty = keras.regularizers.L2(situation.penalty) if situation.penalty else None
        self.kernel = self.add_weight(regression.SHAPE, name="kernel", regularizer=penalty)
        self.kernel.assign(model.kernel)

    def call(self, inputs):
        """Return the outputs for (examples, 6) inputs: (examples, 4)."""
        return self._regression.outputs(self.kernel.value, inputs, self._nan)


def _to_watch(harmed, frozen):
    """Return the first harmed cell, or else the first frozen one, and the nearest of the other
    kind."""
    first = tuple(np.argwhere(harmed if harmed.any() else frozen)[0])
    others = np.argwhere(frozen != frozen[first])
    nearest = np.abs(others - first).sum(1).argmin()
    return first, tuple(others[nearest])
