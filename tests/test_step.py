"""The one training step: each technique acts where it says, and nothing else is changed."""

import numpy as np
import pytest

from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.step import Cells, training_step
from helpers.techniques import TECHNIQUES, Technique

FROZEN = np.array([True, False, True, False])
START = np.array([1.0, 2.0, 3.0, 4.0], np.float32)


def step(technique, apply=None, shadow=None, loss=None):
    """One step of plain descent on the sum of squares; returns the loss and the two variables."""
    variables = [keras.Variable(START), keras.Variable(START)]
    optimizer = keras.optimizers.SGD(0.1)
    optimizer.build(variables)
    value = training_step(
        technique,
        variables,
        {1: Cells(tf.constant(FROZEN), shadow)},
        loss or (lambda values: tf.add_n([tf.reduce_sum(value**2) for value in values])),
        apply or (lambda gradients: optimizer.apply(gradients, variables)),
    )
    return float(value), *[variable.numpy() for variable in variables]


@pytest.mark.parametrize("name", sorted(set(TECHNIQUES) - {"free_values"}))
def test_each_technique_holds_the_frozen_cells_of_one_variable_and_trains_the_rest(name):
    loss, other, painted = step(TECHNIQUES[name], shadow=tf.constant(START))
    assert loss == 60
    np.testing.assert_allclose(other, 0.8 * START, rtol=1e-6)
    holds = name not in ("none", "exact")  # the exact freeze belongs to the optimizer
    assert (changed_bits(START, painted) == (~FROZEN if holds else True)).all()


def test_a_vector_of_the_free_values_trains_and_the_model_sees_them_among_the_held():
    held, free = tf.constant(START), keras.Variable(START[~FROZEN])
    other, optimizer, seen = keras.Variable(START), keras.optimizers.SGD(0.1), []
    optimizer.build([other, free])

    def loss(values):
        seen.append(values[1].numpy())
        return tf.add_n([tf.reduce_sum(value**2) for value in values])

    def apply(gradients):
        assert [gradient.shape for gradient in gradients] == [(4,), (2,)]
        optimizer.apply(gradients, [other, free])

    cells = {1: Cells(shadow=held, places=tf.where(~FROZEN))}
    value = training_step(TECHNIQUES["free_values"], [other, free], cells, loss, apply)
    assert float(value) == 60 and not changed_bits(START, seen[0]).any()
    np.testing.assert_allclose(free.numpy(), 0.8 * START[~FROZEN], rtol=1e-6)
    assert not changed_bits(START, held.numpy()).any()


def test_the_places_come_in_the_order_of_a_step():
    places = []

    def note(place):
        def act(*values):
            places.append(place)
            return values[-2]

        return act

    technique = Technique("all", *map(note, ("weights", "shadow", "gradient", "after")))

    def loss(values):
        places.append("loss")
        return tf.reduce_sum(values[1])

    step(technique, lambda gradients: places.append("apply"), tf.constant(START), loss)
    assert places == ["weights", "shadow", "loss", "gradient", "apply", "after"]


def test_a_variable_that_the_loss_does_not_see_has_no_gradient():
    gradients = []
    step(TECHNIQUES["none"], gradients.extend, loss=lambda values: tf.reduce_sum(values[1] ** 2))
    assert gradients[0] is None
    np.testing.assert_array_equal(gradients[1], 2 * START)


def test_the_rows_of_a_table_arrive_as_a_whole_gradient():
    gradients = []
    step(
        TECHNIQUES["where_gradient"],
        gradients.extend,
        loss=lambda values: tf.reduce_sum(tf.gather(values[1], [0, 1, 1])),
    )
    np.testing.assert_array_equal(gradients[1], [0, 2, 0, 0])
