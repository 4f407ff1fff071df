"""Masks that are computed or changed inside a tf.function."""

import numpy as np
import pytest

from helpers.device import keras, tf
from helpers.freezing import freezable
from tests.freezing.steps import snapshot

K = keras.optimizers


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


def test_a_jit_loop_that_freezes_does_so_after_a_checkpoint_of_an_earlier_state(tmp_path):
    optimizer, variable = freezable(K.Adam)(0.1), keras.Variable(np.zeros(4, "float32"))
    optimizer.build([variable])
    path = tf.train.Checkpoint(optimizer=optimizer).save(tmp_path / "here")

    @tf.function(jit_compile=True)
    def steps():
        for _ in tf.range(2):
            optimizer.freeze_cells(variable, tf.range(4) < 2)
            optimizer.apply([tf.ones(4)], [variable])

    for _ in range(2):
        before = variable.numpy()
        steps()
        assert (variable.numpy() != before).tolist() == [False, False, True, True]
        tf.train.Checkpoint(optimizer=optimizer).restore(path).assert_consumed()


@pytest.mark.parametrize("jit", [False, True], ids=["graph", "jit"])
def test_a_mask_that_was_set_in_a_graph_is_in_force_where_its_state_is_loaded(jit):
    first, second = (keras.Variable(np.zeros(4, "float32")) for _ in range(2))
    optimizer, loaded = freezable(K.Adam)(0.1), freezable(K.Adam)(0.1)
    optimizer.build([first])
    loaded.build([second])
    tf.function(lambda: optimizer.freeze_cells(first, tf.range(4) < 2), jit_compile=jit)()
    loaded.set_weights([variable.numpy() for variable in optimizer.variables])
    loaded.apply([tf.ones(4)], [second])
    assert (second.numpy() != 0).tolist() == [False, False, True, True]


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
