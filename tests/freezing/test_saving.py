"""Files, checkpoints and weights bring masks back, and training goes on as before."""

import warnings

import numpy as np
import pytest

from helpers.device import keras, tf
from helpers.freezing import freezable
from tests.freezing.networks import fit, network, odd_rows, rich

K = keras.optimizers


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


@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize("around", ["alone", "loss scale"])
def test_a_file_from_before_the_freeze_thaws_and_says_so(tmp_path, compact, around):
    optimizer = freezable(K.Adam, compact=compact)(0.01)
    outer = optimizer
    if around == "loss scale":
        outer = freezable(K.LossScaleOptimizer)(K.Adam(0.01))
        optimizer = outer
    model, kernel = network(outer)
    kernel.constraint = None  # which a compact optimizer refuses
    fit(model)
    model.save_weights(tmp_path / "before.weights.h5")
    optimizer.freeze_cells(kernel, odd_rows(kernel))
    fit(model)
    model.save_weights(tmp_path / "after.weights.h5")
    with pytest.warns(UserWarning, match="frozen cells of .* are free now, .* call freeze_cells"):
        model.load_weights(tmp_path / "before.weights.h5")
    assert not optimizer.frozen_cells(kernel).numpy().any()
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        model.load_weights(tmp_path / "after.weights.h5")
        model.load_weights(tmp_path / "after.weights.h5")
    assert (optimizer.frozen_cells(kernel).numpy() == odd_rows(kernel)).all()


def test_masks_that_a_file_cannot_bring_back_are_named(tmp_path):
    """A variable's own flag is not in a file, so the loaded model trains one variable more."""
    optimizer = rich()
    model, kernel = network(optimizer)
    model.layers[0].bias.trainable = False
    model.compile(optimizer, "mse")
    fit(model)
    model.save(tmp_path / "none.keras")
    optimizer.freeze_cells(kernel, odd_rows(kernel))
    model.save(tmp_path / "some.keras")
    with pytest.warns(UserWarning, match="not frozen now: call freeze_cells again"):
        loaded = keras.models.load_model(tmp_path / "some.keras")
    assert not loaded.optimizer.frozen_cells(loaded.layers[0].kernel).numpy().any()
    with pytest.warns(UserWarning, match="Skipping variable loading") as warned:
        keras.models.load_model(tmp_path / "none.keras")
    assert not any("freeze_cells" in str(warning.message) for warning in warned)


JIT = pytest.param(True, marks=pytest.mark.thorough, id="jit")


@pytest.mark.parametrize("jit", [pytest.param(False, id="graph"), JIT])
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
