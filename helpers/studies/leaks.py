"""The leak laboratory: techniques against optimizers, in situations in which frozen cells escape.

`judge` computes every verdict by bits, in a small run of its own; `leak_matrix` shows them.
"""

import functools
import itertools
import math
from dataclasses import dataclass

import numpy as np
from IPython import get_ipython
from IPython.display import display
from tqdm import tqdm
from tqdm.notebook import tqdm as tqdm_notebook

from helpers.bits import changed_bits, ulps
from helpers.device import keras, tf
from helpers.freezing import freezable
from helpers.names import known
from helpers.optimizers import LISTED, plain_optimizer
from helpers.packing import Packed
from helpers.step import training_step
from helpers.studies import regression
from helpers.studies.regression import SHAPE
from helpers.techniques import TECHNIQUES, Technique, where_gradient
from helpers.views import view_of

STEPS = 4  # with the mask in force


@dataclass(frozen=True)
class Verdict:
    """How many of the watched cells (`of`) escaped or were harmed in one run (`cells`), and the
    largest drift among them in units in the last place (`ulps`: an int, or inf).

    `note` says more, if there is more to say. A run that TensorFlow or Keras refuses (a
    TypeError, ValueError or OpError) has cells None, and says why.
    """

    technique: str
    optimizer: str
    situation: str
    cells: int | None
    of: int = 0
    ulps: int | float | None = None
    note: str | None = None

    @property
    def holds(self):
        """Whether the run was possible and did no watched cell any harm."""
        return self.cells == 0


class _Contender:
    """An optimizer under test, and what its runs have in common, computed once."""

    def __init__(self, optimizer):
        self.name, self._plain = named(optimizer)
        self.warmed = functools.cache(self._warmed)
        self.wanted = functools.cache(self._wanted)

    def make(self, exact, **options):
        """Such an optimizer, not built, with some options of its own."""
        kind = freezable(type(self._plain)) if exact else type(self._plain)
        return kind.from_config(self._plain.get_config() | options)

    def _warmed(self, exact, steps, **options):
        """The state of a run after steps in which every cell trained, and no recipe was at work."""
        run = _run(Technique("free", exact=exact), self, **options)
        run.freeze(np.zeros(SHAPE, bool))
        run.train(steps)
        return run.state()

    def _wanted(self, **options):
        """The values after a step in which the gradient of frozen cells is 0."""
        return _run(Technique("reference", gradient=where_gradient), self, **options).train(1)


class _Run:
    """A small regression in float32: trained freely for `warm` steps, then frozen by a recipe (a
    Technique)."""

    def __init__(self, recipe, contender, warm=0, penalty=0.0, nan=False, **options):
        self.recipe, self.penalty, self.nan = recipe, penalty, nan
        self.model = regression.drawn()
        self.variable = keras.Variable(self.model.kernel, dtype="float32", name="kernel")
        self.frozen = self.model.frozen
        self.optimizer = contender.make(recipe.exact, **options)
        self.optimizer.build([self.variable])
        self.variables = [self.variable, *self.optimizer.variables]
        if warm:
            options |= {"penalty": penalty, "nan": nan}
            self.load(contender.warmed(recipe.exact, warm, **options))
        self.freeze(self.frozen)

    @property
    def trained(self):
        """The variable that trains, which a regularizer reads."""
        return self.variable

    def freeze(self, frozen):
        self.mask, self.shadow = tf.constant(frozen), tf.identity(self.variable.value)
        if self.recipe.exact:
            self.optimizer.freeze_cells(self.variable, frozen)

    def train(self, steps):
        """Take steps of a plain training loop, the recipe at its place; return the values."""
        for _ in range(steps):
            training_step(
                self.recipe, [self.variable], 0, self.mask, self.loss, self.apply, self.shadow
            )
        return self.values()

    def loss(self, values):
        (seen,) = values
        outputs = self.model.outputs(seen, self.model.inputs, self.nan)
        loss = self.model.loss(self.model.targets, outputs)
        if self.penalty:
            loss += self.penalty * tf.reduce_sum(tf.square(self.trained.value))
        return loss

    def apply(self, gradients):
        self.optimizer.apply(gradients, [self.variable])

    def finalize(self):
        """Do what Keras does at the end of `fit`: averages overwrite the weights."""
        self.optimizer.finalize_variable_values([self.variable])

    def values(self):
        """What the model computes with."""
        shown = self.recipe.act("shadow", self.shadow, self.variable.value, frozen=self.mask)
        return shown.numpy()

    def state(self):
        return [variable.numpy() for variable in self.variables]

    def held(self):
        """The state, but that the average of a cell which does not move is the cell."""
        weights, *slots = self.state()
        averages = (each.name.endswith("_average") for each in self.optimizer.variables)
        pairs = zip(slots, averages, strict=True)
        return [weights, *(weights if average else slot for slot, average in pairs)]

    def load(self, state):
        for variable, value in zip(self.variables, state, strict=True):
            variable.assign(value)


