"""Optimizers by name: the usual ones, any of Keras, and one's own."""

import pytest

from helpers import optimizers
from helpers.device import keras
from helpers.freezing import freezable


@pytest.mark.parametrize(
    ("name", "kind"), [("sgd", "SGD"), ("AdamW", "AdamW"), ("RMSprop", "RMSprop"), ("lion", "Lion")]
)
def test_an_optimizer_can_be_named_as_keras_names_it(name, kind):
    made = optimizers.freezable_optimizer(name)
    assert (
        isinstance(made, getattr(keras.optimizers, kind))
        and optimizers.name_of(name) == name.lower()
    )


def test_momentum_is_descent_with_momentum():
    assert optimizers.freezable_optimizer("momentum", 0.25).momentum == 0.9
    assert optimizers.freezable_optimizer("sgd").momentum == 0


@pytest.mark.parametrize("name", list(optimizers.LISTED))
def test_the_rate_that_suits_a_task_is_used(name):
    assert optimizers.freezable_optimizer(name, 0.25).learning_rate.numpy() == 0.25


def test_an_optimizer_object_is_copied_with_its_settings():
    mine = keras.optimizers.Adam(0.5, name="mine", weight_decay=0.25)
    mine.build([keras.Variable([1.0])])
    exact = freezable(keras.optimizers.Adam).from_config(mine.get_config())
    for copy in (optimizers.freezable_optimizer(mine, 0.1), optimizers.freezable_optimizer(exact)):
        assert isinstance(copy, keras.optimizers.Adam) and hasattr(copy, "freeze_cells")
        assert copy is not mine and not copy.built and copy.get_config() == mine.get_config()
    assert optimizers.name_of(mine) == "mine"


def test_that_keras_counts_optimizers_up_does_not_change_their_names():
    first, second = keras.optimizers.Adam(), keras.optimizers.Adam(0.5)
    assert second.name != first.name
    assert optimizers.name_of(first) == optimizers.name_of(second) == "adam"
    assert optimizers.name_of(keras.optimizers.SGD(name="round_2")) == "round_2"


def test_an_optimizer_of_two_words_has_one_name_whoever_made_it():
    first, second = keras.optimizers.AdamW(), keras.optimizers.AdamW()
    assert "_" in first.name
    assert optimizers.name_of(first) == optimizers.name_of(second) == "adamw"


@pytest.mark.parametrize("name", ["adamm", "", None, "optimizer", "get", "schedules"])
def test_an_unname_of_hears_what_is_wanted(name):
    for call in (optimizers.name_of, optimizers.freezable_optimizer):
        with pytest.raises(ValueError) as refused:
            call(name)
        said = str(refused.value)
        assert repr(name) in said and "Keras" in said and "'adamw'" in said
