"""Frozen pictures stay, the figures count test pictures, and no seed knows of another."""

import numpy as np
import pytest

from helpers.bits import changed_bits
from helpers.studies import by_class, continual

SEEDS = [0, 1, 7]


@pytest.fixture(scope="module")
def reader():
    return by_class.Pictures(SEEDS)


def test_frozen_cells_stay_and_free_ones_learn(reader):
    frozen = by_class.whole(3)
    frozen[:9, 5] = True
    read = reader.read(frozen, steps=100)
    moved = changed_bits(reader.first(), reader.kernels)
    assert not moved[:, frozen].any() and moved[:, ~frozen].mean() > 0.8
    assert read.shape == (3, 10) and read.mean() > 80


def test_each_seed_may_have_a_mask_and_first_weights_of_its_own(reader):
    masks = np.array([by_class.whole(digit) for digit in (0, 3, 8)])
    first = reader.first() + 1
    reader.read(masks, first, steps=10)
    np.testing.assert_array_equal(changed_bits(first, reader.kernels).any(axis=1), ~masks[:, 0])


def test_the_figures_are_shares_of_the_test_pictures_of_a_digit(reader):
    pictures, labels = continual.upright().part["test"]
    read = reader.read(by_class.whole(), steps=0)
    answers = (pictures @ reader.first()[1]).argmax(1)
    expected = [100 * np.mean(answers[labels == digit] == digit) for digit in range(10)]
    np.testing.assert_allclose(read[1], expected)


def test_each_training_begins_anew(reader):
    found = [reader.read(by_class.whole(*held), steps=50) for held in [(), (3, 8, 1), ()]]
    np.testing.assert_array_equal(found[0], found[2])
    assert not np.array_equal(found[0], found[1])


def test_a_seed_alone_learns_what_it_learns_beside_others(reader):
    reader.read(by_class.whole(3), steps=50)
    alone = by_class.Pictures([7])
    alone.read(by_class.whole(3), steps=50)
    np.testing.assert_allclose(alone.kernels[0], reader.kernels[2], atol=1e-6)
