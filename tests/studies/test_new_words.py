"""Ten new words, and the model that learns them."""

import numpy as np
import pytest

from helpers.bits import changed_bits
from helpers.device import keras
from helpers.studies import documentation, new_words
from helpers.studies.new_words import FREQUENT, NEW, RARE, Reader, Text


@pytest.fixture(scope="module")
def text():
    return Text(*documentation.counted())


def adamw(**options):
    return keras.optimizers.AdamW(0.01, weight_decay=0.0, **options)


def test_old_words_stand_before_the_new_ones_and_the_last_at_their_end(text):
    assert len(text.words) == text.old + text.new and text.new == 10
    assert text.words[-10:] == list(NEW)
    assert len(set(text.words)) == len(text.words)
    last = text.words[text.old - 8 : text.old]
    assert last == sorted(last) and set(FREQUENT) < set(last) < {*FREQUENT, *RARE}
    tokens, rows = documentation.counted()
    place = tokens.index(f"▁{text.words[5]}")
    assert (text.old_rows[5] == rows[place, : new_words.WIDTH]).all()


def test_a_piece_has_a_new_word(text):
    for part in ("train", "validation", "test"):
        words, libraries = text.pieces(part)
        assert (words >= text.old).any(axis=1).all() and len(words) == len(libraries) > 0


def test_the_other_pieces_have_old_words_alone(text):
    for part in ("train", "validation", "test"):
        words, libraries = text.pieces(part, new=False)
        assert (words < text.old).all() and len(words) == len(libraries) > 0


def test_of_the_last_old_words_four_are_in_no_piece_to_train_on_without_a_connection_too(text):
    words, _ = text.pieces("train")
    seen = np.isin(np.arange(text.old - 8, text.old), words)
    assert seen.tolist() == [word in FREQUENT for word in text.words[text.old - 8 : text.old]]
    assert seen.sum() == 4


def test_a_start_makes_all_as_it_was(text):
    reader = Reader(text, text.table(), adamw())
    ends = []
    for _ in range(2):
        reader.start(3)
        assert (reader.old_rows() == text.old_rows).all()
        assert not reader.optimizer.iterations.numpy()
        reader.learn(20, seed=1)
        ends.append(reader.model.get_weights())
    for one, other in zip(*ends):
        assert not changed_bits(one, other).any()
    assert reader.right() > 30  # four libraries


def test_new_rows_start_about_as_long_as_the_old_ones(text):
    reader = Reader(text, text.table(), adamw())
    for seed in range(5):
        reader.start(seed)
        new = np.asarray(reader.table.embeddings)[text.old :]
        assert 0.9 < new.std() / text.old_rows.std() < 1.1
