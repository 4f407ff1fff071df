"""Pieces of documentation, and the table that is counted from it."""

import numpy as np
import pytest

from helpers.studies import documentation
from helpers.studies.documentation import LENGTH, LIBRARIES, PARTS


@pytest.fixture
def few(monkeypatch):
    """Texts of two libraries in which a word tells its docstring."""
    texts = {
        name: [tuple(f"{name}{number}x{n % 20}" for n in range(40)) for number in range(10)]
        for name in ("one", "two")
    }
    monkeypatch.setattr(documentation, "texts", lambda: texts)
    return sorted({word for docstrings in texts.values() for text in docstrings for word in text})


def test_each_library_has_texts_and_no_text_twice():
    found = documentation.texts()
    assert list(found) == list(LIBRARIES)
    for name, docstrings in found.items():
        assert len(docstrings) > 100 and len(set(docstrings)) > 0.95 * len(docstrings), name


def test_what_differs_from_machine_to_machine_is_left_out():
    assert not documentation._explained(np.int64) and documentation._explained(np.sum)


def test_a_piece_is_eight_words_in_a_row_and_its_library(few):
    cut = documentation.pieces(few)
    numbers, libraries = (np.concatenate(both) for both in zip(*cut.values()))
    assert numbers.shape == (2 * 10 * 5, LENGTH)
    for piece, library in zip(numbers, libraries):
        names = {few[number].partition("x")[0] for number in piece}
        assert len(names) == 1 and names.pop().startswith(["one", "two"][library])


def test_no_docstring_is_in_two_parts_and_words_without_a_row_are_left_out(few):
    cut = documentation.pieces(few)
    assert list(cut) == list(PARTS)
    seen = [{few[number].partition("x")[0] for number in np.ravel(n)} for n, _ in cut.values()]
    assert sum(map(len, seen)) == len(set.union(*seen)) == 20
    assert [len(each) for each in seen] == [12, 4, 4]
    half = documentation.pieces([word for word in few if word.endswith(("x0", "x1", "x2", "x3"))])
    assert sum(len(numbers) for numbers, _ in half.values()) == 20


def test_words_of_like_use_are_neighbours():
    tokens, rows = documentation.counted()
    assert rows.shape == (len(tokens), 64) and len(tokens) > 300
    assert abs(rows.std() - 1) < 1e-9
    near = documentation.nearest(rows)
    for word, other in [("first", "last"), ("left", "right"), ("width", "height")]:
        assert tokens[near[tokens.index(f"▁{word}")]] == f"▁{other}"


def test_the_nearest_row_is_that_of_the_largest_cosine_and_never_itself():
    rows = np.array([[1.0, 0.0], [9.0, 1.0], [0.0, 1.0], [0.1, 1.0]])
    assert documentation.nearest(rows).tolist() == [1, 0, 3, 2]
