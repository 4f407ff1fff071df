"""Results as text."""

import pytest

from helpers.studies.tables import mean_and_range, verdict


def test_a_mean_stands_before_its_range():
    assert mean_and_range([1, 2, 6]) == "  3.0 (1.0 to 6.0)"


def test_more_decimals_are_to_be_had():
    assert mean_and_range([4.6, 4.602], 3) == "4.601 (4.600 to 4.602)"


@pytest.mark.parametrize(
    ("apart", "word"),
    [
        ([1, 0.1], "ahead"),
        ([-1, -0.1], "behind"),
        ([1, 0], "not clear"),
        ([-1, 0], "not clear"),
        ([1, -1], "not clear"),
    ],
)
def test_a_difference_is_clear_if_every_seed_agrees(apart, word):
    assert verdict(apart) == word
