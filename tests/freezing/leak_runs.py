"""Random runs with a leak check, and for each step the way in that is known because it was tried.

A run trains a small kernel by a recipe of the course, through the step that everybody takes. Before
each step its state is noted, so that the step can be taken once more without weight decay, without
the average, without what the slots hold, … What changes the outcome of a frozen cell is a way in.
"""

import contextlib
import warnings
from dataclasses import dataclass

import numpy as np

from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.freezing import LeakCheck, freezable
from helpers.step import Cells, training_step
from helpers.techniques import TECHNIQUES

K = keras.optimizers
SHAPE = (4, 6)
OPTIMIZERS = {
    "sgd": (K.SGD, {}),
    "momentum": (K.SGD, {"momentum": 0.9}),
    "nesterov": (K.SGD, {"momentum": 0.9, "nesterov": True}),
    "adam": (K.Adam, {}),
    "amsgrad": (K.Adam, {"amsgrad": True}),
    "adamw": (K.AdamW, {"weight_decay": 0.1}),
    "rmsprop": (K.RMSprop, {}),
    "rmsprop with momentum": (K.RMSprop, {"momentum": 0.9}),
    "nadam": (K.Nadam, {}),
    "adamax": (K.Adamax, {}),
    "lion": (K.Lion, {}),
    "adagrad": (K.Adagrad, {}),
}
AVERAGES = [{}, {}, {"use_ema": True, "ema_momentum": 0.9}]
AVERAGES += [{"use_ema": True, "ema_momentum": 0.9, "ema_overwrite_frequency": 2}]
CLIPS = [{}, {}, {"clipnorm": 0.1}, {"global_clipnorm": 0.1}, {"clipvalue": 0.1}]
CONSTRAINTS = [None, None, None, keras.constraints.NonNeg(), keras.constraints.MaxNorm(1.0)]
SPECIAL = [-0.0, 0.0, np.inf, -np.inf, np.nan, -np.nan, 1e-45]


@dataclass(frozen=True)
class Plan:
    """What a run is made of; all of it follows from `seed`."""

    seed: int
    technique: str
    optimizer: str
    options: dict
    warm: int
    steps: int
    constraint: object
    regularizer: bool
    nan: bool
    special: bool
    dtype: str


def plan(seed):
    draw = np.random.default_rng(seed)

    def one_of(things):
        return things[draw.integers(len(things))]

    options = one_of(AVERAGES) | one_of(CLIPS) | one_of([{}, {}, {"weight_decay": 0.1}])
    return Plan(
        seed,
        one_of([name for name, one in TECHNIQUES.items() if not one.values]),  # in no variable
        one_of(list(OPTIMIZERS)),
        options,
        warm=one_of([0, 3]),
        steps=int(draw.integers(1, 5)),
        constraint=one_of(CONSTRAINTS),
        regularizer=one_of([False, False, True]),
        nan=one_of([False] * 5 + [True]),
        special=one_of([False] * 5 + [True]),
        dtype=one_of(["float32", "float32", "float64", "float16", "bfloat16"]),
    )


