"""Ways to keep old tasks: what is kept of the older, what is read of the newest, what is chosen."""

import numpy as np
import pytest

from helpers.studies import forgetting

asked = []


def learn_all(way, seed, rate, strength, steps, part="test"):
    """Two older tasks, of which a way keeps what it is named after, and a newest one."""
    asked.append((way, seed, rate, strength, steps, part))
    return [way + seed, way - seed, 10 * rate + strength]


@pytest.fixture
def compared(capsys):
    asked.clear()
    comparison = forgetting.Comparison(learn_all, [0, 2])
    comparison.compare({"little": (20, [3, 4]), "much": (60, [5, 6], 7)})
    return comparison, capsys.readouterr().out


def test_each_way_has_its_rates_its_strength_and_every_seed(compared):
    assert asked[:4] == [(20, s, r, 0, n, "test") for r, n in [(3, 100), (4, 1000)] for s in (0, 2)]
    assert asked[4:] == [(60, s, r, 7, n, "test") for r, n in [(5, 100), (6, 1000)] for s in (0, 2)]


def test_older_and_newest_are_told_apart_and_a_gain_is_taken_seed_by_seed(compared):
    comparison, _ = compared
    assert comparison.older("much", 100).tolist() == [60, 60]
    assert comparison.newest("much", 1000).tolist() == [67, 67]
    gains = comparison.gain("much", "little")
    assert {steps: each.tolist() for steps, each in gains.items()} == {
        100: [40, 40],
        1000: [40, 40],
    }


def test_the_table_has_the_older_the_newest_and_the_mean_of_all(compared):
    _, printed = compared
    *_, little, much = printed.splitlines()
    assert little.split() == ["little", "20.0", "30.0", "23.3", "20.0", "40.0", "26.7"]
    assert much.split() == ["much", "60.0", "57.0", "59.0", "60.0", "67.0", "62.3"]


def test_gains_are_printed_for_both_numbers_of_steps(compared, capsys):
    compared[0].print_gains("much", ["little"])
    assert capsys.readouterr().out.count("40.0 (40.0 to 40.0)") == 2


def test_what_reads_most_of_the_validation_part_is_chosen(compared):
    comparison, _ = compared
    asked.clear()
    assert comparison.choose(50, 100, [0.1, 0.3], [1, 2]) == (0.3, 2)
    assert {(seed, part) for _, seed, *_, part in asked} == {(forgetting.CHOOSING, "validation")}
    assert len(asked) == len(np.unique(asked, axis=0)) == 4


def test_a_later_table_has_the_new_ways_below_a_rule_and_those_asked_for_above(compared, capsys):
    comparison, _ = compared
    comparison.compare({"new": (30, [1, 1])}, beside=["much"])
    *_, much, rule, new = capsys.readouterr().out.splitlines()
    assert (much.split()[0], set(rule), new.split()[0]) == ("much", {"-"}, "new")
    assert much.split()[1] == "60.0" and len(rule) >= len(much)
    assert "little" not in much + rule + new
