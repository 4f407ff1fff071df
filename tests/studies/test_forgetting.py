"""Ways to keep old tasks: what is kept of the older, what is read of the newest, what is chosen."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from helpers.studies import forgetting

asked = []


def learn_all(way, seed, rate, part="test"):
    """Two older tasks, of which a way keeps what it is named after, and a newest one."""
    asked.append((way, seed, rate, part))
    return [way + seed, way - seed, 10 * rate + 7]


@pytest.fixture
def comparison():
    asked.clear()
    comparison = forgetting.Comparison(learn_all, [0, 2])
    comparison.learn("little", 20, 3)
    comparison.learn("much", 60, 5)
    return comparison


def test_each_way_has_its_rate_and_every_seed(comparison):
    assert asked == [(w, s, r, "test") for w, r in ((20, 3), (60, 5)) for s in (0, 2)]


def test_older_and_newest_are_told_apart_and_a_gain_is_taken_seed_by_seed(comparison):
    assert comparison.older("much").tolist() == [60, 60]
    assert comparison.newest("much").tolist() == [57, 57]
    assert comparison.every("much").tolist() == [59, 59]
    assert comparison.gain("much", "little").tolist() == [40, 40]


def test_gains_are_printed_with_their_range(comparison, capsys):
    comparison.print_gains("much", ["little"])
    first, line = capsys.readouterr().out.splitlines()
    assert first.startswith("much: ")
    assert line.split(maxsplit=2) == ["than", "little", "40.0 (40.0 to 40.0)"]


def test_a_chart_has_a_line_for_each_way_and_a_dot_for_each_seed(comparison):
    comparison.chart(["much", "little"])
    older, newest, every = plt.gcf().axes
    assert [label.get_text() for label in older.get_yticklabels()] == ["much", "little"]
    drawn = [[line.get_xdata() for line in axes.lines[::2]] for axes in (older, newest, every)]
    assert np.array_equal(drawn[0], [comparison.older("much"), comparison.older("little")])
    assert np.array_equal(drawn[1], [comparison.newest("much"), comparison.newest("little")])
    assert np.array_equal(drawn[2], [comparison.every("much"), comparison.every("little")])
    plt.close()


def test_a_trade_off_has_a_named_dot_for_each_way_and_a_grey_one(comparison):
    comparison.trade_off(["much"], ceiling="little")
    (axes,) = plt.gcf().axes
    dots = {(*line.get_xdata(), *line.get_ydata()): line.get_color() for line in axes.lines}
    assert {at: color == "#999999" for at, color in dots.items()} == {
        (comparison.older("much").mean(), comparison.newest("much").mean()): False,
        (comparison.older("little").mean(), comparison.newest("little").mean()): True,
    }
    assert {text.get_text() for text in axes.texts} == {"much (60, 57)", "little (20, 37)"}
    plt.close()


def test_names_beside_near_dots_do_not_cover_each_other(comparison):
    for number in range(4):
        comparison.learn(f"near {number}", 60 + number, 7 + 0.1 * number)
    comparison.trade_off([f"near {number}" for number in range(4)])
    (axes,) = plt.gcf().axes
    boxes = [text.get_window_extent() for text in axes.texts]
    assert len(boxes) == 4
    assert sum(box.count_overlaps(boxes) for box in boxes) == 4  # each covers itself alone
    plt.close()


def test_what_reads_most_of_the_validation_part_is_chosen(comparison):
    asked.clear()
    assert comparison.choose([0.1, 0.3], {1: 50, 2: 60}) == (0.3, 2)
    assert {(seed, part) for _, seed, *_, part in asked} == {(forgetting.CHOOSING, "validation")}
    assert len(asked) == len(np.unique(asked, axis=0)) == 4
