"""Everyday habits with Keras, one by one, in several forms; `everyday` mixes them."""

import copy
import itertools
import pickle
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest

from helpers import ROOT
from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.freezing import freezable, frozen_rows
from tests.freezing.cases import MULTI
from tests.freezing.networks import INPUTS, TARGETS

K = keras.optimizers
THOROUGH = pytest.mark.thorough  # what compiles takes seconds; without --all, one of each kind
JIT = pytest.param(True, id="jit", marks=THOROUGH)
GRAPHS = pytest.mark.parametrize("jit", [pytest.param(False, id="graph"), JIT])
COMPACT = pytest.mark.parametrize("compact", [False, True], ids=["mask", "compact"])
WRAPPED = pytest.mark.parametrize(
    "wrapped",
    [pytest.param(False, id="alone"), pytest.param(True, id="loss scale", marks=THOROUGH)],
)
WARM = pytest.mark.parametrize(
    "warm", [pytest.param(False, id="cold", marks=THOROUGH), pytest.param(True, id="warm")]
)
FROZEN = np.arange(20).reshape(4, 5) % 2 == 0


def network(optimizer, **compiled):
    keras.utils.set_random_seed(0)
    hidden = keras.layers.Dense(5, "relu")
    model = keras.Sequential([keras.Input((4,)), hidden, keras.layers.Dense(1)])
    if compiled.pop("build", True):
        optimizer.build(model.trainable_variables)
    model.compile(optimizer, keras.losses.MeanSquaredError(), **compiled)
    return model, hidden.kernel


def fit(model, **options):
    return model.fit(INPUTS, TARGETS, 8, shuffle=False, verbose=0, **options)


def memory(optimizer, kernel):
    """The slots of the free cells, which a compact optimizer may keep in a vector."""
    slots = {name: slot.numpy() for name, slot in optimizer.slots_of(kernel).items()}
    return {n: slot[~FROZEN] if slot.shape == FROZEN.shape else slot for n, slot in slots.items()}


def assert_held(model, kernel, frozen=FROZEN, **options):
    before = kernel.numpy()
    fit(model, **options)
    assert (changed_bits(before, kernel.numpy()) == ~frozen).all()


# --- what is shown and saved -----------------------------------------------------------------


@COMPACT
@pytest.mark.parametrize("cls", [K.AdamW, K.LossScaleOptimizer], ids=lambda cls: cls.__name__)
def test_a_summary_is_shown_and_every_shape_is_whole(compact, cls):
    if cls is K.LossScaleOptimizer:
        optimizer = K.LossScaleOptimizer(freezable(K.Adam, compact=compact)())
    else:
        optimizer = freezable(cls, compact=compact)()
    model, kernel = network(optimizer)
    for mask in (FROZEN, ~FROZEN, FROZEN | True, FROZEN & False):
        getattr(optimizer, "inner_optimizer", optimizer).freeze_cells(kernel, mask)
        fit(model)
        lines = []
        model.summary(print_fn=lines.append)
        assert any("Optimizer params" in line for line in "\n".join(lines).splitlines())
        for variable in optimizer.variables:
            assert tuple(variable.shape) == variable.numpy().shape
            assert len(variable.shape) == variable.ndim


@COMPACT
def test_all_optimizer_variables_have_names_of_their_own(compact):
    optimizer = freezable(K.Adam, compact=compact)(use_ema=True, gradient_accumulation_steps=2)
    network(optimizer)
    paths = [variable.path for variable in optimizer.variables]
    assert len(set(paths)) == len(paths)


@COMPACT
@WRAPPED
def test_an_h5_file_is_written_and_brings_masks_back(tmp_path, compact, wrapped):
    optimizer = freezable(K.Adam, compact=compact)(0.01)
    if wrapped:
        optimizer = freezable(K.LossScaleOptimizer)(optimizer, initial_scale=8.0)
    model, kernel = network(optimizer)
    optimizer.freeze_cells(kernel, FROZEN)
    fit(model, callbacks=[keras.callbacks.ModelCheckpoint(tmp_path / "best.h5", monitor="loss")])
    loaded = keras.models.load_model(tmp_path / "best.h5")
    assert_held(loaded, loaded.layers[0].kernel)


@pytest.mark.parametrize("rate", [None, 0.5], ids=["of the file", "set since"])
def test_of_an_h5_file_the_rate_counts_until_another_is_set(tmp_path, rate):
    model, _ = network(freezable(K.Adam)(0.01))
    fit(model)
    model.save(tmp_path / "whole.h5")
    loaded = keras.models.load_model(tmp_path / "whole.h5")
    optimizer = loaded.optimizer
    if rate:
        optimizer.learning_rate = rate
    optimizer.build(loaded.trainable_variables)
    assert float(optimizer.learning_rate) == np.float32(rate or 0.01)
    assert int(optimizer.iterations) == int(model.optimizer.iterations) > 0