class _PackedRun(_Run):
    """The same for a recipe that trains the free values alone: from each freeze on, a new vector of
    them trains, with a new optimizer that takes over what the last one remembers of them."""

    packed = None  # while steps are taken with one mask

    @property
    def trained(self):
        return self.packed.free

    def freeze(self, frozen):
        self._unpack()
        super().freeze(frozen)

    def train(self, steps):
        if self.packed is None:
            room = np.count_nonzero(~self.mask.numpy())
            self.packed = Packed(self.variable, [self.variable], self.optimizer, room)
            self.packed.pack(self.mask.numpy())
            self.places = tf.where(~self.mask)
        for _ in range(steps):
            variables, held = self.packed.variables, self.variable.value
            settings = self.mask, self.loss, self.apply, held, self.places
            training_step(self.recipe, variables, 0, *settings)
        return self.values()

    def apply(self, gradients):
        self.packed.optimizer.apply(gradients, self.packed.variables)

    def finalize(self):
        self.packed.optimizer.finalize_variable_values(self.packed.variables)

    def values(self):
        if self.packed is None:
            return self.variable.numpy()
        held, free = self.variable.value, self.packed.free.value
        return self.recipe.values(held, self.places, free).numpy()

    def state(self):
        self._unpack()
        return super().state()

    def load(self, state):
        self._unpack()
        super().load(state)

    def _unpack(self):
        if self.packed is not None:
            self.packed.unpack()
            self.packed = None


def _run(recipe, *setting, **options):
    """The run of a recipe, a Technique."""
    return (_PackedRun if recipe.values else _Run)(recipe, *setting, **options)


# Each returns the watched cells, the values that they should have, those that they have, a note.


def _moved(*setting, **options):
    run = _run(*setting, **options)
    held, trained = run.values(), run.train(STEPS)
    run.finalize()
    values = run.values()
    wanted = np.where(run.frozen | ~np.isfinite(values), held, values)
    watched = run.frozen | run.nan
    late = not changed_bits(wanted, trained)[watched].any()
    note = "only in finalize_variable_values, after the last step" if late else None
    return watched, wanted, values, note


def _influenced(recipe, contender, **options):
    run = _run(recipe, contender, **options)
    return ~run.frozen, contender.wanted(**options), run.train(1), None


def _landed(*setting, **options):
    run = _run(*setting, **options)
    held = run.held()
    run.train(STEPS)
    run.freeze(np.zeros(SHAPE, bool))
    now, landed = run.state(), run.train(1)
    run.load([with_held(h, n, run.frozen) for h, n in zip(held, now)])
    return run.frozen, run.train(1), landed, None


def with_held(held, now, frozen):
    """Return what a variable holds `now`, but as it was `held` where it has something of a frozen
    cell: arrays of the variable's shape, bool of the kernel's shape, True = frozen."""
    of_cells = now.shape == SHAPE and now.dtype == np.float32
    return np.where(frozen, held, now) if of_cells else now


