"""model.fit keeps frozen cells, however it is compiled."""

import numpy as np
import pytest

from helpers.device import keras
from helpers.freezing import freezable, slots
from tests.freezing.networks import fit, network, odd_rows, rich

K = keras.optimizers


FITS = {
    "plain": {},
    "jit": {"jit_compile": True},
    "eager": {"run_eagerly": True},
    "several steps": {"steps_per_execution": 4},
    "several steps, jit": {"steps_per_execution": 4, "jit_compile": True},
}


def fits():
    """Every optimizer, way of compiling and size that counts as large; most wait for --all."""
    quick = {("rich", "plain"), ("rich", "jit"), ("rich", "eager"), ("adam", "several steps")}
    for name, make in {"rich": rich, "adam": lambda: freezable(K.Adam)(0.01)}.items():
        for way, compiled in FITS.items():
            for size, large in {"small": slots.LARGE, "large": 0}.items():
                marks = [] if (name, way) in quick and large else pytest.mark.thorough
                yield pytest.param(make, compiled, large, id=f"{name}-{way}-{size}", marks=marks)


@pytest.mark.parametrize(("make_one", "compiled", "large"), list(fits()))
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


@pytest.mark.parametrize(
    "policy", ["mixed_float16", pytest.param("mixed_bfloat16", marks=pytest.mark.thorough)]
)
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