@COMPACT
@pytest.mark.parametrize(
    "built",
    [
        pytest.param(False, id="built by fit"),
        pytest.param(True, id="built by hand", marks=THOROUGH),
    ],
)
@pytest.mark.parametrize(
    "around", [*(pytest.param(a, marks=THOROUGH) for a in (None, "hand")), "compile", "freezable"]
)
def test_masks_inside_a_loss_scale_optimizer_are_in_the_file(tmp_path, compact, built, around):
    optimizer = freezable(K.Adam, compact=compact)(0.01)
    whole = {
        None: lambda: optimizer,
        "compile": lambda: optimizer,
        "hand": lambda: K.LossScaleOptimizer(optimizer, initial_scale=8.0),
        "freezable": lambda: freezable(K.LossScaleOptimizer)(optimizer, initial_scale=8.0),
    }[around]()
    keras.config.set_dtype_policy("mixed_float16" if around == "compile" else "float32")
    try:
        model, kernel = network(whole, build=built)
        assert (type(model.optimizer) is K.LossScaleOptimizer) == (around in ("compile", "hand"))
        fit(model)
        optimizer.freeze_cells(kernel, FROZEN)
        fit(model)
        model.save(tmp_path / "model.keras")
        loaded = keras.models.load_model(tmp_path / "model.keras")
        kernel = loaded.layers[0].kernel
        inner = getattr(loaded.optimizer, "inner_optimizer", loaded.optimizer)
        assert (inner.frozen_cells(kernel).numpy() == FROZEN).all()
        assert_held(loaded, kernel)
    finally:
        keras.config.set_dtype_policy("float32")


def arranged(how, build):
    """A model whose optimizer freezes cells inside a LossScaleOptimizer, around it, or both."""
    cls = K.Adam if how == "around" else freezable(K.Adam)
    outer = K.LossScaleOptimizer if how == "inside" else freezable(K.LossScaleOptimizer)
    return network(outer(cls(0.01), initial_scale=8.0), build=build)


@pytest.mark.parametrize(
    ("there", "here", "build"),
    [
        ("around", "inside", False),  # built, Keras' own one raises
        ("inside", "around", False),
        ("inside", "around", True),
        ("around", "both", True),
        ("both", "around", False),
    ],
)
def test_a_file_of_another_arrangement_brings_nothing_and_says_so(tmp_path, there, here, build):
    saved, kernel = arranged(there, build=True)
    optimizer = saved.optimizer.inner_optimizer if there == "inside" else saved.optimizer
    optimizer.freeze_cells(kernel, FROZEN)
    fit(saved)
    saved.save_weights(tmp_path / "all.weights.h5")
    model, _ = arranged(here, build)

    def go_on():
        model.load_weights(tmp_path / "all.weights.h5")
        fit(model)

    with pytest.warns(UserWarning, match="Nothing was loaded .* not frozen now: call freeze"):
        go_on()


@pytest.mark.skipif(not MULTI, reason="an older Keras has none")
@COMPACT
def test_a_checkpoint_has_the_masks_inside_a_multi_optimizer(tmp_path, compact):
    """Keras itself saves nothing of the optimizers inside one."""
    runs = []
    for _ in range(2):
        inside = freezable(K.Adam, compact=compact)(0.01)
        runs.append(network(freezable(MULTI)(K.OptimizerMap(inside))))
    (model, kernel), (there, its) = runs
    model.optimizer.freeze_cells(kernel, FROZEN)
    fit(model)
    fit(there)
    path = tf.train.Checkpoint(model=model, optimizer=model.optimizer).save(tmp_path / "here")
    tf.train.Checkpoint(model=there, optimizer=there.optimizer).restore(path).assert_consumed()
    np.testing.assert_equal(memory(there.optimizer, its), memory(model.optimizer, kernel))
    assert_held(there, its)


