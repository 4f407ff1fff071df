"""FreezeOut's reader: each layer trains at its own rate, and stays where that is 0."""

import numpy as np
import pytest

from helpers.bits import changed_bits
from helpers.studies import freezeout


@pytest.fixture(scope="module")
def reader():
    return freezeout.Reader()


def weights_after(reader, rates, seed=0):
    reader.train(seed, rates)
    return reader.model.get_weights()


def test_a_layer_trains_while_its_rate_is_not_zero_and_then_stays(reader):
    rates = np.full((6, 5), 0.01)
    rates[3:, 1] = 0
    early, late = weights_after(reader, rates[:3]), weights_after(reader, rates)
    moved = [bool(changed_bits(*pair).any()) for pair in zip(early, late)]
    assert moved == [True, True, False, False, True, True, True, True, True, True]


def test_a_training_begins_anew_and_depends_on_its_seed_alone(reader):
    rates = np.full((4, 5), 0.01)
    first = weights_after(reader, rates, seed=1)
    other = weights_after(reader, rates, seed=2)
    again = weights_after(reader, rates, seed=1)
    assert all(not changed_bits(a, b).any() for a, b in zip(first, again))
    assert changed_bits(first[0], other[0]).any()


def test_it_learns_to_read(reader):
    reader.train(0, np.full((100, 5), 0.01))
    assert reader.right() > 85 and reader.right("validation") > 85
