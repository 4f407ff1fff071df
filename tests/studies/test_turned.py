"""The reader of *What freezing does to a model*: what is frozen stays, and all begin alike."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import networks
from helpers.device import keras
from helpers.studies import continual, trials, turned


@pytest.fixture(scope="module")
def reader():
    return turned.TurnedReader()


@pytest.mark.parametrize(("kind", "count"), [("free", 0), ("frozen", 4)])
def test_frozen_layers_stay_and_the_others_train(reader, kind, count):
    before = reader._base(0)
    reader.judged(kind, 0.01, 3, seed=0, images=50)
    same = [np.array_equal(*pair) for pair in zip(before, reader._network.get_weights())]
    assert same == [True] * count + [False] * (6 - count)


def test_the_last_layer_learns_alone_what_it_learns_in_the_network(reader):
    network = networks.dense(0, turned.WIDTHS, dtype="float64")
    last = network.layers[-1].trainable_variables
    whole = trials.Trial(network, keras.optimizers.Adam(0.01), batch=32, variables=last)
    whole.restart(reader._base(0))
    examples = turned._shuffled(continual.turned_by(45), 0)
    whole.train(*(values[:50] for values in examples), 20, seed=0)
    reader.judged("frozen", 0.01, 20, seed=0, images=50)
    for alone, within in zip(reader._network.get_weights(), network.get_weights()):
        np.testing.assert_allclose(alone, within, rtol=1e-9)


def test_at_a_rate_of_0_nothing_is_learnt(reader):
    free, held = (reader.judged(kind, 0.0, 2, seed=0) for kind in ("free", "frozen"))
    np.testing.assert_array_equal(free, held)
    assert free[1] < 40


def test_few_wrong_labels_are_soon_learnt_by_heart_and_none_are_known_before(reader):
    case = {"seed": 0, "images": 50, "wrong": 0.2}
    assert reader.judged("free", 0.03, 100, **case)[2] == 100
    assert reader.judged("free", 0.0, 1, **case)[2] < 40
    assert np.isnan(reader.judged("free", 0.03, 1, seed=0)[2])


@given(st.lists(st.integers(0, 9), min_size=1), st.integers(0, 99))
def test_a_wrong_label_is_another_digit(labels, seed):
    others = turned._others(np.array(labels), seed)
    assert (others != labels).all() and others.min() >= 0 and others.max() <= 9


def test_an_unknown_kind_is_refused_by_name(reader):
    with pytest.raises(ValueError, match="first layer"):
        reader.judged("first layer", 0.01, 3, seed=0)
