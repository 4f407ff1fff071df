"""The exact freeze: frozen bits stay, free cells step on, nothing retraces.

--freezing-cases 100000 runs the same random cases for longer.
"""

import concurrent.futures
import functools
import inspect
import multiprocessing
import os
import random
import subprocess
import sys
from dataclasses import dataclass, field, replace

import hypothesis
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers import ROOT
from helpers.bits import BITS, changed_bits
from helpers.device import keras, tf
from helpers.freezing import freezable, slots
from helpers.freezing import optimizer as freezing

K = keras.optimizers
WRAPPERS = {K.LossScaleOptimizer, K.MultiOptimizer}
CLASSES = [
    found
    for _, found in inspect.getmembers(K, inspect.isclass)
    if issubclass(found, K.Optimizer) and found is not K.Optimizer and found not in WRAPPERS
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
def cases(draw):
    base = draw(st.sampled_from(CLASSES))
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
        draw(st.sampled_from(["", "", "", "scale", "multi"])),
        *(draw(st.integers(0, odds)) == 0 for odds in (1, 3, 1, 2, 7)),
        tuple(
            draw(st.lists(st.sampled_from(["some", "same", "all", "none"]), min_size=2, max_size=3))
        ),
        "keep"
        if issubclass(base, tuple(slots.NO_RESET))
        else draw(st.sampled_from(["keep", "reset"])),
        draw(st.integers(0, 2**32 - 1)),
    )


def make(case, freeze):
    options = dict(case.options)
    if options.get("learning_rate") == "schedule":
        options["learning_rate"] = keras.optimizers.schedules.ExponentialDecay(0.1, 2, 0.5)
    wrap = freezable if freeze else lambda found: found
    if case.wrapper == "scale":
        return wrap(K.LossScaleOptimizer)(case.base(**options), initial_scale=4.0)
    if case.wrapper == "multi":
        return wrap(K.MultiOptimizer)(K.OptimizerMap(case.base(**options), {"second": K.SGD()}))
    return wrap(case.base)(**options)


class Pair:
    """The freezable optimizer and the plain one, each with variables of its own."""

    def __init__(self, case):
        self.case, self.rng = case, np.random.default_rng(case.seed)
        self.frozen = [np.zeros(shape, bool) for shape in case.shapes]
        self.values = [self.rng.normal(size=shape) for shape in case.shapes]
        self.mine, self.theirs = self.variables(), self.variables()
        self.ours, self.plain = make(case, True), make(case, False)
        self.ours.build(self.mine)
        self.plain.build(self.theirs)
        self.leaks = self.differences = 0

    def variables(self):
        constraint = keras.constraints.NonNeg() if self.case.constraint else None
        names = ["first", "second"]
        found = [
            keras.Variable(value, dtype=self.case.dtype, name=name)
            for name, value in zip(names, self.values)
        ]
        for variable in found:
            variable.constraint = constraint
        return found

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
        for mine, theirs, _ in self.state():
            theirs.assign(mine)
        # As arrays: TensorFlow caches scalar constants by value, and takes 0.0 for -0.0 there.
        before = [np.asarray(mine.numpy()) for mine, _, _ in self.state()]
        if ours is None:
            first, second = self.gradients()
            ours = functools.partial(self.ours.apply, first)
            plain = functools.partial(self.plain.apply, second)
        try:
            plain(self.theirs)
        except Exception as error:  # what Keras refuses is refused, and changes nothing
            with pytest.raises(type(error)):
                ours(self.mine)
            for old, (_, theirs, _) in zip(before, self.state()):
                theirs.assign(old)
        else:
            ours(self.mine)
        for old, (mine, theirs, frozen) in zip(before, self.state()):
            if old.dtype.itemsize in BITS:
                self.leaks += (changed_bits(old, mine.numpy()) & frozen).sum()
                differ = changed_bits(mine.numpy(), theirs.numpy()) & ~frozen
                if ulp:  # XLA may round the last bit of a product inside a sum, or not
                    differ &= ~np.isclose(mine, theirs, rtol=1e-6, atol=1e-7, equal_nan=True)
                self.differences += differ.sum()

    def run(self):
        for how in self.case.schedule:
            self.freeze(how)
            self.step()
        self.step(self.ours.finalize_variable_values, self.plain.finalize_variable_values)
        return int(self.leaks), int(self.differences)


def hold(count, seed):
    """Draw so many cases from a seed, and run every one of them."""

    @hypothesis.seed(seed)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases())
    def holds(case):
        wrong = Pair(case).run()
        assert wrong == (0, 0), wrong

    holds()