@GRAPHS
@pytest.mark.parametrize("kind", ["weights", "checkpoint", "arrays"])
@pytest.mark.parametrize(
    ("here", "there"),
    [
        (True, False),
        pytest.param(False, True, marks=THOROUGH),
        pytest.param(True, True, marks=THOROUGH),
    ],
)
def test_a_compact_state_is_loaded_where_a_step_is_compiled(tmp_path, jit, kind, here, there):
    """With a mask into a session that has none, the other way round, and with another mask."""
    runs = []
    for number, masked in enumerate((here, there)):
        optimizer = freezable(K.Adam, compact=True)(0.01)
        model, kernel = network(optimizer, jit_compile=jit)
        if masked:
            optimizer.freeze_cells(kernel, frozen_rows(kernel, [0, 2]) if number else FROZEN)
        fit(model)
        runs.append((model, kernel, optimizer))
    (model, kernel, old), (loaded, its, new) = runs
    if kind == "weights":
        model.save_weights(tmp_path / "all.weights.h5")
        loaded.load_weights(tmp_path / "all.weights.h5")
    elif kind == "checkpoint":
        path = tf.train.Checkpoint(model=model, optimizer=old).save(tmp_path / "here")
        tf.train.Checkpoint(model=loaded, optimizer=new).restore(path).assert_consumed()
    else:
        loaded.set_weights(model.get_weights())
        new.set_weights([variable.numpy() for variable in old.variables])
    frozen = FROZEN & here
    assert (new.frozen_cells(its).numpy() == frozen).all()
    assert_held(loaded, its, frozen)
    fit(model)
    np.testing.assert_allclose(kernel, its, rtol=1e-5, atol=1e-6)


# --- copies ----------------------------------------------------------------------------------


