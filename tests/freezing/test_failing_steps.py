"""A step that raises changes nothing."""

import functools

import numpy as np
import pytest

from helpers.device import keras, tf
from helpers.freezing import freezable, slots
from tests.freezing.steps import assert_unchanged_by, interrupt, prepared

K = keras.optimizers


@pytest.mark.parametrize("options", [{}, {"weight_decay": 0.1}, {"use_ema": True}], ids=str)
@pytest.mark.parametrize("raised", [KeyboardInterrupt, ValueError])
@pytest.mark.parametrize("thaw", [False, True])
def test_eager_step_that_raises_midway_is_undone(monkeypatch, options, raised, thaw):
    optimizer, variables = prepared(options)
    if thaw:
        optimizer.freeze_cells(variables[0], np.zeros((2, 3), bool))
    interrupt(monkeypatch, freezable(K.Adam), raised)

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