def test_frozen_bits_stay_and_free_cells_step_as_with_a_zeroed_gradient(pytestconfig):
    """Half of the cases in each of two processes: nothing else takes as long."""
    half = -(-pytestconfig.getoption("freezing_cases") // 2)
    seeds = (0, 1) if "CI" in os.environ else random.sample(range(2**32), 2)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.starmap(hold, [(half, seed) for seed in seeds])


# Each protection switched off in turn: the same check must then see it


def test_check_finds_weights_and_slots_that_are_not_put_back(monkeypatch):
    case = Case(K.Lamb)
    assert Pair(case).run() == (0, 0)
    monkeypatch.setattr(slots, "_keep", lambda variable, mask, old: None)
    assert Pair(case).run()[0] > 0


def test_check_finds_slots_that_are_not_put_back():
    pair = Pair(Case(K.Lamb, schedule=("none", "some", "some")))
    for cells in pair.ours._ledger.cells:
        cells.slots.clear()
    assert pair.run()[0] > 0


def test_check_finds_writes_that_are_not_masked(monkeypatch):
    plainly = lambda self, write, variable, value, update: write(variable, value)  # noqa: E731
    monkeypatch.setattr(freezing.FreezesCells, "_write", plainly)
    assert Pair(Case(K.Adam, schedule=("none", "some", "some"))).run()[0] > 0


def test_check_finds_weight_decay_that_is_not_masked(monkeypatch):
    assert Pair(Case(K.AdamW)).run() == (0, 0)
    monkeypatch.setattr(freezing.FreezesCells, "_apply_weight_decay", K.Adam._apply_weight_decay)
    assert Pair(Case(K.AdamW)).run()[0] > 0


def test_check_finds_a_coupled_optimizer_taken_for_cell_by_cell(monkeypatch):
    monkeypatch.setattr(freezing, "CELL_BY_CELL", {K.Lamb})
    assert Pair(Case(K.Lamb, schedule=("none", "some", "some"))).run()[1] > 0


def test_check_finds_the_last_overwrite_of_an_average(monkeypatch):
    case = Case(K.SGD, AVERAGES[1], schedule=("none", "none", "some"))
    assert Pair(case).run() == (0, 0)
    monkeypatch.delattr(freezing.FreezesCells, "finalize_variable_values")
    assert Pair(case).run()[0] > 0


def test_check_finds_gradients_that_are_not_masked(monkeypatch):
    monkeypatch.setattr(freezing, "_without_frozen", lambda grad, frozen: grad)
    assert Pair(Case(K.Lamb, schedule=("some",))).run()[1] > 0


def test_check_finds_gradients_that_are_masked_after_clipping(monkeypatch):
    clip = K.Optimizer._clip_gradients

    def too_late(self, grads):
        clipped = clip(self, grads)
        return [mask(g, cells.mask) for g, cells in zip(clipped, self._ledger.cells)]

    mask = freezing._without_frozen
    case = Case(K.SGD, {"global_clipnorm": 0.1}, schedule=("some",))
    assert Pair(case).run() == (0, 0)
    monkeypatch.setattr(freezing, "_without_frozen", lambda grad, frozen: grad)
    monkeypatch.setattr(freezable(K.SGD), "_clip_gradients", too_late, raising=False)
    assert Pair(case).run()[1] > 0


def test_weight_decay_rounds_and_is_excluded_as_in_keras():
    """Many cells, because few of them show a product taken in another order."""
    values = np.random.default_rng(0).normal(size=5000).astype("float32")
    after = []
    for cls in (K.AdamW, freezable(K.AdamW)):
        variables = [keras.Variable(values, name=name) for name in ("kernel", "bias")]
        optimizer = cls(0.013, weight_decay=0.37)
        optimizer.exclude_from_weight_decay(var_names=["bias"])
        optimizer.build(variables)
        if cls is not K.AdamW:
            optimizer.freeze_cells(variables[0], np.arange(5000) == 0)
        optimizer.apply([tf.zeros(5000)] * 2, variables)
        after.append([variable.numpy() for variable in variables])
    (plain, same), (ours, bias) = after
    assert not changed_bits(plain, ours)[1:].any() and changed_bits(values, plain).all()
    assert not changed_bits(same, bias).any() and not changed_bits(values, bias).any()
    assert ours[0] == values[0]


# Compiled


@pytest.mark.parametrize("how", ["graph", "graph, large", "jit"])
@pytest.mark.parametrize(
    "case",
    [Case(base) for base in CLASSES]
    + [Case(base, options) for base in OPTIONS for options in OPTIONS[base]]
    + [Case(K.Adam, options) for options in CLIPS[1:] + AVERAGES + [{"weight_decay": 0.1}]]
    + [Case(K.SGD, {"momentum": 0.9, "gradient_accumulation_steps": 2})]
    + [Case(K.Adam, wrapper=wrapper) for wrapper in ("scale", "multi")]
    + [Case(K.Adam, sparse=True), Case(K.Adam, constraint=True)],
    ids=lambda case: f"{case.base.__name__}-{case.wrapper}-{'-'.join(case.options)}",
)
def test_compiled_steps_are_exact_and_traced_once(monkeypatch, case, how):
    jit = how == "jit"
    if how == "graph, large":
        monkeypatch.setattr(slots, "LARGE", 0)
    pair = Pair(replace(case, schedule=("none", "some", "some", "all", "none")))
    compiled = functools.partial(tf.function, jit_compile=jit, autograph=False)
    steps = [
        compiled(lambda gradients: pair.ours.apply(gradients, pair.mine)),
        compiled(lambda gradients: pair.plain.apply(gradients, pair.theirs)),
    ]
    for cells in pair.case.schedule:
        pair.freeze(cells)
        ours, plain = pair.gradients()
        mine, theirs = (functools.partial(step, grads) for step, grads in zip(steps, (ours, plain)))
        ulp = jit and cells != "none"
        pair.step(lambda _, step=mine: step(), lambda _, step=theirs: step(), ulp=ulp)
    assert (pair.leaks, pair.differences) == (0, 0)
    assert steps[0].experimental_get_tracing_count() == 1


@pytest.mark.parametrize("jit", [False, True], ids=["graph", "jit"])
def test_mask_can_be_computed_in_the_graph(jit):
    variable = keras.Variable(np.arange(9, dtype="float32").reshape(3, 3))
    optimizer = freezable(K.Adam)(0.1)
    optimizer.build([variable])

    @tf.function(jit_compile=jit)
    def step(threshold):
        optimizer.freeze_cells(variable, variable.value >= threshold, on_thaw="reset")
        optimizer.apply([tf.ones((3, 3))], [variable])

    for threshold in (5.0, 3.0, 8.0):
        before = variable.numpy()
        optimizer.freeze_cells(variable, np.zeros((3, 3), bool))
        step(tf.constant(threshold))
        assert ((variable.numpy() == before) == (before >= threshold)).all()
        assert (optimizer.frozen_cells(variable).numpy() == (before >= threshold)).all()
    with pytest.raises(TypeError, match="int64"):
        tf.function(lambda: optimizer.freeze_cells(variable, tf.ones((3, 3), tf.int64)))()


@pytest.mark.parametrize("shape", [[None, 3], None], ids=str)
def test_mask_in_a_graph_may_be_of_a_shape_that_is_not_known(shape):
    optimizer, variable = freezable(K.Adam)(0.1), keras.Variable(np.zeros((3, 3), "float32"))
    optimizer.build([variable])

    @tf.function(input_signature=[tf.TensorSpec(shape, tf.bool)])
    def freeze(frozen):
        optimizer.freeze_cells(variable, frozen, on_thaw="reset")

    optimizer.apply([tf.ones((3, 3))], [variable])
    freeze(tf.eye(3) > 0)
    assert (optimizer.frozen_cells(variable).numpy() == np.eye(3)).all()
    before = snapshot(optimizer, [variable])
    with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
        freeze(tf.zeros((1, 3), tf.bool))  # which TensorFlow would stretch
    for old, new in zip(before, snapshot(optimizer, [variable]), strict=True):
        np.testing.assert_array_equal(old, new)


def test_mask_in_a_graph_may_be_a_variable_of_keras():
    optimizer, variable = freezable(K.Adam)(0.1), keras.Variable(np.zeros(3, "float32"))
    optimizer.build([variable])
    mask = keras.Variable([True, False, True], dtype="bool")
    tf.function(lambda: optimizer.freeze_cells(variable, mask))()
    assert optimizer.frozen_cells(variable).numpy().tolist() == [True, False, True]


def test_a_step_that_freezes_under_jit_does_so_after_an_earlier_state_is_restored():
    optimizer, variable = freezable(K.Adam)(0.1), keras.Variable(np.zeros(4, "float32"))
    optimizer.build([variable])
    fresh = [v.numpy() for v in optimizer.variables]

    @tf.function(jit_compile=True)
    def step():
        optimizer.freeze_cells(variable, tf.range(4) < 2)
        optimizer.apply([tf.ones(4)], [variable])

    for _ in range(2):
        before = variable.numpy()
        step()
        assert (variable.numpy() != before).tolist() == [False, False, True, True]
        for one, value in zip(optimizer.variables, fresh, strict=True):
            one.assign(value)


# model.fit, saving, distribution

INPUTS = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
TARGETS = INPUTS.sum(axis=1, keepdims=True)


def network(optimizer, **compiled):
    keras.utils.set_random_seed(0)
    limit = keras.constraints.MaxNorm(0.5)
    hidden = keras.layers.Dense(5, "relu", kernel_constraint=limit, kernel_regularizer="l2")
    model = keras.Sequential([keras.layers.Input((4,)), hidden, keras.layers.Dense(1)])
    model.compile(optimizer, "mse", **compiled)
    return model, hidden.kernel


def fit(model, epochs=1, **options):
    model.fit(INPUTS, TARGETS, 8, epochs, verbose=0, shuffle=False, **options)


def rich():
    """An optimizer in which everything that can move a cell is switched on."""
    averages = {"use_ema": True, "ema_momentum": 0.5, "ema_overwrite_frequency": 3}
    return freezable(K.Adam)(0.01, weight_decay=0.1, global_clipnorm=1.0, **averages)


def odd_rows(kernel):
    frozen = np.zeros(kernel.shape, bool)
    frozen[1::2] = True
    return frozen


FITS = {
    "plain": {},
    "jit": {"jit_compile": True},
    "eager": {"run_eagerly": True},
    "several steps": {"steps_per_execution": 4},
    "several steps, jit": {"steps_per_execution": 4, "jit_compile": True},
}


@pytest.mark.parametrize("large", [0, slots.LARGE], ids=["large", "small"])
@pytest.mark.parametrize("compiled", FITS.values(), ids=FITS)
@pytest.mark.parametrize("make_one", [rich, lambda: freezable(K.Adam)(0.01)], ids=["rich", "adam"])
def test_fit_keeps_frozen_cells(monkeypatch, make_one, compiled, large):
    monkeypatch.setattr(slots, "LARGE", large)
    optimizer = make_one()
    model, kernel = network(optimizer, **compiled)
    fit(model)
    frozen, before = odd_rows(kernel), kernel.numpy()
    optimizer.freeze_cells(kernel, frozen)
    halve = keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate / 2)
    fit(model, 2, callbacks=[halve])
    assert ((kernel.numpy() != before) == ~frozen).all()
    optimizer.freeze_cells(kernel, ~frozen)
    before = kernel.numpy()
    fit(model)
    assert ((kernel.numpy() != before) == frozen).all()


