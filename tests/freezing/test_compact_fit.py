"""The compact freeze in `model.fit`, however it is compiled, and in files."""

import itertools

import pytest

from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.freezing import freezable
from tests.freezing.cases import AVERAGES, CLIPS
from tests.freezing.compact import KINDS, take_for
from tests.freezing.networks import INPUTS, TARGETS, odd_rows

K = keras.optimizers
JIT = pytest.param(True, id="jit", marks=pytest.mark.thorough)  # XLA takes seconds
GRAPHS = pytest.mark.parametrize("jit", [pytest.param(False, id="graph"), JIT])


def network(optimizer, **compiled):
    keras.utils.set_random_seed(0)
    hidden = keras.layers.Dense(5, "relu", kernel_regularizer="l2")
    model = keras.Sequential([keras.layers.Input((4,)), hidden, keras.layers.Dense(1)])
    model.compile(optimizer, "mse", **compiled)
    optimizer.build(model.trainable_variables)
    return model, hidden.kernel


def fit(model, epochs=1):
    model.fit(INPUTS, TARGETS, 8, epochs, verbose=0, shuffle=False)


WAYS = {
    "plain": {},
    "jit": {"jit_compile": True},
    "eager": {"run_eagerly": True},
    "several steps": {"steps_per_execution": 4},
}


def fits():
    """Every option in a graph and under XLA, and without one every size and way of compiling. What
    is compiled stays in memory, so it is not every one with every other. Without --all, each option
    in a graph, each size, and each way."""
    for options in (*CLIPS, *AVERAGES, {"gradient_accumulation_steps": 2}):
        ways = [("small", "plain"), ("small", "jit")]
        for kind, way in ways if options else itertools.product(KINDS, WAYS):
            quick = way == "plain" or (kind == "small" and not options)
            marks = [] if quick else pytest.mark.thorough
            name = f"{'-'.join(options) or 'nothing'}-{kind}-{way}"
            yield pytest.param(options, kind, way, id=name, marks=marks)


@pytest.mark.parametrize(("options", "kind", "way"), list(fits()))
def test_fit_keeps_frozen_cells(monkeypatch, options, kind, way):
    take_for(monkeypatch, kind)
    optimizer = freezable(K.AdamW, compact=True)(0.01, weight_decay=0.1, **options)
    model, kernel = network(optimizer, **WAYS[way])
    frozen, start = odd_rows(kernel), kernel.numpy()
    optimizer.freeze_cells(kernel, frozen)
    fit(model, 2)
    assert (changed_bits(start, kernel.numpy()) == ~frozen).all()
    before = kernel.numpy()
    optimizer.freeze_cells(kernel, ~frozen)
    fit(model)
    assert (changed_bits(before, kernel.numpy()) == frozen).all()


@GRAPHS
@pytest.mark.parametrize("kind", ["small", "masked"])
def test_inside_an_optimizer_that_scales_the_loss(monkeypatch, kind, jit):
    take_for(monkeypatch, kind)
    optimizer = freezable(K.Adam, compact=True)(0.01)
    outer = K.LossScaleOptimizer(optimizer, initial_scale=8.0)
    model, kernel = network(outer, jit_compile=jit)
    frozen, start = odd_rows(kernel), kernel.numpy()
    optimizer.freeze_cells(kernel, frozen)
    fit(model, 2)
    assert (changed_bits(start, kernel.numpy()) == ~frozen).all()


@pytest.mark.parametrize("kind", ["small", "masked"])
def test_a_file_for_other_variables_warns_that_nothing_is_frozen_now(monkeypatch, tmp_path, kind):
    take_for(monkeypatch, kind)
    model, kernel = network(freezable(K.Adam, compact=True)())
    model.optimizer.freeze_cells(kernel, odd_rows(kernel))
    model.save_weights(tmp_path / "model.weights.h5")
    other, _ = network(freezable(K.SGD, compact=True)())
    with pytest.warns(UserWarning, match="not frozen now: call freeze_cells again"):
        other.load_weights(tmp_path / "model.weights.h5")


@pytest.mark.parametrize(
    ("kind", "options"),
    [("small", {"use_ema": True}), pytest.param("masked", {}, marks=pytest.mark.thorough)],
)
@pytest.mark.parametrize("file", ["model", "weights", "checkpoint", "by hand"])
@GRAPHS
def test_files_bring_masks_and_slots_back(monkeypatch, tmp_path, file, kind, options, jit):
    take_for(monkeypatch, kind)
    optimizer = freezable(K.Adam, compact=True)(0.01, **options)
    model, kernel = network(optimizer, jit_compile=jit)
    optimizer.freeze_cells(kernel, odd_rows(kernel))
    fit(model)
    if file == "model":
        model.save(tmp_path / "model.keras")
        loaded = keras.models.load_model(tmp_path / "model.keras")
    else:
        loaded, _ = network(freezable(K.Adam, compact=True)(0.01, **options), jit_compile=jit)
    if file == "weights":
        model.save_weights(tmp_path / "model.weights.h5")
        loaded.load_weights(tmp_path / "model.weights.h5")
    elif file == "checkpoint":
        path = tf.train.Checkpoint(model=model, optimizer=optimizer).save(tmp_path / "here")
        there = tf.train.Checkpoint(model=loaded, optimizer=loaded.optimizer)
        there.restore(path).assert_consumed()
    elif file == "by hand":
        loaded.set_weights(model.get_weights())
        loaded.optimizer.set_weights([v.numpy() for v in optimizer.variables])
    twin = loaded.layers[0].kernel
    assert (loaded.optimizer.frozen_cells(twin).numpy() == odd_rows(kernel)).all()
    before = kernel.numpy()
    fit(model)
    fit(loaded)
    assert (changed_bits(before, twin.numpy()) == ~odd_rows(kernel)).all()
    assert not changed_bits(kernel.numpy(), twin.numpy()).any()
