"""One random run of a freezable optimizer beside the plain one, compared bit for bit."""

import functools
import inspect
import os
import random
from dataclasses import dataclass, field

import hypothesis
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers.bits import BITS, changed_bits
from helpers.device import keras, tf
from helpers.freezing import freezable, slots

K = keras.optimizers
MULTI = getattr(K, "MultiOptimizer", None)  # an older Keras has none
WRAPPERS = {K.LossScaleOptimizer, MULTI}
WRAPPED = ["scale", "multi"] if MULTI else ["scale"]


def takes_a_step(cls):
    """Whether this Keras can: Muon of Keras 3.12 asks TensorFlow's variables for their path."""
    try:
        cls(name="tried").apply([tf.ones((2, 2))], [keras.Variable(np.ones((2, 2), "float32"))])
    except AttributeError:
        return False
    return True


CLASSES = [
    cls
    for _, cls in inspect.getmembers(K, inspect.isclass)
    if issubclass(cls, K.Optimizer) and cls is not K.Optimizer and cls not in WRAPPERS
    if takes_a_step(cls)
]
OPTIONS = {
    K.SGD: [{"momentum": 0.9}, {"momentum": 0.9, "nesterov": True}],
    K.RMSprop: [{"momentum": 0.9, "centered": True}],
    K.Adam: [{"amsgrad": True}],
    K.Ftrl: [{"l1_regularization_strength": 0.01, "l2_shrinkage_regularization_strength": 0.1}],
}
CLIPS = [{}, {"clipnorm": 0.1}, {"global_clipnorm": 0.1}, {"clipvalue": 0.1}]
AVERAGES = [
    {"use_ema": True, "ema_momentum": 0.5, "ema_overwrite_frequency": 2},
    {"use_ema": True, "ema_momentum": 0.5},
]
SPECIAL = [-0.0, np.inf, -np.inf, np.nan, 1e-7]


def path_of(variable):
    return getattr(variable, "path", "")


@dataclass(frozen=True)
class Case:
    """Everything that one random run is made of; `seed` fixes the numbers."""

    base: type
    options: dict = field(default_factory=dict)
    shapes: tuple = ((3, 4), (4,))
    dtype: str = "float32"
    wrapper: str = ""
    constraint: bool = False
    sparse: bool = False
    poison: bool = True
    special: bool = False
    missing: bool = False
    schedule: tuple = ("some", "same", "some", "none")
    on_thaw: str = "keep"
    seed: int = 0


@st.composite
def cases(draw, classes=CLASSES):
    base = draw(st.sampled_from(classes))
    options = dict(draw(st.sampled_from([{}, *OPTIONS.get(base, [])])))
    options |= draw(st.sampled_from(CLIPS)) | draw(st.sampled_from([{}, {}, *AVERAGES]))
    options |= draw(st.sampled_from([{}, {}, {"weight_decay": 0.1}]))
    options |= draw(st.sampled_from([{}, {}, {"gradient_accumulation_steps": 2}]))
    options |= draw(st.sampled_from([{}, {}, {"loss_scale_factor": 8.0}]))
    options |= draw(st.sampled_from([{}, {}, {"learning_rate": "schedule"}]))
    shape = tuple(draw(st.lists(st.integers(1, 4), max_size=4)))
    return Case(
        base,
        options,
        draw(st.sampled_from([(shape,), (shape, (3,)), (shape, (2, 3))])),
        draw(st.sampled_from(["float32", "float32", "float64", "float16", "bfloat16"])),
        draw(st.sampled_from(["", "", "", *WRAPPED])),
        *(draw(st.integers(0, odds)) == 0 for odds in (1, 3, 1, 2, 7)),
        tuple(
            draw(st.lists(st.sampled_from(["some", "same", "all", "none"]), min_size=2, max_size=3))
        ),
        "keep"
        if issubclass(base, tuple(slots.NO_RESET))
        else draw(st.sampled_from(["keep", "reset"])),
        draw(st.integers(0, 2**32 - 1)),
    )


def make(case, wrap=lambda cls: cls):
    options = dict(case.options)
    if options.get("learning_rate") == "schedule":
        options["learning_rate"] = keras.optimizers.schedules.ExponentialDecay(0.1, 2, 0.5)
    if case.wrapper == "scale":
        return wrap(K.LossScaleOptimizer)(case.base(**options), initial_scale=4.0)
    if case.wrapper == "multi":
        return wrap(MULTI)(K.OptimizerMap(case.base(**options), {"second": K.SGD()}))
    return wrap(case.base)(**options)