@COMPACT
@pytest.mark.parametrize("how", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_has_the_masks_and_the_memory_when_it_is_built(compact, how):
    optimizer = freezable(K.Adam, compact=compact)(0.01)
    model, kernel = network(optimizer)
    fit(model)
    optimizer.freeze_cells(kernel, FROZEN)
    copied = how(optimizer)
    copied.build(model.trainable_variables)
    assert (copied.frozen_cells(kernel).numpy() == FROZEN).all()
    np.testing.assert_equal(memory(copied, kernel), memory(optimizer, kernel))
    model.compile(copied, "mse")
    assert_held(model, kernel)


class Mine(freezable(K.Adam)):
    """A subclass that somebody wrote stands in a module, and is pickled by its name."""


@pytest.mark.parametrize("cls", [freezable(K.Adam), freezable(K.Adam, compact=True), Mine])
def test_a_class_is_pickled_as_the_call_that_makes_it(cls):
    assert pickle.loads(pickle.dumps(cls)) is cls and copy.deepcopy(cls) is cls


def test_a_pickle_is_read_by_another_process(tmp_path):
    optimizer = freezable(K.Adam)(0.01)
    model, kernel = network(optimizer)
    optimizer.freeze_cells(kernel, FROZEN)
    (tmp_path / "optimizer.pickle").write_bytes(pickle.dumps(optimizer))
    read = (
        "import pickle, numpy as np, keras\n"
        f"one = pickle.load(open({str(tmp_path / 'optimizer.pickle')!r}, 'rb'))\n"
        "names = 'kernel', 'bias', 'kernel', 'bias'\n"
        "shapes = (4, 5), (5,), (5, 1), (1,)\n"
        "these = [keras.Variable(np.ones(s), name=n) for n, s in zip(names, shapes)]\n"
        "one.build(these)\n"
        "print(int(one.frozen_cells(these[0]).numpy().sum()), 'FROZEN')"
    )
    ran = subprocess.run([sys.executable, "-c", read], cwd=ROOT, capture_output=True, text=True)
    assert f"{FROZEN.sum()} FROZEN" in ran.stdout, ran.stderr[-2000:]


def test_a_copy_by_config_says_in_its_first_step_that_nothing_is_frozen():
    """SKLearnClassifier and clone_model copy a compiled model so."""
    optimizer = freezable(K.Adam)(0.01)
    model, kernel = network(optimizer)
    optimizer.freeze_cells(kernel, FROZEN)
    clone = keras.models.clone_model(model)
    clone.compile_from_config(model.get_compile_config())
    with pytest.warns(UserWarning, match="a config has no masks. Nothing is frozen: call freeze_"):
        fit(clone)
    again = keras.models.clone_model(model)
    again.compile_from_config(model.get_compile_config())
    again.optimizer.build(again.trainable_variables)
    again.optimizer.freeze_cells(again.layers[0].kernel, FROZEN)
    assert_held(again, again.layers[0].kernel)


# --- weight decay, averages, gathered gradients ----------------------------------------------


@COMPACT
@pytest.mark.parametrize("frozen", [pytest.param(False, marks=THOROUGH), True])
@pytest.mark.parametrize(
    "names",
    [["LayerNorm", "bias"], *(pytest.param([n], marks=THOROUGH) for n in ("head/", "gamma"))],
    ids=str,
)
def test_variables_excluded_by_name_do_not_decay(compact, frozen, names):
    moved = []
    for cls in (K.AdamW, freezable(K.AdamW, compact=compact)):
        keras.utils.set_random_seed(0)
        layers = [keras.layers.Dense(4), keras.layers.LayerNormalization(name="LayerNorm")]
        layers += [keras.layers.Dense(2, name="head", bias_initializer="ones")]
        model = keras.Sequential([keras.Input((4,)), *layers])
        optimizer = cls(0.1, weight_decay=0.5)
        optimizer.exclude_from_weight_decay(var_names=names)
        optimizer.build(model.trainable_variables)
        if cls is not K.AdamW and frozen:
            optimizer.freeze_cells(layers[0].kernel, np.eye(4, dtype=bool))
        model.compile(optimizer, lambda wanted, got: 0.0 * keras.ops.sum(got, -1))
        before = model.get_weights()
        fit(model)
        after = model.get_weights()
        moved.append([(old != new).any() for old, new in zip(before, after)])
    assert moved[0] == moved[1] and True in moved[0] and False in moved[0]


@COMPACT
@pytest.mark.parametrize(
    "cls", [K.Adam, pytest.param(K.SGD, marks=THOROUGH)], ids=lambda cls: cls.__name__
)
@pytest.mark.parametrize("overwrite", [1, None], ids=["each step", "at the end"])
@WARM
def test_a_thawed_cell_goes_on_from_its_weight_under_averages(compact, cls, overwrite, warm):
    options = {"use_ema": True, "ema_momentum": 0.99, "ema_overwrite_frequency": overwrite}
    optimizer = freezable(cls, compact=compact)(1e-3, **options)
    model, kernel = network(optimizer)
    if warm:
        fit(model)
    optimizer.freeze_cells(kernel, FROZEN)
    fit(model)
    before = kernel.numpy()
    optimizer.freeze_cells(kernel, FROZEN & False)
    fit(model)
    assert np.abs(kernel.numpy() - before)[FROZEN].max() < 0.05


@COMPACT
@WRAPPED
def test_an_average_lands_on_its_own_layer_though_the_one_before_trains_no_more(compact, wrapped):
    """Keras pairs them by their places: the second layer would get the first one's average."""
    layers = [keras.layers.Dense(2, use_bias=False) for _ in range(2)]
    model = keras.Sequential([keras.Input((2,)), *layers])
    for layer, value in zip(layers, (3.0, 5.0)):
        layer.kernel.assign(np.full((2, 2), value))
    optimizer, nothing = freezable(K.SGD, compact=compact)(0.1, use_ema=True), np.zeros((4, 2))
    whole = K.LossScaleOptimizer(optimizer) if wrapped else optimizer
    model.compile(whole, "mse")
    model.fit(nothing, nothing, verbose=0)  # without a gradient: averages stay what they are
    optimizer.freeze_cells(layers[1].kernel, np.eye(2, dtype=bool))
    layers[0].kernel.assign(np.full((2, 2), 4.0))  # whose average is still 3
    layers[0].trainable = False
    model.compile(whole, "mse")
    model.fit(nothing, nothing, verbose=0)
    first, second = model.get_weights()
    assert (first == 4).all() and np.abs(second - 5).max() < 1e-5


@COMPACT
@pytest.mark.parametrize(
    "on_epoch",
    [
        pytest.param(False, id="validation"),
        pytest.param(True, id="swap_on_epoch", marks=THOROUGH),
    ],
)
@WARM
@WRAPPED
def test_averages_are_swapped_in_and_frozen_cells_stay(compact, on_epoch, warm, wrapped):
    losses = []
    for freezes in (False, True):
        cls = freezable(K.Adam, compact=compact) if freezes else K.Adam
        optimizer = whole = cls(0.05, use_ema=True, ema_momentum=0.9)
        if wrapped:
            whole = K.LossScaleOptimizer(optimizer, initial_scale=1.0)
        model, kernel = network(whole)
        if freezes:
            optimizer.freeze_cells(kernel, FROZEN & False)
        swap = keras.callbacks.SwapEMAWeights(swap_on_epoch=on_epoch)
        watched = {"validation_data": (INPUTS, TARGETS), "callbacks": [swap], "epochs": 2}
        losses.append(fit(model, **watched).history["val_loss"])
    np.testing.assert_allclose(*losses, rtol=1e-6)
    if not warm:
        optimizer = whole = freezable(K.Adam, compact=compact)(0.05, use_ema=True)
        if wrapped:
            whole = K.LossScaleOptimizer(optimizer, initial_scale=1.0)
        model, kernel = network(whole)
    optimizer.freeze_cells(kernel, FROZEN)
    seen = Seen(kernel)
    watched["callbacks"] = [keras.callbacks.SwapEMAWeights(swap_on_epoch=on_epoch), seen]
    before = kernel.numpy()
    model.evaluate(INPUTS, TARGETS, verbose=0, callbacks=watched["callbacks"])
    assert_held(model, kernel, **watched)
    assert all(not changed_bits(before, value)[FROZEN].any() for value in seen.values)


class Seen(keras.callbacks.Callback):
    """Notes what a variable holds while the model is validated."""

    def __init__(self, variable):
        super().__init__()
        self.variable, self.values = variable, []

    def on_test_batch_end(self, batch, logs=None):
        self.values.append(self.variable.numpy())


@COMPACT
@pytest.mark.parametrize("clip", ["clipnorm", "global_clipnorm"])
@pytest.mark.parametrize("steps", [2, 3, 4])
@pytest.mark.parametrize(
    "jit", [pytest.param(None, id="eager"), pytest.param(False, id="graph"), JIT]
)
def test_what_a_frozen_cell_had_gathered_counts_in_no_norm(compact, clip, steps, jit):
    frozen = np.arange(16).reshape(4, 4) < 8
    gradient = tf.constant(np.where(frozen, 100, 1), tf.float32)
    options = {"gradient_accumulation_steps": steps, clip: 1e-3}
    mine, theirs = (keras.Variable(np.ones((4, 4), "float32"), name="a") for _ in range(2))
    ours, plain = freezable(K.SGD, compact=compact)(0.1, **options), K.SGD(0.1, **options)
    ours.build([mine])
    step = lambda: ours.apply([gradient], [mine])  # noqa: E731
    if compact:
        ours.freeze_cells(mine, frozen & False)
    step = step if jit is None else tf.function(step, jit_compile=jit)
    without = tf.where(frozen, 0.0, gradient)
    for number in range(3 * steps):
        if number == 1:
            ours.freeze_cells(mine, frozen)
        step()
        plain.apply([without], [theirs])
    np.testing.assert_allclose(mine.numpy()[~frozen], theirs.numpy()[~frozen], rtol=1e-6)
    assert (mine.numpy()[frozen] == 1).all()


@COMPACT
def test_what_a_cell_had_gathered_before_it_was_frozen_ends_with_its_round(compact):
    """As for a layer that trains no more: it does not count in a step long after."""
    variable, gradient = keras.Variable(np.zeros(2, "float32")), tf.constant([4.0, 4.0])
    optimizer = freezable(K.SGD, compact=compact)(1.0, gradient_accumulation_steps=4)
    optimizer.build([variable])
    for frozen, gradients in [((False, False), 3), ((True, False), 9), ((False, False), 4)]:
        optimizer.freeze_cells(variable, list(frozen))
        for _ in range(gradients):
            optimizer.apply([gradient], [variable])
    assert variable.numpy().tolist() == [-4, -16]


# --- words, threads, graphs ------------------------------------------------------------------


KINDS = ["free", "cells", "rows", "columns", "both"]  # of frozen cells in a table
CLASSES = [K.SGD, K.Adam, K.Adamax, K.Lion, K.RMSprop, K.Adagrad]


def repeats():
    """Every optimizer with every kind of mask, and Adam under XLA; most wait for --all."""
    quick = [(K.Adam, "cells"), (K.SGD, "both"), (K.Lion, "rows")]
    for cls, kind in itertools.product(CLASSES, KINDS):
        yield pytest.param(cls, kind, False, marks=[] if (cls, kind) in quick else THOROUGH)
    yield from (pytest.param(K.Adam, kind, True, marks=THOROUGH) for kind in KINDS)


@pytest.mark.parametrize(("cls", "kind", "jit"), list(repeats()))
def test_a_word_that_a_batch_repeats_trains_as_under_keras(cls, kind, jit):
    words = np.random.default_rng(0).integers(0, 10, (32, 4))
    targets = np.arange(32)[:, None] / 32
    frozen = np.random.default_rng(1).random((10, 3)) < 0.5 * (kind == "cells")
    frozen[::3] |= kind in ("rows", "both")
    frozen[:, 1] |= kind in ("columns", "both")
    tables = []
    for make in (lambda: cls(1e-2), lambda: freezable(cls, compact=True)(1e-2)):
        keras.utils.set_random_seed(0)
        table = keras.layers.Embedding(10, 3)
        layers = [keras.Input((4,), dtype="int32"), table, keras.layers.Flatten()]
        model, optimizer = keras.Sequential([*layers, keras.layers.Dense(1)]), make()
        optimizer.build(model.trainable_variables)
        start = table.embeddings.numpy()
        back = keras.callbacks.LambdaCallback(
            on_train_batch_end=lambda batch, logs, t=table, s=start: t.embeddings.assign(
                np.where(frozen, s, t.embeddings.numpy())
            )
        )
        if len(tables):
            optimizer.freeze_cells(table.embeddings, frozen)
        model.compile(optimizer, "mse", jit_compile=jit)
        callbacks = [] if len(tables) else [back]
        model.fit(words, targets, 8, 5, shuffle=False, verbose=0, callbacks=callbacks)
        tables.append(table.embeddings.numpy())
    np.testing.assert_allclose(*tables, rtol=1e-5, atol=1e-7)
    assert not changed_bits(start, tables[1])[frozen].any()


@pytest.mark.parametrize("kind", KINDS)
def test_rows_that_are_matrices_train_under_compact_as_under_a_mask(kind):
    frozen, found = np.random.default_rng(0).random((6, 2, 3)) < 0.5 * (kind == "cells"), []
    frozen[::2] |= kind in ("rows", "both")
    frozen[..., 1] |= kind in ("columns", "both")
    for compact in (False, True):
        variable = keras.Variable(np.arange(36.0).reshape(6, 2, 3), dtype="float32")
        optimizer = freezable(K.Adam, compact=compact)(0.1)
        optimizer.build([variable])
        optimizer.freeze_cells(variable, frozen)
        for rows in [0, 3, 3], [5, 1, 0]:
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.gather(variable.value, rows) ** 2)
            optimizer.apply(tape.gradient(loss, [variable.value]), [variable])
        found.append(variable.numpy())
    np.testing.assert_allclose(*found, rtol=1e-6)