def test_fit_with_nothing_to_train_says_no_more_than_under_keras():
    """Keras never builds the optimizer then, and yet has it overwrite weights in the end."""
    model, _ = network(freezable(K.Adam)())
    model.trainable = False
    with pytest.warns(UserWarning, match="does not have any trainable weights"):
        fit(model)
    assert not model.optimizer.built


@pytest.mark.parametrize("policy", ["mixed_float16", "mixed_bfloat16"])
@pytest.mark.parametrize("wrap", [False, True], ids=["by compile", "by freezable"])
def test_fit_in_mixed_precision(policy, wrap):
    keras.mixed_precision.set_global_policy(policy)
    try:
        optimizer = freezable(K.Adam)(0.01)
        if wrap:
            optimizer = freezable(K.LossScaleOptimizer)(K.Adam(0.01), initial_scale=8.0)
        model, kernel = network(optimizer)
        fit(model)
        frozen, before = odd_rows(kernel), kernel.numpy()
        optimizer.freeze_cells(kernel, frozen)
        fit(model)
    finally:
        keras.mixed_precision.set_global_policy("float32")
    assert ((kernel.numpy() != before) == ~frozen).all()


def test_embedding_rows_in_fit():
    table = keras.layers.Embedding(6, 3)
    model = keras.Sequential(
        [keras.layers.Input((2,), dtype="int32"), table, keras.layers.Flatten()]
    )
    optimizer = freezable(K.Adam)(0.1)
    model.compile(optimizer, "mse")
    optimizer.build(model.trainable_variables)
    kernel, words = table.embeddings, np.tile(np.arange(6), 8).reshape(-1, 2)
    frozen, before = odd_rows(kernel), kernel.numpy()
    optimizer.freeze_cells(kernel, frozen)
    model.fit(words, np.ones((len(words), 6)), 4, 2, verbose=0)
    assert ((kernel.numpy() != before) == ~frozen).all()


