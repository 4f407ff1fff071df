"""The model of letters knows its English, and nothing of digits."""

import numpy as np
import pytest

from helpers.device import keras
from helpers.studies import letters


@pytest.fixture(scope="module")
def model():
    return letters.pretrained()


def share(model, character, following):
    return letters.chances(model, character)[letters.CHARACTERS.index(following)]


def test_the_pairs_of_digits_and_the_others_are_all_neighbours_in_the_text():
    digits, others = letters.pairs(of_digits=True), letters.pairs(of_digits=False)
    assert len(digits[0]) + len(others[0]) == len(letters.datasets.english()) - 1
    assert {letters.CHARACTERS[i] for i in digits[0]} == set(letters.DIGITS)
    assert not {letters.CHARACTERS[i] for i in others[0]} & set(letters.DIGITS)


def test_it_says_what_is_likely_to_follow_as_often_as_it_did_in_the_text(model):
    text = letters.datasets.english()
    for pair in ("qu", "th", "ze", "s "):
        assert share(model, *pair) == pytest.approx(
            text.count(pair) / text.count(pair[0]), abs=0.02
        )


def test_of_what_follows_a_digit_it_knows_nothing(model):
    inputs, targets = letters.pairs(of_digits=True)
    known = letters.pairs(of_digits=False)
    loss, usual = (mean_loss(model, *pairs) for pairs in ((inputs, targets), known))
    assert loss > np.log(len(letters.CHARACTERS)) > usual + 1


def mean_loss(model, inputs, targets):
    losses = keras.losses.sparse_categorical_crossentropy(targets, model(inputs), from_logits=True)
    return float(np.mean(losses))


def test_every_time_it_is_the_same_model(model):
    letters._trained.cache_clear()  # or it would not be trained again
    for one, other in zip(model.variables, letters.pretrained().variables):
        np.testing.assert_array_equal(one, other)
