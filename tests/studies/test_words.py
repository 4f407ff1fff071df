"""A small table of words, and the model that made it."""

import numpy as np

from helpers.device import keras
from helpers.studies import words


def test_old_words_come_first_and_no_word_has_two_rows():
    vocabulary, old = words.vocabulary()
    assert len(set(vocabulary)) == len(vocabulary) > old > 300
    text = set(words.docstrings())
    assert set(vocabulary[:old]) <= text
    assert {"height", "width", "true", "false"} <= set(vocabulary[:old])


def test_a_window_is_four_words_around_the_one_to_guess():
    around, middle = words.windows([*"abxcdea"], "abcde")
    assert around.tolist() == [[0, 1, 3, 4], [1, 2, 4, 0]]
    assert middle.tolist() == [2, 3]


def test_the_nearest_row_is_that_of_the_largest_cosine_and_never_itself():
    table = np.array([[1.0, 0.0], [9.0, 1.0], [0.0, 1.0], [0.1, 1.0]])
    assert words.nearest(table)[:, 0].tolist() == [1, 0, 3, 2]


def test_a_guesser_is_the_same_for_the_same_seed_and_computes_in_float64():
    one, same, other = (words.guesser(9, seed, units=3) for seed in (0, 0, 1))
    table = one.get_layer("table").get_weights()[0]
    assert table.dtype == np.float64 and table.shape == (9, 3)
    assert (table == same.get_layer("table").get_weights()[0]).all()
    assert (table != other.get_layer("table").get_weights()[0]).all()
    scores = one(keras.ops.zeros((2, 4), "int32"))
    assert scores.shape == (2, 9) and scores.dtype == "float64"


def test_batches_are_places_of_windows_and_a_seed_decides_them():
    drawn = words.batches(5, 30, 0, size=4)
    assert drawn.shape == (30, 4) and set(drawn.ravel()) == set(range(5))
    assert (drawn == words.batches(5, 30, 0, size=4)).all()
    assert (drawn != words.batches(5, 30, 1, size=4)).any()


def test_words_of_like_use_are_neighbours():
    vocabulary, old = words.vocabulary()
    table = words.meanings(*words.windows(words.docstrings(), vocabulary[:old]), old)
    assert table.shape == (old, words.UNITS) and table.dtype == np.float64
    near = words.nearest(table, 3)
    pairs = [("height", "width"), ("max", "min"), ("rate", "learning"), ("first", "last")]
    for word, other in pairs:
        assert other in [vocabulary[row] for row in near[vocabulary.index(word)]]
