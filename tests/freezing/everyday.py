"""A freeze as people use Keras: one case drawn by its number, run beside plain Keras, and judged.

A small network trains, cells are frozen, it trains on, its state travels (into a file, a copy,
another optimizer), it trains on, a layer is left out for a while, cells are thawed. Frozen cells
must keep their bits all along. The judge of everything else is plain Keras that never travelled,
with the frozen cells put back after each step. What cannot hold must be refused, or warned of, in
words that name the next step.
"""

import copy
import pickle
import random
import re
import warnings
from dataclasses import dataclass, field

import numpy as np
import pytest

from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.freezing import freezable, slots
from helpers.private import gradients_forgotten, without_name
from tests.freezing.cases import CLASSES, MULTI
from tests.freezing.compact import FIT

K = keras.optimizers
NEXT_STEP = re.compile(r"[Cc]all |[Uu]se |[Mm]ake |pass |[Gg]ive|[Tt]ake|[Ll]eave")

CASES, CHUNK, FILES, QUICK = 1500, 15, 4, 30  # all; in a test; in how many files; without --all
# A traced case costs as much as three eager ones, and one that XLA compiles as much as ten.
WAYS = {"loop": 86, "loop, graph": 6, "loop, jit": 1, "fit, eager": 3, "fit": 3, "fit, jit": 1}
JOURNEYS = {
    "none": 3,
    "file": 2,
    "h5": 1,
    "weights, built": 1,
    "weights, running": 2,
    "checkpoint, fresh": 1,
    "checkpoint, built": 1,
    "checkpoint, running": 2,
    "arrays, built": 1,
    "arrays, running": 1,
    "deep copy": 1,
    "pickle": 1,
    "pickled model": 1,
    "config": 1,
    "taken over": 2,
    "taken over, other way": 2,
}
# A config has no list of what is excluded from weight decay, under plain Keras neither.
BY_CONFIG = {"file", "h5", "deep copy", "pickle", "pickled model", "config"}
CALLBACKS = ["none", "none", "swap", "swap on epoch", "checkpoint", "rate", "finite", "stopping"]


@dataclass
class Case:
    """One case. `options` are those of the optimizer; masks and data come from `number`."""

    number: int
    base: type
    way: str = "loop"
    journey: str = "none"
    compact: bool = False
    wrapper: str = ""
    policy: str = "float32"
    words: bool = False
    warm: bool = True
    callback: str = "none"
    thaw: str = "keep"
    options: dict = field(default_factory=dict)
    exclude: bool = False
    pause: bool = False

    @property
    def is_judged(self):
        """Whether free cells must be those of plain Keras: no cell reaches others by a norm, and
        Keras gives no variable the average of another, as it does where one is left out."""
        alone = self.base in slots.CELL_BY_CELL
        right = not (self.pause and self.options.get("use_ema"))
        return alone and right and not {"clipnorm", "global_clipnorm"} & set(self.options)


def draw(number):
    """Draw the case of this number."""
    draw = random.Random(number)
    pick = lambda table: draw.choices(list(table), table.values())[0]  # noqa: E731
    compact = draw.random() < 0.5
    base = draw.choice(FIT if compact else CLASSES)
    policy = draw.choice(["float32"] * 5 + ["mixed_float16"] * 2 + ["mixed_bfloat16", "float64"])
    way = pick(WAYS)
    wrapper = draw.choice(["", "", "", "multi"] if MULTI else [""])
    if policy == "mixed_float16":
        wrapper = draw.choice(["scale", "scale, freezable", "scale, both"])
    options = {}
    for more in (
        [{}, {}, {"clipnorm": 0.5}, {"global_clipnorm": 0.5}, {"clipvalue": 0.5}],
        [{}, {}, {"use_ema": True, "ema_momentum": 0.9, "ema_overwrite_frequency": 2}],
        [{}, {}, {"gradient_accumulation_steps": 2}, {"gradient_accumulation_steps": 3}],
        [{}, {}, {"weight_decay": 0.1}],
        [{}, {}, {"learning_rate": K.schedules.ExponentialDecay(0.01, 2, 0.5)}],
    ):
        options |= draw.choice(more)
    callback = draw.choice(CALLBACKS)
    if callback.startswith("swap") or draw.random() < 0.15:
        options |= {"use_ema": True, "ema_momentum": 0.9}
    journey = pick(JOURNEYS)
    kinds = "" if compact or base in slots.NO_RESET else "reset"
    return Case(
        number,
        base,
        way,
        journey,
        compact,
        wrapper,
        policy,
        draw.random() < 0.4,
        draw.random() < 0.7,
        callback if way.startswith("fit") else "none",
        draw.choice(["", "keep", kinds]),
        options,
        draw.random() < 0.3 and journey not in BY_CONFIG,
        draw.random() < 0.25,
    )


