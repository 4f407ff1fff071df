"""Rows, columns and cells are called by what they are, on screen and in pictures."""

import pytest

from helpers.playground import tasks
from helpers.playground.cell_names import CellNames


@pytest.mark.parametrize(
    ("names", "called"),
    [
        (CellNames(), "row 1, column 2"),
        (CellNames("unit", "digit"), "unit 1, digit 2"),
        (CellNames(rows=("top", "bottom")), "row 1 (bottom), column 2"),
        (CellNames("letter", columns=("a", "b", "c")), "letter 1, column 2 (c)"),
        (CellNames("letter", "unit", ("p", "q"), ("a", "b", "c")), "letter q, unit c"),
    ],
)
def test_a_cell_is_called_by_words_and_by_names_where_there_are_some(names, called):
    assert names.of_cell(1, 2) == called
    on_screen = names.on_screen((2, 3))
    assert on_screen["last"] == called and on_screen["rows"] == list(names.rows)


def test_words_stand_on_a_picture_where_both_sides_have_one():
    assert CellNames("feature", "unit").words == ("feature", "unit")
    assert CellNames().words == CellNames("pixel row").words == ("", "")


WORDS = ["the", "cat", "sat", "on", "a", "mat"]


def small_task(**names):
    import numpy as np

    from helpers.device import keras

    model = keras.Sequential([keras.layers.Input((6,)), keras.layers.Dense(4)])
    return tasks.own(
        model, model.layers[0].kernel, np.zeros((5, 6)), np.zeros((5, 4)), "mse", **names
    )


def test_static_pictures_have_the_names(playground, monkeypatch):
    from helpers.pictures import lettering

    text, written = lettering.text, set()

    def noting(words, *size, **width):
        written.add(words)
        return text(words, *size, **width)

    monkeypatch.setattr(lettering, "text", noting)
    bare = playground(small_task())
    named = playground(small_task(row_names=WORDS, column_names="abcd", row="word", column="unit"))
    for draw in (lambda lab: lab._repr_mimebundle_(), lambda lab: lab.animation(2, 2)):
        written.clear()
        draw(bare)
        assert {"row", "column", "0", "5"} <= written
        written.clear()
        draw(named)
        assert {"word", "unit", *WORDS, *"abcd"} <= written


def test_the_picture_of_a_run_has_names_and_words(playground, monkeypatch):
    from helpers.pictures import plots

    drawn = []
    monkeypatch.setattr(plots, "png", lambda figure: drawn.append(figure) or b"")
    names = dict(row="word", column="unit", row_names=WORDS)
    playground(small_task(**names)).picture()
    playground().picture()
    left, middle, _ = drawn[0].axes
    assert [text.get_text() for text in left.get_yticklabels()] == WORDS
    assert middle.get_yticklabels() == [] and left.get_ylabel() == "word"
    assert {axes.get_xlabel() for axes in drawn[0].axes} == {"unit"}
    assert all(not axes.get_xlabel() and not len(axes.get_yticks()) for axes in drawn[1].axes)