@COMPACT
@GRAPHS
def test_masks_are_painted_beside_fit(compact, jit):
    """In another thread, as fast as it can; each step then has one mask or another."""
    optimizer, draw = freezable(K.Adam, compact=compact)(0.01), np.random.default_rng(0)
    model, kernel = network(optimizer, jit_compile=jit)
    always = np.arange(20).reshape(4, 5) < 7
    optimizer.freeze_cells(kernel, FROZEN & False)
    fit(model)
    optimizer.freeze_cells(kernel, always) if not compact else None
    stop, failed = threading.Event(), []

    def paint():
        try:
            while not stop.is_set():
                optimizer.freeze_cells(kernel, always | (draw.random((4, 5)) < 0.5))
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=paint)
    thread.start()
    fit(model)
    before = kernel.numpy()
    fit(model, epochs=4)
    stop.set()
    thread.join()
    assert not failed and not changed_bits(before, kernel.numpy())[always].any()
    assert np.isfinite(kernel.numpy()).all()
    optimizer.freeze_cells(kernel, FROZEN & False) if not compact else None
    fit(model)


def test_a_thread_beside_training_cannot_free_what_has_no_slots():
    optimizer = freezable(K.Adam, compact=True)(0.01)
    model, kernel = network(optimizer)
    optimizer.freeze_cells(kernel, FROZEN)
    fit(model)
    heard = []

    def thaw():
        with pytest.raises(ValueError) as error:
            optimizer.freeze_cells(kernel, FROZEN & False)
        heard.append(str(error.value))

    thread = threading.Thread(target=thaw)
    thread.start()
    thread.join()
    assert "10 cells of 'sequential" in heard[0] and "in the thread that trains" in heard[0]
    assert_held(model, kernel)
    optimizer.freeze_cells(kernel, FROZEN & False)
    assert_held(model, kernel, FROZEN & False)


