"""The drawing of replicas: every text in its place, arrows from box to box."""

import itertools

import matplotlib.colors
import numpy as np
import pytest
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from helpers.pictures import plots, replicas_drawing
from helpers.pictures.step_drawing import INK, LEAK


@pytest.fixture(scope="module")
def axes():
    figure = replicas_drawing.draw()
    figure.draw_without_rendering()
    return figure.axes[0]


def frames(axes):
    """The boxes in the panels and between them, in pixels."""
    found = [p.get_window_extent() for p in axes.patches if isinstance(p, FancyBboxPatch)]
    return [box for box in found if box.height < 300]


def arrows(axes, colour):
    """The arrows of a colour: where each starts and ends."""
    wanted = matplotlib.colors.to_rgba(colour)
    found = [p for p in axes.patches if isinstance(p, FancyArrowPatch)]
    return [p._posA_posB for p in found if p.get_edgecolor() == wanted]


def named(axes, name):
    """The boxes with this text, from left to right, as (left, top, right, bottom) of the axes."""
    texts = [t.get_window_extent() for t in axes.texts if t.get_text() == name]
    found = [f for f in frames(axes) for t in texts if f.contains(*t.min) and f.contains(*t.max)]
    back = axes.transData.inverted()
    pairs = [(*back.transform(f.min), *back.transform(f.max)) for f in found]
    return sorted((left, top, right, bottom) for left, bottom, right, top in pairs)


def test_the_boxes_stand_in_both_replicas_and_the_sum_once(axes):
    for name in ("its part of the batch", "the gradient of its part", "the same step"):
        assert len(named(axes, name)) == 2
    for name in ("kernel", "slots", "mask"):
        assert len(named(axes, name)) == 2
    assert len(named(axes, "sum over both replicas")) == 1


def test_every_text_is_on_the_picture_and_none_overlap_or_cross_a_frame(axes):
    boxes = [text.get_window_extent() for text in axes.texts]
    assert all(b.x0 >= 0 and b.y0 >= 0 and b.x1 <= 800 and b.y1 <= 400 for b in boxes)
    for one, other in itertools.combinations(boxes, 2):
        assert not one.overlaps(other)
    for text, frame in itertools.product(boxes, frames(axes)):
        inside = frame.x0 + 2 < text.x0 and text.x1 < frame.x1 - 2
        assert not text.overlaps(frame) or inside


def test_both_gradients_go_into_the_sum_and_the_sum_to_both_steps(axes):
    (total,) = named(axes, "sum over both replicas")
    ends = [(start[0], *end) for start, end in arrows(axes, INK)]
    for gradient, edge in zip(named(axes, "the gradient of its part"), (total[0], total[2])):
        height = (gradient[1] + gradient[3]) / 2
        touching = gradient[2] if gradient[0] < total[0] else gradient[0]
        assert any(np.allclose(found, (touching, edge, height), atol=1) for found in ends)
    for step in named(axes, "the same step"):
        near = step[2] if step[0] < total[0] else step[0]
        height = (step[1] + step[3]) / 2
        assert any(np.allclose(found, (400, near, height), atol=1) for found in ends)


def test_each_mask_points_at_the_step_which_points_at_kernel_and_slots(axes):
    found = [(*start, *end) for start, end in arrows(axes, INK)]
    for left, top, right, _ in named(axes, "mask"):
        middle, step = (left + right) / 2, named(axes, "the same step")[0][3]
        assert any(np.allclose(arrow, (middle, top, middle, step), atol=1) for arrow in found)
    for left, top, right, _ in [*named(axes, "kernel"), *named(axes, "slots")]:
        middle, step = (left + right) / 2, named(axes, "the same step")[0][3]
        assert any(np.allclose(arrow, (middle, step, middle, top), atol=1) for arrow in found)


def test_the_errors_point_at_masks_and_kernels(axes):
    ends = [end for _, end in arrows(axes, LEAK)]
    assert len(ends) == 4
    for left, top, right, bottom in [*named(axes, "mask"), *named(axes, "kernel")]:
        touching = [
            end
            for end in ends
            if left - 1 <= end[0] <= right + 1 and top - 1 <= end[1] <= bottom + 1
        ]
        assert len(touching) == 1


def test_a_drawing_is_white_and_the_same_bytes_again():
    made = replicas_drawing.draw()
    assert made.get_facecolor() == (1, 1, 1, 1)
    assert plots.png(made) == replicas_drawing.picture().data


def test_without_the_traps_the_same_is_drawn_but_nothing_in_red(axes):
    plain = replicas_drawing.draw(traps=False).axes[0]
    assert arrows(axes, LEAK) and not arrows(plain, LEAK)
    assert arrows(plain, INK) == arrows(axes, INK)
    assert not [text for text in plain.texts if "trap" in text.get_text()]