class Pair:
    """The freezable optimizer and the plain one, each with variables of its own."""

    freezable = staticmethod(freezable)

    def __init__(self, case):
        self.case, self.rng = case, np.random.default_rng(case.seed)
        self.frozen = [np.zeros(shape, bool) for shape in case.shapes]
        self.values = [self.rng.normal(size=shape) for shape in case.shapes]
        self.mine, self.theirs = self.variables(), self.variables()
        self.ours, self.plain = make(case, self.freezable), make(case)
        self.ours.build(self.mine)
        self.plain.build(self.theirs)
        self.leaks = self.differences = 0

    def variables(self):
        constraint = keras.constraints.NonNeg() if self.case.constraint else None
        names = ["first", "second"]
        variables = [
            keras.Variable(value, dtype=self.case.dtype, name=name)
            for name, value in zip(names, self.values)
        ]
        for variable in variables:
            variable.constraint = constraint
        return variables

    def state(self):
        """Every variable of both sides, in one order, and the mask that holds for each."""
        ours = [v for v in self.ours.variables if v.dtype != "bool"]
        pairs = list(zip([*self.mine, *ours], [*self.theirs, *self.plain.variables], strict=True))
        return [(a, b, self.mask_of(a)) for a, b in pairs]

    def mask_of(self, variable):
        for name, frozen in zip(["first", "second"], self.frozen):
            if name in variable.path and tuple(variable.shape) == frozen.shape:
                return frozen
        return np.zeros(variable.shape, bool)

    def freeze(self, how):
        for number, variable in enumerate(self.mine):
            if how != "same":
                drawn = self.rng.random(variable.shape) < {"some": 0.5, "all": 1, "none": 0}[how]
                self.frozen[number] = np.asarray(drawn)
                self.ours.freeze_cells(variable, drawn, on_thaw=self.case.on_thaw)
            assert (self.ours.frozen_cells(variable).numpy() == self.frozen[number]).all()
            if self.case.special:
                chosen = self.rng.choice(SPECIAL, variable.shape)
                variable.assign(np.where(self.frozen[number], chosen, variable.numpy()))

    def gradients(self):
        """The same gradients for both, but for frozen cells: poison for ours, zero for plain."""
        ours, plain = [], []
        for number, (variable, frozen) in enumerate(zip(self.mine, self.frozen)):
            if number and self.case.missing:
                ours, plain = [*ours, None], [*plain, None]
                continue
            gradient, rows = self.rng.normal(size=variable.shape), None
            if self.case.sparse and gradient.ndim:
                rows = self.rng.integers(0, len(gradient), 3)
                gradient, frozen = self.rng.normal(size=(3, *variable.shape[1:])), frozen[rows]
            poison = self.rng.choice([np.nan, np.inf, 1e4, 1.0], gradient.shape)
            poison = poison if self.case.poison else gradient
            ours.append(self.tensor(np.where(frozen, poison, gradient), rows, variable))
            plain.append(self.tensor(np.where(frozen, 0, gradient), rows, variable))
        return ours, plain

    def tensor(self, values, rows, variable):
        values = tf.cast(values, self.case.dtype)
        if rows is None:
            return values
        return tf.IndexedSlices(values, tf.constant(rows), tf.constant(variable.shape.as_list()))

    def step(self, ours=None, plain=None, ulp=False):
        """Take one step on both sides from the same state, and count bits that went wrong."""
        state = self.state()
        for mine, theirs, frozen in state:
            gathered = "gradient_accumulator" in path_of(mine)
            theirs.value.assign(np.where(frozen & gathered, 0, mine) if gathered else mine.value)
        # As arrays: TensorFlow caches scalar constants by value, and takes 0.0 for -0.0 there.
        before = [np.asarray(mine.numpy()) for mine, _, _ in state]
        held = [self.held(mine, old) for old, (mine, _, _) in zip(before, state)]
        if ours is None:
            first, second = self.gradients()
            ours = functools.partial(self.ours.apply, first)
            plain = functools.partial(self.plain.apply, second)
        try:
            plain(self.theirs)
        except Exception as error:  # what Keras refuses is refused, and changes nothing
            with pytest.raises(type(error)):
                ours(self.mine)
            for old, (_, theirs, _) in zip(before, state):
                theirs.assign(old)
            held = before
        else:
            ours(self.mine)
            held = [self.gathered(mine, old) for old, (mine, _, _) in zip(held, state)]
        for old, (mine, theirs, frozen) in zip(held, state):
            if old is not None and old.dtype.itemsize in BITS:
                self.leaks += (changed_bits(old, mine.numpy()) & frozen).sum()
            if mine.dtype != "bool":
                differ = self.differ(mine.numpy(), theirs.numpy()) & ~frozen
                if ulp:  # XLA may round the last bit of a product inside a sum, or not
                    differ &= ~np.isclose(mine, theirs, rtol=1e-6, atol=1e-7, equal_nan=True)
                self.differences += differ.sum()

    def held(self, variable, old):
        """What frozen cells hold after a step, of a weight or a slot that held `old` before: the
        same; but an average is the cell itself."""
        path = path_of(variable)
        if path.endswith("_average"):
            return next(v.numpy() for v in self.mine if f"{v.name}_average" in path)
        return old

    def gathered(self, variable, held):
        """The same after the step: what was gathered has ended with its round."""
        steps = self.case.options.get("gradient_accumulation_steps")
        if steps and "gradient_accumulator" in path_of(variable):
            return held if self.ours._iterations.numpy() % steps else np.zeros_like(held)
        return held

    def differ(self, mine, theirs):
        """Which cells are not as they should be."""
        return changed_bits(mine, theirs)

    def run(self):
        for how in self.case.schedule:
            self.freeze(how)
            self.step()
        self.step(self.ours.finalize_variable_values, self.plain.finalize_variable_values)
        return int(self.leaks), int(self.differences)


CHUNKS = 4  # two in each of two files, which a runner gives to two processes


def hold(config, chunk, cases=cases, pair=Pair):
    """Draw this chunk's share of the cases (`--freezing-cases`), and run every one of them."""
    count = -(-config.getoption("freezing_cases") // CHUNKS)

    @hypothesis.seed(chunk if "CI" in os.environ else random.randrange(2**32))
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases())
    def holds(case):
        wrong = pair(case).run()
        assert wrong == (0, 0), wrong

    holds()