@COMPACT
@GRAPHS
@pytest.mark.parametrize("first", [False, True], ids=["no mask before", "a mask before"])
def test_a_train_step_may_freeze(compact, jit, first):
    class Prunes(keras.Sequential):
        def train_step(self, data):
            kernel = self.layers[0].kernel
            self.optimizer.freeze_cells(kernel, tf.abs(kernel.value) < 0.3)
            return super().train_step(data)

    keras.utils.set_random_seed(0)
    model = Prunes([keras.Input((4,)), keras.layers.Dense(5), keras.layers.Dense(1)])
    optimizer, kernel = freezable(K.Adam, compact=compact)(1e-3), model.layers[0].kernel
    optimizer.build(model.trainable_variables)
    if first:
        optimizer.freeze_cells(kernel, FROZEN & False)
    model.compile(optimizer, "mse", jit_compile=jit)
    small, before = np.abs(kernel.numpy()) < 0.3, kernel.numpy()
    model.fit(INPUTS, TARGETS, 64, verbose=0)
    assert (changed_bits(before, kernel.numpy()) == ~small).all()


@GRAPHS
def test_a_graph_that_frees_what_has_no_slots_says_so(jit):
    optimizer, variable = freezable(K.Adam, compact=True)(0.1), keras.Variable(np.ones(6), name="a")
    optimizer.build([variable])
    optimizer.freeze_cells(variable, np.arange(6) < 4)

    @tf.function(jit_compile=jit)
    def step():
        optimizer.freeze_cells(variable, tf.range(6) < 1)
        optimizer.apply([tf.ones(6, variable.dtype)], [variable])

    before = variable.numpy()
    if jit:
        step()
        assert optimizer.frozen_cells(variable).numpy().tolist() == [True] * 4 + [False] * 2
        with pytest.warns(UserWarning, match="3 cells were thawed in compiled steps"):
            optimizer.finalize_variable_values([variable])
        assert (changed_bits(before, variable.numpy()) == (np.arange(6) > 3)).all()
    else:
        with pytest.raises(tf.errors.InvalidArgumentError, match="cells of .* would be free"):
            step()
        assert (variable.numpy() == before).all()