class Run:
    """A model and its optimizer, ours or plain, that trains in the way of a case."""

    def __init__(self, case, plain=False, build=True):
        self.case, self.plain = case, plain
        self.model = network(case)
        self.optimizer = make(case, plain)
        self.held, self.step = [], None
        if build:
            self.optimizer.build(self.model.trainable_variables)
        self.compile()

    def compile(self):
        """As people do; a loop needs it to save the optimizer with the model."""
        way = self.case.way
        compiled = {"run_eagerly": way == "fit, eager", "jit_compile": way.endswith("jit")}
        self.model.compile(self.optimizer, keras.losses.MeanSquaredError(), **compiled)
        self.optimizer, self.step = self.model.optimizer, None

    @property
    def freezer(self):
        """The optimizer that freezes; `compile` may have put it into another."""
        return self.optimizer if hasattr(self.optimizer, "freeze_cells") else inner(self.optimizer)

    @property
    def variables(self):
        """Those of which cells are frozen: a large one, and that of the output."""
        return self.model.trainable_variables[0], self.model.layers[-1].kernel

    def freeze(self, masks, **options):
        """Freeze cells; under plain Keras, note what is to be put back."""
        self.held = list(zip(self.variables, masks, [v.numpy() for v in self.variables]))
        if not self.plain:
            for variable, mask in zip(self.variables, masks):
                self.freezer.freeze_cells(variable, mask, **options)

    def put_back(self):
        for variable, mask, values in self.held if self.plain else ():
            variable.assign(np.where(mask, values, variable.numpy()))

    def leaks(self):
        """How many frozen cells have changed."""
        pairs = zip(self.variables, self.held)
        return sum((changed_bits(h, v.numpy()) & m).sum() for v, (_, m, h) in pairs)

    def train(self, steps, folder):
        """Take some steps, and write averages over the weights at the end, as `fit` does."""
        inputs, targets = data(self.case, steps)
        if self.case.way.startswith("fit"):
            callbacks = [*called(self.case, folder), Back(self)]
            self.model.fit(
                inputs, targets, 4, shuffle=False, verbose=0, callbacks=callbacks,
                validation_data=(inputs, targets),
            )  # fmt: skip
        else:
            self.step = self.step or self.loop()
            for number in range(steps):
                batch = slice(4 * number, 4 * number + 4)
                self.step(tf.constant(inputs[batch]), tf.constant(targets[batch]))
                self.put_back()
            self.optimizer.finalize_variable_values(self.model.trainable_variables)
        self.put_back()

    def loop(self):
        """One step of a loop of one's own."""

        def step(inputs, targets):
            with tf.GradientTape() as tape:
                outputs = tf.cast(self.model(inputs, training=True), tf.float32)
                loss = tf.reduce_mean(tf.square(outputs - tf.cast(targets, tf.float32)))
                loss = self.optimizer.scale_loss(loss)
            variables = self.model.trainable_variables
            raw = [variable.value for variable in variables]
            self.optimizer.apply(tape.gradient(loss, raw), variables)

        if self.case.way == "loop":
            return step
        return tf.function(step, jit_compile=self.case.way.endswith("jit"))


class Back(keras.callbacks.Callback):
    """Puts frozen cells back after each step, under plain Keras."""

    def __init__(self, run):
        super().__init__()
        self.run = run

    def on_train_batch_end(self, batch, logs=None):
        self.run.put_back()