class Run:
    """A run of a plan, whose steps are compared one by one."""

    def __init__(self, plan):
        self.plan, draw = plan, np.random.default_rng(plan.seed)
        sizes = (8, SHAPE[0]), (SHAPE[1], 3), (8, 3)
        self.inputs, self.readout, self.targets = [
            tf.constant(draw.normal(size=size), plan.dtype) for size in sizes
        ]
        self.frozen = draw.permutation(SHAPE[0] * SHAPE[1]).reshape(SHAPE) % 2 == 0
        self.variable = keras.Variable(draw.normal(size=SHAPE), dtype=plan.dtype, name="kernel")
        self.technique = TECHNIQUES[plan.technique]
        cls, options = OPTIMIZERS[plan.optimizer]
        cls = freezable(cls) if self.technique.exact else cls
        self.optimizer = cls(0.01, **options | plan.options)
        self.optimizer.build([self.variable])
        self.regularizer = keras.regularizers.L2(0.05) if plan.regularizer else None
        self.holds_gradient = False
        self.warm_up()
        self.freeze(draw)

    def warm_up(self):
        """Steps in which every cell trains."""
        technique, self.technique = self.technique, TECHNIQUES["none"]
        self.mask = tf.zeros(SHAPE, bool)
        for _ in range(self.plan.warm):
            self.step()
        self.technique = technique

    def freeze(self, draw):
        if self.plan.special:
            there = self.frozen & (draw.random(SHAPE) < 0.3)
            special = draw.choice(SPECIAL, SHAPE).astype("float32")
            self.variable.assign(np.where(there, special, self.variable.numpy()))
        self.variable.constraint = self.plan.constraint
        self.variable.regularizer = self.regularizer
        self.mask, self.shadow = tf.constant(self.frozen), tf.identity(self.variable.value)
        if self.technique.exact:
            self.optimizer.freeze_cells(self.variable, self.frozen)

    shadow = None

    def step(self):
        cells = {0: Cells(self.mask, self.shadow)}
        training_step(self.technique, [self.variable], cells, self.loss, self.apply)

    def loss(self, values):
        (kernel,) = values
        outputs = tf.tanh(self.inputs @ kernel) @ self.readout
        if self.plan.nan:  # at 0 a root is infinitely steep, and 0 times that is NaN
            outputs += tf.sqrt(0 * kernel[tuple(np.argwhere(self.frozen)[0])])
        loss = tf.reduce_mean(tf.square(outputs - self.targets))
        return loss + self.variable.regularizer(self.variable.value) if self.regularized else loss

    @property
    def regularized(self):
        return self.variable.regularizer is not None

    def apply(self, gradients):
        if self.holds_gradient:
            gradients = [tf.where(self.frozen, tf.zeros_like(g), g) for g in gradients]
        self.optimizer.apply(gradients, [self.variable])

    # The same step again, without one of the ways in

    @property
    def state(self):
        return [each.numpy() for each in [self.variable, *self.optimizer.variables]]

    @state.setter
    def state(self, values):
        for each, value in zip([self.variable, *self.optimizer.variables], values, strict=True):
            each.assign(np.asarray(value))

    def empty_slots(self):
        for slot in self.optimizer.variables:
            if tuple(slot.shape) == SHAPE and slot.dtype != "bool" and "average" not in slot.path:
                slot.assign(np.where(self.frozen, np.zeros_like(slot.numpy()), slot.numpy()))

    def again(self, state, without):
        """The kernel after another step from a state, one way in closed."""
        now, self.state = self.state, state
        owner, name, value = {
            "decay": (self.optimizer, "weight_decay", None),
            "average": (self.optimizer, "use_ema", False),
            "constraint": (self.variable, "constraint", None),
            "regularizer": (self.variable, "regularizer", None),
            "gradient": (self, "holds_gradient", True),
            "momentum": (self, "holds_gradient", False),
        }[without]
        if without == "momentum":
            self.empty_slots()
        with replaced(owner, name, value):
            self.step()
        values, self.state = self.variable.numpy(), now
        return values

    def truth(self, state, cells):
        """The ways in for these cells, and for how many of them each is the whole of what they
        moved: {way: cells}."""
        real = self.variable.numpy()[cells]

        def moved_by(way):
            other = self.again(state, way)[cells]
            far = np.abs(real.astype("float64") - other.astype("float64"))
            return np.where(changed_bits(real, other), np.nan_to_num(far, nan=1e300), 0)

        far = {way: moved_by(way) for way in ("decay", "average", "constraint", "gradient")}
        if not far["gradient"].any():  # which feeds the slots
            far["momentum"] = moved_by("momentum")
        elif self.regularized:
            alike = [self.again(state, way)[cells] for way in ("gradient", "regularizer")]
            if not changed_bits(*alike).any():
                far["regularizer"] = far.pop("gradient")
        whole = np.maximum(np.max(list(far.values()), axis=0), 1e-300)
        shares = {way: (distance / whole).sum() for way, distance in far.items()}
        return {way: share for way, share in shares.items() if share}


@contextlib.contextmanager
def replaced(owner, name, value):
    before = getattr(owner, name)
    setattr(owner, name, value)
    yield
    setattr(owner, name, before)


def judge(run):
    """Take the run's steps; yield the leaks that the check and the bits show, the check's new
    report or None, and the ways that are known."""
    held = run.variable.numpy()
    check = LeakCheck([(run.variable, run.frozen)], every="batch", optimizer=run.optimizer)
    known = np.zeros(SHAPE, bool)
    for number in range(run.plan.steps + 1):
        state, reports, last = run.state, len(check.reports), number == run.plan.steps
        if last:
            run.optimizer.finalize_variable_values([run.variable])
        else:
            run.step()
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            leaks = check.compare()[0].copy()
        bits = run.frozen & changed_bits(held, run.variable.numpy())
        new, known = bits & ~known, bits
        report = check.reports[-1] if len(check.reports) > reports else None
        truth = None
        if report is not None:
            truth = {"average": 1.0} if last else run.truth(state, new)
        yield leaks, bits, report, truth