def same_bits(ours, theirs):
    return all((a.numpy() == b.numpy()).all() for a, b in zip(ours, theirs, strict=True))


def frozen_and_fitted(**compiled):
    optimizer = rich()
    model, kernel = network(optimizer, **compiled)
    fit(model)
    optimizer.freeze_cells(kernel, odd_rows(kernel))
    fit(model)
    return model, optimizer


def assert_continues_alike(model, loaded):
    kernel = loaded.layers[0].kernel
    before, frozen = kernel.numpy(), odd_rows(kernel)
    assert (loaded.optimizer.frozen_cells(kernel).numpy() == frozen).all()
    fit(model)
    fit(loaded)
    assert ((kernel.numpy() != before) == ~frozen).all()
    assert same_bits(model.variables, loaded.variables)
    assert same_bits(model.optimizer.variables, loaded.optimizer.variables)


def test_model_file_brings_masks_back(tmp_path):
    model, optimizer = frozen_and_fitted()
    model.save(tmp_path / "model.keras")
    for custom in (None, {"FreezableAdam": freezable(K.Adam)}):
        loaded = keras.models.load_model(tmp_path / "model.keras", custom_objects=custom)
        assert type(loaded.optimizer) is type(optimizer)
    assert_continues_alike(model, loaded)


@pytest.mark.parametrize("jit", [False, True], ids=["graph", "jit"])
@pytest.mark.parametrize("kind", ["weights", "checkpoint", "by hand"])
def test_weights_and_checkpoints_bring_masks_back(tmp_path, kind, jit):
    model, optimizer = frozen_and_fitted(jit_compile=jit)
    loaded, _ = network(rich(), jit_compile=jit)
    loaded.optimizer.build(loaded.trainable_variables)
    if kind == "weights":
        model.save_weights(tmp_path / "model.weights.h5")
        loaded.load_weights(tmp_path / "model.weights.h5")
    elif kind == "by hand":
        theirs = [*loaded.variables, *loaded.optimizer.variables]
        for ours, other in zip([*model.variables, *optimizer.variables], theirs, strict=True):
            other.assign(ours)
    else:
        path = tf.train.Checkpoint(model=model, optimizer=optimizer).save(tmp_path / "here")
        there = tf.train.Checkpoint(model=loaded, optimizer=loaded.optimizer)
        there.restore(path).assert_consumed()
    assert_continues_alike(model, loaded)