# --- wrappers, replicas, shapes --------------------------------------------------------------


class Lookahead(K.Optimizer):
    """A wrapper of one's own, whose `variables` are its own alone."""

    def __init__(self, inner, name="lookahead"):
        super().__init__(1.0, name=name)
        self.inner = inner

    def build(self, variables):
        super().build(variables)
        self.inner.build(variables)

    def apply(self, grads, variables=None):
        self.inner.apply(grads, variables)
        self._iterations.assign_add(1)


@pytest.mark.parametrize(
    "jit", [pytest.param(None, id="eager"), pytest.param(False, id="graph"), JIT]
)
@pytest.mark.parametrize(
    "make",
    [
        lambda: freezable(K.LossScaleOptimizer)(freezable(K.Adam, compact=True)(), 1.0),
        lambda: freezable(K.LossScaleOptimizer)(freezable(K.Adam)(), 1.0),
        lambda: freezable(Lookahead)(K.Adam()),
        lambda: freezable(Lookahead)(freezable(K.Adam, compact=True)()),
        lambda: freezable(Lookahead)(freezable(Lookahead)(K.Adam())),
    ],
    ids=["scale compact", "scale mask", "own", "own compact", "own in own"],
)
@pytest.mark.parametrize("before", [False, True], ids=["", "inner built before"])
def test_optimizers_in_wrappers_are_held(jit, make, before):
    variable, frozen = keras.Variable(np.ones((4, 4), "float32"), name="a"), np.eye(4, dtype=bool)
    optimizer = make()
    inner = getattr(optimizer, "inner", None) or optimizer.inner_optimizer
    if before:
        inner.build([variable])
    optimizer.build([variable])
    step = lambda: optimizer.apply([tf.ones((4, 4))], [variable])  # noqa: E731
    step = step if jit is None else tf.function(step, jit_compile=jit)
    step()
    for holder in (optimizer, inner):
        if hasattr(holder, "freeze_cells"):
            held = variable.numpy()
            holder.freeze_cells(variable, frozen)
            slots = holder.slots_of(variable)
            assert set(slots) >= {"momentum", "velocity"}
            step()
            assert (changed_bits(held, variable.numpy()) == ~frozen).all()
            holder.freeze_cells(variable, frozen & False)


@COMPACT
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0,), (), (1,), (2, 0, 3)], ids=str)
@pytest.mark.parametrize("all_frozen", [False, True])
def test_a_shape_may_be_of_no_cell_or_one(compact, shape, all_frozen):
    variable = keras.Variable(np.zeros(shape), name="a")
    other = keras.Variable(np.zeros(2), name="b")
    optimizer = freezable(K.Adam, compact=compact)()
    optimizer.build([variable, other])
    optimizer.freeze_cells(variable, np.full(shape, all_frozen))
    gradients = [tf.ones(shape, variable.dtype), tf.ones(2, other.dtype)]
    optimizer.apply(gradients, [variable, other])
    tf.function(lambda: optimizer.apply(gradients, [variable, other]))()
    assert ((variable.numpy() != 0) == (not all_frozen)).all() and (other.numpy() != 0).all()


SCOPE = """
import contextlib
import tensorflow as tf
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
import keras, numpy as np
from helpers.freezing import freezable
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
with strategy.scope():
    model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(5)])
for compact in (False, True):
    for place in (contextlib.nullcontext, strategy.scope):
        outside = freezable(keras.optimizers.Adam, compact=compact)()
        try:
            with place():
                outside.build(model.trainable_variables)
        except ValueError as error:
            print("TOLD", error)
model.compile(freezable(keras.optimizers.Adam)(), "mse")
try:
    model.fit(np.ones((4, 6)), np.ones((4, 5)), verbose=0)
except ValueError as error:
    print("TOLD", error)
"""


@THOROUGH
def test_an_optimizer_made_outside_of_the_scope_is_refused_in_words():
    """In a loop, plain Keras trains, and counts each step once for every replica."""
    ran = subprocess.run([sys.executable, "-c", SCOPE], cwd=ROOT, capture_output=True, text=True)
    assert ran.stdout.count("Make it within `with strategy.scope():`") == 5, ran.stderr[-2000:]
    assert "kernel' has a copy on each replica" in ran.stdout


# --- words -----------------------------------------------------------------------------------


def told(error, call):
    with pytest.raises(error) as raised:
        call()
    return str(raised.value)