AVERAGED = {"use_ema": True, "ema_momentum": 0.9, "ema_overwrite_frequency": 2, "warm": 3}
SITUATIONS = {  # how cells are counted, what the run and its optimizer are given
    "cold": (_moved, {}),
    "warm": (_moved, {"warm": 3}),
    "decay": (_moved, {"weight_decay": 0.1}),
    "EMA": (_moved, AVERAGED),
    "L2": (_moved, {"penalty": 0.01}),
    "clipping": (_influenced, {"global_clipnorm": 0.1, "warm": 3}),
    "NaN": (_moved, {"nan": True}),
    "thaw": (_landed, {"warm": 3}),
}


def judge(techniques=None, optimizers=None, situations=None, progress=True):
    """Return a list of Verdicts, by technique, then optimizer, then situation; None = all of them,
    or of the optimizers all that a playground lists.

    Techniques are names in TECHNIQUES, or a dict from names of your own to Techniques; optimizers
    are names, or Keras optimizers or their classes. In each run half of 48 cells are frozen for 4
    steps. Watched are the frozen cells, and harmed are those of which the model sees a changed bit,
    where nothing else is said:

    cold      frozen from the first step on; so are all that are not called warm
    warm      frozen after 3 steps in which every cell trained
    decay     weight_decay=0.1
    EMA       warm; moving averages overwrite the weights every other step and after the last one
    L2        a penalty on the raw variable, as a Keras regularizer adds it
    clipping  warm, global_clipnorm=0.1; free cells whose first step is not the one that they take
              when the frozen cells' gradient is 0
    NaN       one frozen cell's gradient is NaN; free cells that are no longer finite count too
    thaw      warm, then thawed; cells whose first step leads elsewhere than it would, had they
              and their slots (momentum and the like) been held while they were frozen

    `progress` shows a bar, which goes away. Raises ValueError for unknown names.
    """
    recipes = techniques if isinstance(techniques, dict) else TECHNIQUES
    techniques = _all_known("technique", techniques, recipes)
    situations = _all_known("situation", situations, SITUATIONS)
    optimizers = LISTED if optimizers is None else optimizers
    contenders = [_Contender(optimizer) for optimizer in optimizers]
    if len({contender.name for contender in contenders}) < len(contenders):
        raise ValueError("Two optimizers have one name; tell them apart: SGD(0.1, name='slow').")
    runs = list(itertools.product(techniques, contenders, situations))
    with _bar(len(runs), progress) as bar, tf.device("/CPU:0"):
        return [_verdict(name, recipes[name], *rest, bar) for name, *rest in runs]


def _all_known(kind, names, names_known):
    if names is None:
        return list(names_known)
    return [known(kind, name, names_known) for name in names]


def named(optimizer):
    """Return the name of an optimizer (or of a class, or a name), and the optimizer, not built."""
    if isinstance(optimizer, keras.Optimizer):
        return optimizer.name, optimizer
    if isinstance(optimizer, type) and issubclass(optimizer, keras.Optimizer):
        return optimizer.__name__.lower(), optimizer()
    return str(optimizer).lower(), plain_optimizer(optimizer)


def _verdict(technique, recipe, contender, situation, bar):
    count, options = SITUATIONS[situation]
    setting = technique, contender.name, situation
    try:
        watched, wanted, values, note = count(recipe, contender, **options)
    except (TypeError, ValueError, tf.errors.OpError) as error:
        return Verdict(*setting, None, note=f"impossible: {error}")
    finally:
        bar.update()
    harmed = watched & changed_bits(wanted, values)
    far = ulps(wanted, values)[harmed].max(initial=0)
    cells, far = int(harmed.sum()), int(far) if np.isfinite(far) else math.inf
    return Verdict(*setting, cells, int(watched.sum()), far, note if cells else None)


def _bar(total, progress):
    """A progress bar that goes away; a stored notebook keeps neither its text nor its times."""
    if not progress or not hasattr(get_ipython(), "kernel"):
        return tqdm(total=total, desc="leaks", leave=False, disable=None if progress else True)
    bar = tqdm_notebook(total=total, desc="leaks", leave=False, display=False)
    display(view_of(bar.container), raw=True)
    return bar
