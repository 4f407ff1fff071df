"""The static picture of a board: what is drawn where."""

import pytest

from helpers.pictures import board as drawing
from helpers.pictures import plots


def tile(name, moved=None, mark="", bet=False, trainable=True):
    told = {"key": name, "name": name, "about": "3 × 3", "moved": moved, "mark": mark, "bet": bet}
    return told | {"trainable": trainable}


def row(name, *tiles, depth=1):
    told = {"key": name, "name": name, "about": "Dense", "trainable": True, "depth": depth}
    return told | {"tiles": list(tiles)}


def drawn(*rows, log=()):
    """The figure's texts, and the colours of its tiles."""
    figure = drawing.draw({"rows": list(rows), "log": list(log)})
    (axes,) = figure.axes
    return [text.get_text() for text in axes.texts], [p.get_facecolor() for p in axes.patches]


def logged(line, told, turned=False):
    return {"line": line, "told": told, "failed": False, "turned": turned}


def test_a_line_that_changed_a_flag_stands_out():
    log = [logged("fit", "3 of 4 moved"), logged("load", "1 of 4 flags changed", turned=True)]
    figure = drawing.draw({"rows": [row("out", tile("kernel"))], "log": log})
    weights = {text.get_text(): text.get_weight() for text in figure.axes[0].texts}
    assert weights["3 of 4 moved"] == "normal" and weights["1 of 4 flags changed"] == "bold"


def test_a_tile_that_moved_is_filled_and_says_so():
    texts, faces = drawn(row("out", tile("kernel", moved=True), tile("bias", moved=False)))
    assert "moved" in texts and "stayed" in texts and faces[0] != faces[1]


@pytest.mark.parametrize(
    ("mark", "sign"), [("right", "✓"), ("missed", "!"), ("wrong", "✗"), ("", "?")]
)
def test_bets_and_their_marks_are_told_by_shape(mark, sign):
    texts, _ = drawn(row("out", tile("kernel", mark=mark, bet=True)))
    assert sign in texts


def test_the_last_lines_of_the_log_stand_below():
    log = [logged(f"line {n}", f"{n} moved") for n in range(12)]
    texts, _ = drawn(row("out"), log=log)
    assert "line 11" in texts and "11 moved" in texts and "line 0" not in texts


def test_many_tiles_go_on_in_a_second_line_and_all_of_it_is_inside():
    tiles = [tile(f"kernel {n}", moved=True) for n in range(11)]
    figure = drawing.draw({"rows": [row("out", *tiles)], "log": []})
    (axes,) = figure.axes
    right, bottom = axes.get_xlim()[1], axes.get_ylim()[0]
    assert len({patch.get_y() for patch in axes.patches}) == 3
    for patch in axes.patches:
        assert patch.get_x() + patch.get_width() <= right
        assert patch.get_y() + patch.get_height() <= bottom
    assert plots.png(figure).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "name", ["W" * 16, "norm_beta_momentum", "moving_variance", "recurrent_kernel_velocity"]
)
def test_a_name_stays_within_its_tile(name):
    figure = drawing.draw({"rows": [row("out", tile(name, moved=False))], "log": []})
    (axes,) = figure.axes
    (face,) = [patch.get_window_extent() for patch in axes.patches]
    written = [text for text in axes.texts if text.get_text() and text.get_text() in name]
    assert "".join(text.get_text() for text in written) == name
    for text in written:
        assert face.x0 < text.get_window_extent().x0 and text.get_window_extent().x1 < face.x1