def network(case):
    """Words or numbers, a normalisation if variables are to be excluded, and an output."""
    keras.utils.set_random_seed(case.number)
    layers = keras.layers
    options = {"dtype": case.policy}
    hidden = [layers.Input((4,)), layers.Dense(5, name="hidden", use_bias=case.exclude, **options)]
    if case.words:
        words = layers.Embedding(9, 2, name="hidden", **options)
        hidden = [layers.Input((4,), dtype="int32"), words, layers.Flatten(dtype=case.policy)]
    norm = [layers.LayerNormalization(name="LayerNorm", **options)] if case.exclude else []
    out = layers.Dense(1, name="out", use_bias=case.exclude, **options)
    return Policied([*hidden, *norm, out], case.policy)


def Policied(layers, policy):
    """A model of this policy, so that `compile` puts its optimizer into a LossScaleOptimizer."""
    model = keras.Sequential(layers)
    model.dtype_policy = keras.dtype_policies.get(policy)
    return model


def make(case, plain):
    """The optimizer of a case, or the plain one beside it."""

    def ours(cls, freezes=True):
        return freezable(cls, compact=case.compact) if freezes and not plain else cls

    def one(cls, freezes=True, **options):
        optimizer = ours(cls, freezes)(**{"learning_rate": 0.01} | options)
        if case.exclude:
            optimizer.exclude_from_weight_decay(var_names=["LayerNorm", "bias"])
        return optimizer

    around = freezable if not plain else lambda cls: cls
    if case.wrapper == "multi":
        table = K.OptimizerMap(
            one(case.base, case.compact, **case.options), {".*out.*": one(K.SGD, case.compact)}
        )
        return around(MULTI)(table)
    if case.wrapper == "scale":  # as `compile` does
        return K.LossScaleOptimizer(one(case.base, **case.options), initial_scale=8.0)
    if case.wrapper:
        inside = one(case.base, case.wrapper == "scale, both", **case.options)
        return around(K.LossScaleOptimizer)(inside, initial_scale=8.0)
    return one(case.base, **case.options)


def inner(optimizer):
    return optimizer.inner_optimizer


def data(case, steps):
    draw = np.random.default_rng(case.number)
    count = 4 * steps
    inputs = draw.normal(size=(count, 4)).astype("float32")
    if case.words:
        inputs = draw.integers(0, 9, (count, 4)).astype("int32")
    return inputs, draw.normal(size=(count, 1)).astype("float32")


def called(case, folder):
    """Callbacks of Keras that people use."""
    callbacks = keras.callbacks
    return {
        "none": lambda: [],
        "swap": lambda: [callbacks.SwapEMAWeights()],
        "swap on epoch": lambda: [callbacks.SwapEMAWeights(swap_on_epoch=True)],
        "checkpoint": lambda: [callbacks.ModelCheckpoint(folder / "best.keras", monitor="loss")],
        "rate": lambda: (
            [callbacks.LearningRateScheduler(lambda epoch, rate: rate / 2)]
            if not isinstance(case.options.get("learning_rate"), K.schedules.LearningRateSchedule)
            and case.wrapper != "multi"
            else []
        ),
        "finite": lambda: [callbacks.TerminateOnNaN()],
        "stopping": lambda: [callbacks.EarlyStopping("loss")],
    }[case.callback]()


# --- journeys: each returns the run that goes on ---------------------------------------------


def travel(run, folder):
    """Let the state of a run travel as its case says; return the run that goes on."""
    how, _, where = run.case.journey.partition(", ")
    return {
        "none": lambda: run,
        "file": lambda: loaded(run, folder / "model.keras"),
        "h5": lambda: loaded(run, folder / "model.h5"),
        "weights": lambda: by_weights(run, arrive(run, where, folder), folder),
        "checkpoint": lambda: by_checkpoint(run, arrive(run, where, folder), folder),
        "arrays": lambda: by_arrays(run, arrive(run, where, folder)),
        "deep copy": lambda: copied(run, copy.deepcopy),
        "pickle": lambda: copied(run, lambda one: pickle.loads(pickle.dumps(one))),
        "pickled model": lambda: of_model(run, pickle.loads(pickle.dumps(run.model))),
        "config": lambda: copied(run, lambda one: type(one).from_config(one.get_config())),
        "taken over": lambda: taken_over(run, other=bool(where)),
    }[how]()


