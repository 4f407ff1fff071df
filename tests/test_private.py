"""What is private to TensorFlow is where it is looked for; if not, what is said here is lost."""

import pytest

from helpers import private
from helpers.device import tf


def test_custom_gradients_are_registered_and_forgotten():
    """Without the register, playgrounds of one's own models keep their memory."""
    before = private.registered_gradients()

    @tf.custom_gradient
    def same(x):
        return tf.identity(x), lambda upstream: upstream

    tf.function(lambda: same(tf.constant(1.0)))()
    new = private.registered_gradients() - before
    assert new
    private.forget_gradients(new)
    assert private.registered_gradients() == before


def test_gradients_are_forgotten_after_an_error_too():
    before = private.registered_gradients()

    @tf.custom_gradient
    def same(x):
        return tf.identity(x), lambda upstream: upstream

    def trace():
        with private.gradients_forgotten():
            tf.function(lambda: same(tf.constant(1.0)))()
            raise ValueError(private.registered_gradients() - before)

    with pytest.raises(ValueError, match="CustomGradient"):
        trace()
    assert private.registered_gradients() == before


@pytest.fixture
def graph():
    """count -> what is in a variable plus the count, and the variable that it was traced with."""
    variable = tf.Variable(10)
    count = tf.TensorSpec((), tf.int32)
    function = tf.function(lambda count: [variable + count], [count])
    return function.get_concrete_function(), variable


@pytest.mark.parametrize("way", ["by its own name", "the public one"])
def test_a_graph_runs_with_another_variable(graph, way, monkeypatch):
    """Without `_call_flat`, each graph of a playground keeps some 10 MB."""
    function, _ = graph
    (owner,) = [kind for kind in type(function).__mro__ if "_call_flat" in vars(kind)]
    if way == "the public one":
        monkeypatch.delattr(owner, "_call_flat")
    other = tf.Variable(32)
    (found,) = private.call(function, [tf.constant(5)], [other.handle])
    assert int(found) == 37