@pytest.mark.parametrize("wrap", [False, True])
def test_the_optimizer_s_own_weights_can_be_set(wrap):
    def make():
        inner, variable = K.Adam(0.1), keras.Variable(np.zeros(4, "float32"))
        optimizer = freezable(K.LossScaleOptimizer)(inner) if wrap else freezable(K.Adam)(0.1)
        optimizer.build([variable])
        return optimizer, variable

    (ours, mine), (other, theirs) = make(), make()
    ours.apply([tf.ones(4)], [mine])
    ours.freeze_cells(mine, [True, False, True, False])
    ours.apply([tf.ones(4)], [mine])
    other.set_weights([v.numpy() for v in ours.variables])
    for one, twin in zip(ours.variables, other.variables, strict=True):
        np.testing.assert_array_equal(one, twin)
    other.apply([tf.ones(4)], [theirs])
    assert (theirs.numpy() != 0).tolist() == [False, True, False, True]
    with pytest.raises(ValueError, match=r"1 arrays arrived; one for each of the \d+"):
        ours.set_weights([np.zeros(4)])


# A step that raises


def snapshot(optimizer, variables):
    return [v.numpy() for v in [*variables, *optimizer.variables]]


def prepared(options=None, cls=K.Adam):
    variables = [keras.Variable(np.ones((2, 3), "float32"), name=name) for name in ("a", "b")]
    optimizer = freezable(cls)(**options or {})
    optimizer.build(variables)
    optimizer.apply([tf.ones((2, 3))] * 2, variables)
    optimizer.freeze_cells(variables[0], odd_rows(variables[0]))
    return optimizer, variables


def assert_unchanged_by(step, raised, optimizer, variables):
    before = snapshot(optimizer, variables)
    with pytest.raises(raised):
        step()
    for old, new in zip(before, snapshot(optimizer, variables), strict=True):
        np.testing.assert_array_equal(old, new)


