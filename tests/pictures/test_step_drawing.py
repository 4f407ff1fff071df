"""The drawing of a step: lit where a technique acts, an arrow where a leak enters, all legible."""

import itertools

import matplotlib.colors
import pytest
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from helpers.pictures import plots, step_drawing
from helpers.stations import Conditions, describe_step
from helpers.techniques import TECHNIQUES

EVERYTHING = dict(penalty=True, clip=True, average=True, decay=True, nan=True, thaw=True)
# Each technique, and each optimizer's formulas.
PAIRS = [(technique, "adamw") for technique in TECHNIQUES]
PAIRS += [("where_gradient", optimizer) for optimizer in ("sgd", "momentum", "adam", "lamb")]


def drawn(technique, optimizer, **situation):
    """The stations of a step, and the axes of their drawing."""
    stations = describe_step(TECHNIQUES[technique], Conditions(optimizer, **situation))
    made = step_drawing.draw(stations, f"{TECHNIQUES[technique].label}, with {optimizer}")
    made.draw_without_rendering()
    return stations, made.axes[0]


def patches(axes, kind, colour, edge=False):
    """The patches of a kind and a colour."""
    wanted = matplotlib.colors.to_rgba(colour)
    found = [patch for patch in axes.patches if isinstance(patch, kind)]
    return [p for p in found if (p.get_edgecolor() if edge else p.get_facecolor()) == wanted]


def written(axes):
    """What is written, by its text. A name stands in its box first, and then in a note."""
    return {text.get_text(): text for text in reversed(axes.texts)}


@pytest.mark.parametrize(("technique", "optimizer"), PAIRS)
def test_a_head_for_each_station_that_is_lit_an_arrow_for_each_that_leaks(technique, optimizer):
    for situation in ({}, EVERYTHING):
        stations, axes = drawn(technique, optimizer, **situation)
        heads = patches(axes, FancyBboxPatch, step_drawing.LIT)
        middles = {round(h.get_x() + h.get_width() / 2) for h in heads}
        lit = [station for station in stations if station.acts]
        texts = written(axes)
        assert len(heads) == len(lit)
        assert middles == {round(texts[station.name].get_position()[0]) for station in lit}
        leaks = [station for station in stations if station.leak]
        arrows = patches(axes, FancyArrowPatch, step_drawing.LEAK)
        assert len(arrows) == len(leaks) + bool(leaks)  # one more explains them
        assert {s.arrow for s in leaks} | {s.leak for s in leaks} <= set(texts)
        assert ("nothing goes wrong in this step" in texts) == (not leaks)


def test_an_arrow_points_at_the_station_where_the_leak_enters():
    stations, axes = drawn("stop_gradient", "adamw", **EVERYTHING)
    frames = [p.get_window_extent() for p in patches(axes, FancyBboxPatch, "white")]
    arrows = [p.get_window_extent() for p in patches(axes, FancyArrowPatch, step_drawing.LEAK)]
    leaks = [station for station in stations if station.leak]
    for station in leaks:
        name, label = (written(axes)[t].get_window_extent() for t in (station.name, station.arrow))
        (frame,) = [f for f in frames if f.contains(name.x0, name.y0)]
        column = [a for a in arrows if abs(a.x0 + a.x1 - label.x0 - label.x1) < 2]
        (arrow,) = [a for a in column if abs(a.y0 - label.y0) < step_drawing.ARROW]
        assert frame.x0 < arrow.x0 and arrow.x1 < frame.x1
        above = label.y0 > frame.y1
        gap = arrow.y0 - frame.y1 if above else frame.y0 - arrow.y1
        assert -1 < gap < 8 and (label.y0 >= arrow.y1 - 4 if above else label.y1 <= arrow.y0 + 4)
    assert len(leaks) == 6


@pytest.mark.parametrize(("technique", "optimizer"), PAIRS)
def test_every_text_fits_in_its_box_and_none_overlap(technique, optimizer):
    for situation in ({}, EVERYTHING):
        stations, axes = drawn(technique, optimizer, **situation)
        assert axes.figure.canvas.get_width_height()[0] == 800
        boxes = [text.get_window_extent() for text in axes.texts]
        for text, box in zip(axes.texts, boxes):
            assert text.get_fontsize() >= 8 and box.x0 >= 0 and box.x1 <= 800
            assert box.y0 >= 0 and box.y1 <= axes.figure.bbox.y1
        for one, other in itertools.combinations(boxes, 2):
            wide = min(one.x1, other.x1) - max(one.x0, other.x0)
            high = min(one.y1, other.y1) - max(one.y0, other.y0)
            assert wide < 1 or high < 2
        frames = [p.get_window_extent() for p in axes.patches if isinstance(p, FancyBboxPatch)]
        for station in stations:
            name = written(axes)[station.name].get_window_extent()
            (frame,) = [f for f in frames if f.height > 50 and f.contains(name.x0, name.y0)]
            inside = [b for b in boxes if frame.x0 < (b.x0 + b.x1) / 2 < frame.x1
                      and frame.y0 < (b.y0 + b.y1) / 2 < frame.y1]  # fmt: skip
            assert len(inside) == 2  # its name and its formula
            assert all(frame.x0 + 2 < b.x0 and b.x1 < frame.x1 - 2 for b in inside)
            assert all(frame.y0 < b.y0 and b.y1 < frame.y1 for b in inside)


def test_a_station_that_is_not_in_the_step_has_a_dashed_frame_and_says_so():
    stations, axes = drawn("restore", "sgd")
    unused = [station for station in stations if not station.used]
    dashed = [p for p in axes.patches if p.get_linestyle() not in ("solid", "-")]
    assert len(unused) == len(dashed) == 3
    assert [t.get_text() for t in axes.texts].count("not in this step") == 3


def luminance(colour):
    """Relative luminance as in WCAG 2.1."""
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in matplotlib.colors.to_rgb(colour)
    ]
    return sum(c * w for c, w in zip(linear, (0.2126, 0.7152, 0.0722)))


def test_every_text_stands_out_and_a_lit_head_is_dark_to_those_who_see_no_colours():
    on = [(c, "white") for c in (step_drawing.INK, step_drawing.FAINT, step_drawing.LEAK)]
    on += [("white", step_drawing.LIT), (step_drawing.INK, step_drawing.PALE)]
    for ink, face in on:
        low, high = sorted([luminance(ink), luminance(face)])
        assert (high + 0.05) / (low + 0.05) >= 4.5


def test_a_drawing_is_white_and_the_same_bytes_again():
    stations = describe_step(TECHNIQUES["restore"], Conditions("adam", thaw=True))
    made = step_drawing.draw(stations)
    assert made.get_facecolor() == (1, 1, 1, 1)
    assert plots.png(made) == plots.png(step_drawing.draw(stations))
