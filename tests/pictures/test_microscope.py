"""The microscope's picture: a panel for each quantity, a curve for each cell, marked moments."""

import numpy as np
import pytest

from helpers.pictures import microscope, plots


def trace(steps=20, frozen_from=8, thawed_from=15, **slots):
    """What a cell goes through that is frozen for a while."""
    numbers = np.arange(1, steps + 1)
    frozen = (numbers >= frozen_from) & (numbers < thawed_from)
    weight = np.cumsum(~frozen) / 10
    told = {"step": numbers, "weight": weight, "gradient": ~frozen * 1.0, "frozen": frozen}
    return told | {name: np.full(steps, value) for name, value in slots.items()}


def labels(figure):
    return [axes.get_ylabel() for axes in figure.axes]


def test_there_is_a_panel_for_all_that_any_cell_has():
    traces = {"one": trace(), "two": trace(momentum=1.0, seen=2.0)}
    figure = microscope.draw(traces)
    assert labels(figure) == ["weight", "step taken", "gradient", "momentum"]
    drawn = [
        len([line for line in axes.lines if line.get_label() in traces]) for axes in figure.axes
    ]
    assert drawn == [2, 2, 2, 1]
    assert "two, as the model sees it" in [line.get_label() for line in figure.axes[0].lines]


def test_triangles_stand_where_a_cell_was_frozen_and_thawed():
    (weights, *_) = microscope.draw({"one": trace()}).axes
    triangles = [
        line for line in weights.lines if line.get_marker() == "^" and len(line.get_xdata())
    ]
    told = [(int(line.get_xdata()[0]), line.get_markerfacecolor()) for line in triangles]
    assert told == [(8, microscope.CURVES[0][0]), (15, "white")]


def test_a_bar_at_the_foot_of_each_panel_says_when_a_cell_was_frozen():
    figure = microscope.draw({"one": trace(), "two": trace()})
    for axes in figure.axes:
        bars = [bar.get_paths()[0].get_extents() for bar in axes.collections]
        assert [(bar.x0, bar.x1) for bar in bars] == [(8, 14)] * 2
        assert [(bar.y0, bar.y1) for bar in bars] == [(0, 0.05), (0.05, 0.1)]


def test_the_step_taken_is_what_the_weight_changed_by():
    axes = microscope.draw({"one": trace()}).axes[1]
    changes = axes.lines[0].get_ydata()
    assert np.isnan(changes[0]) and changes[1:7] == pytest.approx(0.1) and not changes[8:13].any()


def test_marks_stand_at_their_steps_in_every_panel():
    figure = microscope.draw({"one": trace()}, [(5, "exact freeze, adam")])
    assert all(any(list(line.get_xdata()) == [4.5, 4.5] for line in a.lines) for a in figure.axes)
    assert "exact freeze, adam" in [text.get_text() for text in figure.axes[0].texts]


def test_without_a_record_it_says_what_to_do():
    with pytest.raises(ValueError, match="lab.pin"):
        microscope.draw({"one": {"step": np.zeros(0)}})
    with pytest.raises(ValueError, match="lab.pin"):
        microscope.draw({})


def test_it_is_800_pixels_wide_and_the_same_each_time():
    pictures = [plots.png(microscope.draw({"one": trace()})) for _ in range(2)]
    assert pictures[0] == pictures[1] and int.from_bytes(pictures[0][16:20], "big") == 800


def test_a_playground_draws_the_cells_that_are_pinned(playground):
    lab = playground("digits")
    with pytest.raises(ValueError, match="lab.pin"):
        lab.microscope()
    lab.pin(3, 4)
    lab.train(3)
    assert lab.microscope().data.startswith(b"\x89PNG")