@pytest.mark.parametrize("options", [{}, {"weight_decay": 0.1}, {"use_ema": True}], ids=str)
@pytest.mark.parametrize("raised", [KeyboardInterrupt, ValueError])
@pytest.mark.parametrize("thaw", [False, True])
def test_eager_step_that_raises_midway_is_undone(monkeypatch, options, raised, thaw):
    optimizer, variables = prepared(options)
    if thaw:
        optimizer.freeze_cells(variables[0], np.zeros((2, 3), bool))
    update, calls = K.Adam.update_step, []

    def interrupted(self, *args):
        update(self, *args)
        calls.append(args)
        if len(calls) == 2:
            raise raised("midway")

    monkeypatch.setattr(freezable(K.Adam), "update_step", interrupted, raising=False)

    def step():
        optimizer.apply([tf.ones((2, 3))] * 2, variables)

    assert_unchanged_by(step, raised, optimizer, variables)
    step()
    assert not (variables[0].numpy() == 1).all()


def test_interrupt_while_putting_back_is_undone(monkeypatch):
    optimizer, variables = prepared({"use_ema": True})

    def interrupted(variable, mask, old):
        raise KeyboardInterrupt

    monkeypatch.setattr(slots, "_keep", interrupted)
    step = functools.partial(optimizer.apply, [tf.ones((2, 3))] * 2, variables)
    assert_unchanged_by(step, KeyboardInterrupt, optimizer, variables)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "graph"])
@pytest.mark.parametrize("freeze", [False, True])
def test_gradient_of_a_wrong_shape_changes_nothing(compiled, freeze):
    optimizer, variables = prepared()
    optimizer.freeze_cells(variables[0], np.full((2, 3), freeze))

    def step(second):
        optimizer.apply([tf.ones((2, 3)), second], variables)

    if compiled:
        step = tf.function(step, input_signature=[tf.TensorSpec(None)])
    step(tf.ones((2, 3)))
    for wrong in (tf.ones((3, 3)), tf.ones((2, 1)), tf.ones(3)):
        wrong_step = functools.partial(step, wrong)
        error = tf.errors.InvalidArgumentError
        assert_unchanged_by(wrong_step, error, optimizer, variables)


def test_missing_row_changes_nothing():
    optimizer, variables = prepared()
    rows = tf.IndexedSlices(tf.ones((1, 3)), tf.constant([2]), tf.constant([2, 3]))
    step = functools.partial(optimizer.apply, [tf.ones((2, 3)), rows], variables)
    assert_unchanged_by(step, tf.errors.InvalidArgumentError, optimizer, variables)
    assert_unchanged_by(tf.function(step), tf.errors.InvalidArgumentError, optimizer, variables)


# Thawing


@pytest.mark.parametrize("base", CLASSES, ids=lambda base: base.__name__)
@pytest.mark.parametrize("options", [{}, AVERAGES[1]], ids=["plain", "average"])
def test_thaw_keeps_or_resets_slots(base, options):
    variables = [keras.Variable(np.ones((2, 3), "float32"), name="first")]
    optimizer, fresh = freezable(base)(**options), base(**options)
    optimizer.build(variables)
    fresh.build(variables)
    empty = [v.numpy() for v in fresh.variables]
    optimizer.freeze_cells(variables[0], np.zeros((2, 3), bool))
    for _ in range(2):
        optimizer.apply([tf.ones((2, 3))], variables)
    mask, nothing = odd_rows(variables[0]), np.zeros((2, 3), bool)
    optimizer.freeze_cells(variables[0], mask)
    before = [v.numpy() for v in optimizer.variables if v.dtype != "bool"]
    if isinstance(optimizer, tuple(slots.NO_RESET)):
        everything = snapshot(optimizer, variables)
        with pytest.raises(ValueError, match=f'{base.__name__} .* thaw with on_thaw="keep"'):
            optimizer.freeze_cells(variables[0], nothing, on_thaw="reset")
        for old, new in zip(everything, snapshot(optimizer, variables), strict=True):
            np.testing.assert_array_equal(old, new)
        return
    optimizer.freeze_cells(variables[0], nothing, on_thaw="reset")
    after = [v for v in optimizer.variables if v.dtype != "bool"]
    for old, start, now in zip(before, empty, after, strict=True):
        if old.shape == mask.shape:
            start = variables[0].numpy() if "average" in now.path else start
            np.testing.assert_array_equal(now.numpy(), np.where(mask, start, old))
        else:
            np.testing.assert_array_equal(now.numpy(), old)
    optimizer.freeze_cells(variables[0], mask)
    before = snapshot(optimizer, [])
    optimizer.freeze_cells(variables[0], nothing, on_thaw="keep")
    for old, now in zip(before, optimizer.variables, strict=True):
        if now.dtype != "bool":
            np.testing.assert_array_equal(old, now.numpy())