def arrive(run, where, folder):
    """Another session: fresh, built, or one in which steps have been taken."""
    there = Run(run.case, run.plain, build=where != "fresh")
    if where == "running":
        there.train(2, folder)
    return there


def of_model(run, model):
    run.model, run.optimizer, run.step = model, model.optimizer, None
    return run


def loaded(run, path):
    run.model.save(path)
    return of_model(run, keras.models.load_model(path))


def went_on(run, there):
    there.held = run.held
    return there


def by_weights(run, there, folder):
    run.model.save_weights(folder / "all.weights.h5")
    there.model.load_weights(folder / "all.weights.h5")
    return went_on(run, there)


def by_checkpoint(run, there, folder):
    path = tf.train.Checkpoint(model=run.model, optimizer=run.optimizer).save(folder / "here")
    checkpoint = tf.train.Checkpoint(model=there.model, optimizer=there.optimizer)
    checkpoint.restore(path)
    if not there.optimizer.built:
        there.optimizer.build(there.model.trainable_variables)
    return went_on(run, there)


def by_arrays(run, there):
    there.model.set_weights(run.model.get_weights())
    values = [variable.numpy() for variable in run.optimizer.variables]
    if type(there.optimizer) is K.LossScaleOptimizer:  # whose own sets no variables of the inner
        for variable, value in zip(there.optimizer.variables, values, strict=True):
            variable.assign(value)
    else:
        there.optimizer.set_weights(values)
    return went_on(run, there)


def copied(run, how):
    run.optimizer = how(run.optimizer)
    run.optimizer.build(run.model.trainable_variables)
    run.compile()
    return run


def taken_over(run, other):
    old, case = run.optimizer, copy.copy(run.case)
    run.case = case
    if other and case.base in FIT:
        case.compact = not case.compact
    if other and type(old) is K.LossScaleOptimizer:
        case.wrapper = "scale, freezable"
    run.optimizer = make(case, run.plain)
    run.optimizer.build(run.model.trainable_variables)
    if case.callback == "rate" and case.wrapper != "multi":
        run.optimizer.learning_rate = float(old.learning_rate)
    if run.plain:
        return run
    run.freezer.take_over(old if run.freezer is run.optimizer else inner(old))
    if run.freezer is not run.optimizer:  # around which stands a LossScaleOptimizer of Keras
        for name in ("dynamic_scale", "step_counter"):
            getattr(run.optimizer, name).assign(getattr(old, name))
    run.compile()
    return run


# --- the verdict -----------------------------------------------------------------------------


def masks_of(case):
    draw = np.random.default_rng(case.number + 1)
    shapes = [(9, 2) if case.words else (4, 5), (8, 1) if case.words else (5, 1)]
    masks = [draw.random(shape) < 0.5 for shape in shapes]
    if case.words:
        masks[0][:] = draw.random((9, 1)) < 0.5  # rows
    return masks


