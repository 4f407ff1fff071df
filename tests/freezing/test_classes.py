"""Classes that freezable makes, optimizers of one's own, and what errors say."""

import functools

import numpy as np
import pytest

from helpers.device import keras, tf
from helpers.freezing import freezable, slots
from helpers.freezing import optimizer as freezing
from tests.freezing.cases import CLASSES
from tests.freezing.networks import odd_rows
from tests.freezing.steps import prepared

K = keras.optimizers


@pytest.mark.parametrize("base", [*CLASSES, K.LossScaleOptimizer], ids=lambda base: base.__name__)
def test_class_is_a_subclass_that_serializes(base):
    cls = freezable(base)
    assert freezable(base) is cls and freezable(cls) is cls and issubclass(cls, base)
    optimizer = cls(K.Adam(0.5)) if base is K.LossScaleOptimizer else cls(0.5, name="mine")
    again = K.deserialize(K.serialize(optimizer))
    assert type(again) is cls and again.get_config() == optimizer.get_config()
    assert cls.from_config(optimizer.get_config()).name == optimizer.name


@pytest.mark.parametrize("options", [{}, {"use_ema": True}], ids=str)
def test_nothing_frozen_means_the_step_of_keras_itself(monkeypatch, options):
    optimizer, variables = prepared(options)
    optimizer.freeze_cells(variables[0], np.zeros((2, 3), bool))
    monkeypatch.setattr(freezing, "without_frozen", None)
    monkeypatch.setattr(slots, "_keep", None)
    monkeypatch.setattr(optimizer.registry, "find", None)
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
            if jit is not None:
                step = tf.function(step, jit_compile=jit)
            step()
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
    for stranger, text in (
        (keras.Variable(1.0, name="bias"), r"'bias' arrived, .* \(but for 'kernel'\)"),
        (np.ones(3), "ndarray arrived where a variable was wanted"),
    ):
        with pytest.raises(ValueError, match=text):
            optimizer.frozen_cells(stranger)
    assert not optimizer.frozen_cells(variable).numpy().any()
    with pytest.raises(ValueError, match="1 gradients and 2 variables arrived"):
        optimizer.apply([tf.ones((2, 3))], [variable, variable])
    for wrong in (K.Adam(), int, "adam", K.schedules.ExponentialDecay):
        with pytest.raises(TypeError, match="a Keras optimizer class was wanted"):
            freezable(wrong)


OF_TF_KERAS = type("Adam", (), {"__module__": "tf_keras.src.optimizers.adam"})
OLD = {
    "tf_keras": (OF_TF_KERAS, r"of tf_keras .* a callback holds that assigns tf.where\(frozen"),
    "legacy": (K.legacy.Adam, "of the same name in keras.optimizers"),
    "tf 1": (tf.compat.v1.train.AdamOptimizer, r"of TensorFlow 1, .* Use freezable\(keras"),
}


@pytest.mark.parametrize("name", OLD)
def test_an_optimizer_of_older_times_is_refused_with_what_holds_in_its_place(name):
    kind, text = OLD[name]
    with pytest.raises(TypeError, match=text):
        freezable(kind)
    if name != "legacy":  # Keras makes none of these
        with pytest.raises(TypeError, match=text):
            freezable(kind())


def test_another_backend_is_refused_with_what_to_do(monkeypatch):
    monkeypatch.setattr(keras.backend, "backend", lambda: "jax")  # which is not installed
    with pytest.raises(RuntimeError, match="Keras runs on jax here; .* KERAS_BACKEND=tensorflow"):
        freezable(K.Adam)


def test_gradients_alone_are_of_the_variables_as_they_were_given():
    """Keras' own variable knows its constraint, the one inside does not."""
    variable = keras.Variable(np.ones(3, "float32"))
    variable.constraint = keras.constraints.NonNeg()
    optimizer = freezable(keras.optimizers.SGD)(1.0)
    optimizer.build([variable])
    optimizer.freeze_cells(variable, [True, False, False])
    optimizer.apply([tf.constant([5.0, 5.0, 0.5])])
    assert variable.numpy().tolist() == [1, 0, 0.5]