def test_reset_weight_of_ftrl_would_be_lost():
    """The reason for refusing it: with empty slots, Ftrl forgets what the weight was."""
    weight = keras.Variable([5.0])
    optimizer = K.Ftrl(0.001)
    optimizer.build([weight])
    optimizer.apply([tf.constant([1e-3])], [weight])
    assert abs(weight.numpy()[0]) < 0.1


# Classes and errors


@pytest.mark.parametrize("base", [*CLASSES, K.LossScaleOptimizer], ids=lambda base: base.__name__)
def test_class_is_a_subclass_that_serializes(base):
    made = freezable(base)
    assert freezable(base) is made and freezable(made) is made and issubclass(made, base)
    optimizer = made(K.Adam(0.5)) if base is K.LossScaleOptimizer else made(0.5, name="mine")
    again = K.deserialize(K.serialize(optimizer))
    assert type(again) is made and again.get_config() == optimizer.get_config()
    assert made.from_config(optimizer.get_config()).name == optimizer.name


@pytest.mark.parametrize("options", [{}, {"use_ema": True}], ids=str)
def test_nothing_frozen_means_the_step_of_keras_itself(monkeypatch, options):
    optimizer, variables = prepared(options)
    optimizer.freeze_cells(variables[0], np.zeros((2, 3), bool))
    monkeypatch.setattr(freezing, "_without_frozen", None)
    monkeypatch.setattr(slots, "_keep", None)
    monkeypatch.setattr(optimizer._ledger, "find", None)
    optimizer.apply([tf.ones((2, 3))] * 2, variables)


def test_denormals_and_nan_payloads_survive(monkeypatch):
    bits = np.array([[1, 0x7F800001, 0xFFC12345], [0x80000000, 0x7F800000, 0x807FFFFF]], np.uint32)
    for options in ({}, {"weight_decay": 0.1}):
        optimizer, (variable, other) = prepared(options)
        optimizer.freeze_cells(variable, np.ones((2, 3), bool))
        tf.raw_ops.AssignVariableOp(
            resource=variable.value.handle, value=tf.bitcast(tf.constant(bits), tf.float32)
        )
        for jit, large in ((None, 0), (False, slots.LARGE), (False, 0), (True, 0)):
            monkeypatch.setattr(slots, "LARGE", large)
            step = functools.partial(optimizer.apply, [tf.ones((2, 3))] * 2, [variable, other])
            (step if jit is None else tf.function(step, jit_compile=jit))()
            assert (tf.bitcast(variable.value, tf.uint32).numpy() == bits).all()


class Halves:
    """Writes past every method that the exact freeze knows."""

    def update_step(self, gradient, variable, learning_rate):
        super().update_step(gradient, variable, learning_rate)
        variable.assign(variable / 2)

    def _apply_weight_decay(self, variables):
        for variable in variables:
            variable.value.assign(variable.value - 1)


@pytest.mark.parametrize("bases", [(Halves, K.Adam), (Halves, freezable(K.Adam))], ids=str)
def test_optimizer_of_ones_own_is_held_too(bases):
    optimizer, variables = prepared(cls=type("Mine", bases, {}))
    before = variables[0].numpy()
    optimizer.apply([tf.ones((2, 3))] * 2, variables)
    assert ((variables[0].numpy() != before) == ~odd_rows(variables[0])).all()


@pytest.mark.parametrize("frozen", [False, True])
def test_variable_that_is_overwritten_with_its_gradient(frozen):
    """As the scales of float8 training are; Keras makes no slot for it."""
    variable = keras.Variable(np.ones((2, 3), "float32"), name="scale")
    variable.overwrite_with_gradient = True
    other = keras.Variable(np.ones(3, "float32"), name="other")
    optimizer = freezable(K.Adam)()
    optimizer.build([variable, other])
    optimizer.freeze_cells(variable, odd_rows(variable) & frozen)
    optimizer.apply([tf.fill((2, 3), 7.0), tf.ones(3)], [variable, other])
    np.testing.assert_array_equal(variable.numpy(), np.where(odd_rows(variable) & frozen, 1, 7))


def test_optimizers_built_side_by_side_keep_their_slots_apart():
    made = K.Optimizer.add_variable_from_reference

    def build(number):
        variable = keras.Variable(np.ones(3, "float32"), name=f"v{number}")
        optimizer = freezable(K.Adam)()
        optimizer.build([variable])
        return [len(cells.slots) for cells in optimizer._ledger.cells]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(build, range(64))) == [[2]] * 64
    assert K.Optimizer.add_variable_from_reference is made