def verdict(case, folder):
    """Run a case; return "holds", "told: …" (refused or warned of, in words), "Keras raises: …" (as
    plain Keras does), or what went wrong."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            wrong = judge(case, folder)
        except Exception as error:
            told = NEXT_STEP.search(str(error)) and ours(error)
            if told:
                return f"told: {error}"
            return as_keras(case, folder) or f"raises: {error!r}"
    told = [str(each.message) for each in caught if is_ours(each)]
    if wrong and any(NEXT_STEP.search(text) for text in told):
        return f"told: {told[0]} ({wrong})"
    return wrong or "holds"


def as_keras(case, folder):
    """Whether plain Keras cannot do it either."""
    run = Run(case, plain=True)
    try:
        run.train(3, folder)
        run = travel(run, folder)
        run.train(3, folder)
        if case.pause:
            pause([run], folder)
    except Exception as error:
        return f"Keras raises: {error!r}"


def is_ours(warning):
    text = str(warning.message)
    return (
        "Nothing is frozen" in text
        or "not frozen now" in text
        or "Not taken over" in text
        or "Use another optimizer" in text
    )


def ours(error):
    """Whether the freeze raised it, and not something that it had not foreseen."""
    trace = error.__traceback__
    while trace.tb_next:
        trace = trace.tb_next
    return "freezing" in trace.tb_frame.f_code.co_filename


def judge(case, folder):
    """Return what went wrong, or None."""
    runs = [Run(case)] + [Run(case, plain=True)] * case.is_judged
    masks = masks_of(case)
    for run in runs:
        if case.warm:
            run.train(2, folder)
        run.freeze(masks)
        run.train(3, folder)
    if runs[0].leaks():
        return f"{runs[0].leaks()} frozen cells moved"
    runs[0] = travel(runs[0], folder)
    if runs[0].leaks():
        return f"{runs[0].leaks()} frozen cells moved on their way"
    for run in runs:
        run.train(2, folder)
    if runs[0].leaks():
        return f"{runs[0].leaks()} frozen cells moved after the journey"
    for variable, mask in zip(runs[0].variables, masks):
        if (runs[0].freezer.frozen_cells(variable).numpy() != mask).any():
            return "the mask says otherwise"
    if case.pause and (wrong := pause(runs, folder)):
        return wrong
    wrong = differ(runs, masks) if case.is_judged else None
    return wrong or (case.thaw and thaw(runs[0], masks, folder)) or None


def differ(runs, masks):
    """Free cells, and all other variables, must be those of plain Keras, but for rounding."""
    few = {"float16": 3e-2, "bfloat16": 3e-2}.get(runs[0].case.policy.removeprefix("mixed_"), 1e-4)
    for ours, plain in zip(*(run.model.trainable_variables for run in runs), strict=True):
        far = np.abs(ours.numpy().astype(float) - plain.numpy().astype(float))
        if not np.nanmax(far) <= few:
            return f"{ours.path} is {np.nanmax(far):.0e} from plain Keras"
    return None


def pause(runs, folder):
    """A layer is not trained for a while, by its flag, under the same optimizer. Where averages are
    written in the middle of training, Keras writes them over it in spite of its flag."""
    stays = not runs[0].case.options.get("ema_overwrite_frequency")
    before = [variable.numpy() for variable in runs[0].model.layers[0].trainable_variables]
    for trainable in (False, True):
        for run in runs:
            run.model.layers[0].trainable = trainable
            run.compile()
            run.train(2, folder)
        after = [variable.numpy() for variable in runs[0].model.layers[0].variables]
        if stays and not trainable and any(map(np.any, map(changed_bits, before, after))):
            return "a layer moved that was left out"
    return f"{leaks} frozen cells moved" if (leaks := runs[0].leaks()) else None


def thaw(run, masks, folder):
    """A thawed cell must go on from where it was, and not jump."""
    before = [variable.numpy() for variable in run.variables]
    options = {"on_thaw": run.case.thaw} if not run.case.compact else {}
    run.freeze([np.zeros_like(mask) for mask in masks], **options)
    run.train(3, folder)
    for variable, old in zip(run.variables, before):
        far = np.abs(variable.numpy().astype(float) - old.astype(float))
        if not np.max(far) <= (30 if run.case.base is K.Ftrl else 0.6):
            return f"a cell jumped by {np.max(far):.2g} after the thaw"
    return None


def chunks(file):
    """The numbers of cases of one of the files, in tests of some each; the first are quick."""
    starts = range((file - 1) * CHUNK, CASES, FILES * CHUNK)
    thorough = lambda start: [] if start < QUICK else pytest.mark.thorough  # noqa: E731
    return [pytest.param(range(n, n + CHUNK), marks=thorough(n)) for n in starts]


def failures(numbers, folders):
    """The cases that neither hold, nor are refused or warned of in words, nor fail under Keras."""
    with tf.variable_creator_scope(without_name), gradients_forgotten():
        found = {number: verdict(draw(number), folders.mktemp("case")) for number in numbers}
    keras.backend.clear_session()
    fine = "holds", "told", "Keras raises"
    return [
        f"{number}: {told} ({draw(number)})"
        for number, told in found.items()
        if not told.startswith(fine)
    ]
