"""Charts: every seed, their mean, and pictures on a scale of their own."""

import numpy as np

from helpers.pictures import charts, plots


def test_compare_shows_every_seed_and_the_mean_in_figures():
    _, (axes,) = plots.figure()
    charts.compare(axes, {"naive": [40.0, 50.0, 60.0], "exact": [97.0, 97.0, 97.5]}, "first task")
    dots = [list(line.get_xdata()) for line in axes.lines]
    assert dots[0] == [40, 50, 60] and dots[1] == [50]
    assert [text.get_text() for text in axes.texts] == ["50.0", "97.2"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["naive", "exact"]
    assert axes.yaxis_inverted() and axes.get_title() == "first task"


def test_band_shows_the_mean_between_the_least_and_the_greatest():
    _, (axes,) = plots.figure()
    charts.band(axes, [1, 2], {"Fisher": [[10, 20], [30, 60]]}, label_x="% free")
    assert list(axes.lines[0].get_ydata()) == [20, 40]
    (band,) = axes.collections
    box = band.get_paths()[0].get_extents()
    assert (box.y0, box.y1) == (10, 60) and axes.get_legend().get_texts()[0].get_text() == "Fisher"


def test_the_curves_of_a_band_differ_by_more_than_their_colours():
    _, (axes,) = plots.figure()
    charts.band(axes, [1, 2], {name: [[10, 20]] for name in "abcd"})
    assert len({(line.get_marker(), line.get_linestyle()) for line in axes.lines}) == 4


def test_a_contact_sheet_shows_every_picture_on_its_own_scale():
    rows = np.zeros((2, 3, 4))
    rows[0, 1, 0], rows[1, 2, 3] = 5, 0.1
    made, (axes,) = plots.figure()
    drawn = charts.contact_sheet(axes, rows, ["a", "b"]).images[0].get_array()
    assert drawn.shape == (2 * 4, 3 * 4) and np.argwhere(drawn == 1).tolist() == [[1, 5], [6, 10]]
    assert drawn.sum() == 2 and [t.get_text() for t in axes.get_yticklabels()] == ["a", "b"]


def test_tasks_in_turn_are_a_curve_each_and_a_line_where_each_begins():
    _, (axes,) = plots.figure()
    charts.in_turn(axes, [10, 20, 30, 40], [[1, 5], [2, 6], [3, 7], [4, 8]], ["a", "b"])
    curves = {line.get_label(): list(line.get_ydata()) for line in axes.lines[::2]}
    assert curves == {"a": [1, 2, 3, 4], "b": [5, 6, 7, 8]}
    assert [line.get_xdata()[0] for line in axes.lines[1::2]] == [0, 20]
    told = [(text.get_text(), text.get_position()[0]) for text in axes.texts]
    assert told == [("learns a", 10), ("learns b", 30)]


def test_pairs_are_two_bars_a_name_with_their_figures_and_lines():
    bars = {"plain": [(0.9, 1, 1.2), (0.5, 0.6, 0.7)], "rows": [(0.3, 0.4, 0.5), (0.2, 0.3, 0.4)]}
    for results, ends in ((bars, 1.2), ({name: [1, 2] for name in bars}, 2)):
        _, (axes,) = plots.figure()
        charts.pairs(axes, results, ["without", "with"], "times", "ms")
        named = {each.get_label(): each for each in axes.containers if hasattr(each, "patches")}
        assert list(named) == ["without", "with"] and axes.get_xlim()[1] == 1.25 * ends
        assert [label.get_text() for label in axes.get_yticklabels()] == ["plain", "rows"]
        widths = [bar.get_width() for bar in named["with"]]
        assert widths == ([0.6, 0.3] if results is bars else [2, 2]) and axes.yaxis_inverted()
        assert len(axes.texts) == 4
    assert {text.get_text() for text in axes.texts} == {"1.00", "2.00"}


def test_judged_has_a_sign_for_each_verdict_and_a_ring_for_each_person():
    verdicts = {
        "Ann": {"one": "holds", "other": "fails"},
        "Ben": {"one": "unfit", "other": "holds"},
    }
    axes = charts.judged(plots.figure()[1][0], verdicts, {"Ann": "one", "Ben": "other"})
    assert [text.get_text() for text in axes.texts] == ["✓", "✗", "–", "✓"]
    rings = [tuple(line.get_xydata()[0]) for line in axes.lines]
    assert rings == [(0.5, 0.5), (1.5, 1.5)]
    (legend,) = axes.figure.legends
    told = [text.get_text() for text in legend.get_texts()]
    assert told == ["– cannot do it", "✗ fails", "✓ holds"]
