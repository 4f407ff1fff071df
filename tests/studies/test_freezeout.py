"""FreezeOut's readers: each layer trains at its own rate, and stays where that is 0."""

import numpy as np
import pytest

from helpers import networks
from helpers.bits import changed_bits
from helpers.device import keras
from helpers.studies import continual, freezeout, trials


@pytest.fixture(scope="module")
def readers():
    return freezeout.Readers(2)


def weights_after(readers, rates, seeds=(0, 1)):
    readers.train(list(seeds), rates)
    return [variable.numpy() for variable in readers.variables]


def test_a_layer_trains_while_its_rate_is_not_zero_and_then_stays(readers):
    rates = np.full((2, 6, 5), 0.01)
    rates[0, 3:, 1] = 0
    early, late = weights_after(readers, rates[:, :3]), weights_after(readers, rates)
    changed = [changed_bits(*pair) for pair in zip(early, late)]
    moved = [[bool(layer[network].any()) for layer in changed] for network in (0, 1)]
    assert moved == [[True, True, False, False, *[True] * 6], [True] * 10]


def test_a_training_begins_anew_and_depends_on_its_seed_alone(readers):
    rates = np.full((2, 4, 5), 0.01)
    first, again = (weights_after(readers, rates, (1, 2)) for _ in range(2))
    turned = weights_after(readers, rates, (2, 1))
    assert all(not changed_bits(a, b).any() for a, b in zip(first, again))
    assert all(np.allclose(a, b[::-1], atol=1e-12) for a, b in zip(first, turned))
    assert changed_bits(first[0][0], first[0][1]).any()


def test_a_network_trains_as_adam_trains_it_alone(readers):
    """At one rate for all layers, it is the training of one network by Keras' Adam."""
    alone = trials.Trial(
        networks.dense(1, freezeout.WIDTHS, dtype="float64"), keras.optimizers.Adam(0.01)
    )
    alone.train(*continual.upright().part["train"], steps=5, seed=1)
    together = weights_after(readers, np.full((2, 5, 5), 0.01))
    for one, both in zip(alone.model.get_weights(), together):
        assert np.allclose(one, both[1], atol=1e-6)  # a rate is a float32 there


def test_it_learns_to_read(readers):
    readers.train([0, 1], np.full((2, 100, 5), 0.01))
    assert (readers.right() > 85).all() and (readers.right("validation") > 85).all()