def test_errors_say_what_arrived():
    variable = keras.Variable(np.ones((2, 3), "float32"), name="kernel")
    optimizer, mask = freezable(K.Adam)(), np.ones((2, 3), bool)
    with pytest.raises(ValueError, match="call optimizer.build"):
        optimizer.freeze_cells(variable, mask)
    optimizer.build([variable])
    for wrong, raised, text in (
        (mask[:1], ValueError, r"shape \(1, 3\) arrived"),
        (mask.astype(float), TypeError, "dtype float64 arrived"),
        (tf.ones((2, 3)), TypeError, "dtype float32 arrived"),
    ):
        with pytest.raises(raised, match=text):
            optimizer.freeze_cells(variable, wrong)
    with pytest.raises(ValueError, match="on_thaw='later' arrived"):
        optimizer.freeze_cells(variable, mask, on_thaw="later")
    for stranger in (keras.Variable(1.0, name="bias"), np.ones(3)):
        with pytest.raises(ValueError, match="arrived; this optimizer was built for kernel"):
            optimizer.frozen_cells(stranger)
    assert not optimizer.frozen_cells(variable).numpy().any()
    with pytest.raises(ValueError, match="1 gradients and 2 variables arrived"):
        optimizer.apply([tf.ones((2, 3))], [variable, variable])
    for wrong in (K.Adam(), int, "adam", K.OptimizerMap):
        with pytest.raises(TypeError, match="a Keras optimizer class was wanted"):
            freezable(wrong)


MIRRORED = """
import numpy as np
import tensorflow as tf
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
import keras
from helpers.freezing import freezable
from tests.freezing.test_freezing import INPUTS, TARGETS, fit, network, odd_rows
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
K = keras.optimizers
for made in (
    lambda: freezable(K.SGD)(0.01, momentum=0.9),
    lambda: freezable(K.AdamW)(0.01, global_clipnorm=1.0),
    lambda: freezable(K.Adam)(0.01, use_ema=True, ema_momentum=0.5),
    lambda: freezable(K.Lamb)(0.01),
    lambda: freezable(K.LossScaleOptimizer)(K.Adam(0.01), initial_scale=8.0),
):
    with strategy.scope():
        optimizer = made()
        model, kernel = network(optimizer)
    fit(model)
    frozen = odd_rows(kernel)
    for wanted in (frozen, ~frozen):
        optimizer.freeze_cells(kernel, wanted)
        local = strategy.experimental_local_results
        copies = lambda: [np.array(copy) for copy in local(kernel.value)]
        masks = local(optimizer._ledger.cells[0].mask)
        assert len(masks) == 2 and all((mask.numpy() == wanted).all() for mask in masks)
        before = copies()
        fit(model, 2)
        for old, new in zip(before, copies(), strict=True):
            assert ((old != new) == ~wanted).all(), type(optimizer)
    print("EXACT", type(optimizer).__name__)
"""


def test_two_replicas():
    command = [sys.executable, "-c", MIRRORED]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert ran.stdout.count("EXACT") == 5, ran.stdout


@pytest.mark.parametrize("wrapped", [False, True], ids=["plain", "loss scaling"])
@pytest.mark.parametrize("unknown", [False, True], ids=["rows", "unknown shape"])
def test_a_step_in_a_branch_takes_rows_beside_whole_gradients(wrapped, unknown):
    """As loss scaling takes it, or whoever skips a step: the gradients come from outside of it."""
    table, head = (keras.Variable(tf.ones(shape)) for shape in ((4, 3), (3, 2)))
    optimizer = freezable(keras.optimizers.Adam)(0.1)
    if wrapped:
        optimizer = freezable(keras.optimizers.LossScaleOptimizer)(optimizer, 1.0)
    optimizer.build([table, head])
    frozen = np.zeros((4, 3), bool)
    frozen[2] = True
    optimizer.freeze_cells(table, frozen)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32), tf.TensorSpec([], tf.bool)])
    def step(rows, take):
        values = tf.ones((tf.size(rows), 3))
        gradient = tf.IndexedSlices(values, rows, tf.constant([4, 3]))
        if unknown:
            gradient = tf.math.unsorted_segment_sum(values, rows, tf.reduce_max(rows) + 1)
        gradients = [gradient, tf.ones((3, 2))]
        if take:
            optimizer.apply(gradients, [table, head])

    step(tf.constant([2, 3]), tf.constant(True))
    assert (table.numpy() == 1).all(1).tolist() == [True, True, True, False]
    assert (head.numpy() != 1).all()