@COMPACT
def test_what_is_refused_names_the_variable_and_the_next_step(compact):
    optimizer = freezable(K.Adam, compact=compact)()
    model, kernel = network(optimizer, build=False)
    assert "call optimizer.build" in told(
        ValueError, lambda: optimizer.freeze_cells(kernel, FROZEN)
    )
    optimizer.build(model.trainable_variables)
    path = f"{model.name}/dense"
    freeze = optimizer.freeze_cells
    for mask, error, text in (
        ([0, 1, 2], TypeError, "frozen_rows(variable, rows)"),
        (np.ones((4, 5)), TypeError, "pass mask > 0.5"),
        (slice(0, 3), TypeError, "slice(0, 3, None) (slice) arrived as the mask"),
        (None, TypeError, "np.zeros((4, 5), bool)"),
        ("all", TypeError, "frozen_rows"),
        (FROZEN[0], ValueError, "shape (5,) arrived"),
        ([[True], [True, False]], TypeError, "np.zeros((4, 5), bool)"),
    ):
        words = told(error, lambda mask=mask: freeze(kernel, mask))
        assert text in words and path in words and ":0" not in words
    model.layers[0].enable_lora(2)
    computed = told(ValueError, lambda: freeze(model.layers[0].kernel, FROZEN))
    assert "EagerTensor arrived where a variable was wanted" in computed
    assert "layer.trainable_variables" in computed and "enable_lora" in computed
    layer = told(ValueError, lambda: freeze(model.layers[0], FROZEN))
    assert "Dense arrived where a variable was wanted" in layer and "lora" not in layer
    late = keras.Variable(np.ones(3), name="late")
    words = told(ValueError, lambda: freeze(late, np.ones(3, bool)))
    assert "'late' arrived" in words and "and 1 more" in words and "take_over" in words
    words = told(
        tf.errors.InvalidArgumentError,
        lambda: optimizer.apply([tf.ones((2, 2))], [model.layers[1].kernel]),
    )
    assert "A gradient of shape (2, 2) arrived for" in words and "(5, 1)" in words


@pytest.mark.parametrize("columns", [[], [2], range(5)], ids=["rows", "and a column", "all"])
def test_where_adafactor_divides_by_zero_a_warning_says_so(columns):
    variable = keras.Variable(np.ones((4, 5)), dtype="float32", name="kernel")
    frozen = frozen_rows(variable, [1])
    frozen[:, list(columns)] = True
    optimizer = freezable(K.Adafactor)(0.01)
    optimizer.build([variable])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        optimizer.freeze_cells(variable, frozen)
    optimizer.apply([tf.ones((4, 5))], [variable])
    warned = any("'kernel' a whole row and a whole column" in str(one.message) for one in caught)
    assert warned == (len(columns) == 1) == np.isnan(variable.numpy()).any()
    assert (variable.numpy()[frozen] == 1).all()


def test_rows_are_frozen_by_their_numbers():
    table = keras.Variable(np.zeros((5, 2)), name="table")
    for rows in ([0, 3], (0, 3), np.array([0, -2]), range(0, 4, 3), slice(0, 4, 3)):
        assert frozen_rows(table, rows).all(1).tolist() == [True, False, False, True, False]
    assert frozen_rows(table, np.arange(5) == 1).all(1).tolist() == [False, True, *[False] * 3]
    for flags in ([0, 1, 1, 0, 1], np.ones(5, "int32")):
        assert "pass rows > 0.5" in told(ValueError, lambda flags=flags: frozen_rows(table, flags))
    pair = keras.Variable(np.zeros((2, 2)), name="pair")  # whose numbers of rows these may be
    assert frozen_rows(pair, [0, 1]).all() and frozen_rows(table, [1, 0, 1, 0]).any(1).sum() == 2
    for rows in (slice(6, 9), slice(3, 2)):
        assert "has 5 rows" in told(IndexError, lambda rows=rows: frozen_rows(table, rows))
    for rows in (4, np.int64(4)):
        words = told(TypeError, lambda r=rows: frozen_rows(table, r))
        assert "pass [4] for that row, or range(4)" in words
    assert "a variable was wanted" in told(
        TypeError, lambda: frozen_rows(keras.layers.Dense(1), [1])
    )
    assert len(told(IndexError, lambda: frozen_rows(table, range(600)))) < 250
    assert not frozen_rows(table, []).any() and frozen_rows(table, [1]).shape == (5, 2)
    assert "'table', which has 5 rows" in told(IndexError, lambda: frozen_rows(table, [5]))
    for rows in ([0.5], "a"):
        assert "whole numbers were wanted" in told(TypeError, lambda r=rows: frozen_rows(table, r))


def test_optimizers_of_keras_2_are_refused_with_what_holds_there():
    old = type("Adam", (), {"__module__": "tf_keras.src.optimizers.adam"})
    for arrived in (old, old()):
        words = told(TypeError, lambda one=arrived: freezable(one))
        assert "Keras 3" in words and "a constraint" in words
