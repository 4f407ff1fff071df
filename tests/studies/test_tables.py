"""Results as text."""

import numpy as np
import pytest

from helpers.studies.tables import mean_and_range, points_ahead, verdict


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


def test_a_way_is_ahead_of_its_rival_by_points_that_round_after_each_number_of_steps():
    results = {
        100: {"one": np.array([3.0, 9.0]), "other": np.array([1.0, 2.0])},
        1000: {"one": np.array([3.0, 2.0]), "other": np.array([2.0, 3.2])},
    }
    _, line = points_ahead(results, [("one", "other")]).split("\n")
    assert line.split("other")[1].split() == ["+4", "ahead", "0", "not", "clear"]
    heading, back = points_ahead(results, [("other", "one")]).split("\n")
    assert back.split("one")[1].split() == ["-4", "behind", "0", "not", "clear"]
    assert back.index("-4") == heading.index("100 steps") + 1
    assert back.index("  0 not") == heading.index("1,000 steps")
