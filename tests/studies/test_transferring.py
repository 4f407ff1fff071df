"""A reader of old digits learns new ones; what a flag freezes stays, and by a list it moves."""

import numpy as np
import pytest

from helpers.bits import changed_bits
from helpers.studies.transferring import Transfer


@pytest.fixture(scope="module")
def reader():
    return Transfer(widths=(32, 16))


def changed(reader, seed, **options):
    """Which of the base's arrays a training of the head alone has changed."""
    before = reader.weights(seed)
    reader.model.set_weights(before)
    reader.train(reader.few(seed, 4), [reader.model.layers[-1]], 0.01, 5, seed, **options)
    pairs = zip(before[:-2], reader.model.get_weights()[:-2])
    return [bool(changed_bits(old, new).any()) for old, new in pairs]


def test_it_reads_the_old_digits_and_has_no_picture_of_a_new_one_among_them(reader):
    reader.model.set_weights(reader.weights(0))
    pictures, labels = reader.old["test"]
    assert (reader.answers(pictures).argmax(1) == labels).mean() > 0.85
    for part in (reader.old, reader.new):
        assert {*part["train"][1], *part["test"][1]} == set(range(5))
        assert part["train"][0].dtype == np.float64


def test_a_flag_freezes_the_base_and_a_list_lets_its_averages_move(reader):
    assert not any(changed(reader, 0))
    assert changed(reader, 0, by="list") == 2 * [False, False, False, False, True, True]
    assert not any(changed(reader, 0)), "the flags are set anew for each training"


def test_only_the_layers_that_are_named_train(reader):
    before = reader.weights(1)
    reader.model.set_weights(before)
    dense = reader.model.layers[2]
    reader.train(reader.few(1, 4), [dense], 0.01, 5, 1)
    pairs = zip(before, reader.model.get_weights())
    moved = [bool(changed_bits(old, new).any()) for old, new in pairs]
    assert moved == 6 * [False] + [True, True] + 6 * [False]


def test_a_few_pictures_are_so_many_of_each_digit_and_the_seed_decides(reader):
    pictures, labels = reader.few(0, 4)
    assert np.bincount(labels).tolist() == [4] * 5
    assert len(np.unique(pictures, axis=0)) == 20
    assert (reader.few(0, 4)[0] == pictures).all()
    assert (reader.few(1, 4)[0] != pictures).any()
    assert reader.few(0, 3, old=True)[0].shape == (15, 64)


def test_answers_by_another_head_leave_the_head_in_its_place(reader):
    reader.model.set_weights(reader.weights(0))
    pictures = reader.old["test"][0][:3]
    own = reader.answers(pictures)
    other = reader.answers(pictures, reader.fresh(7)[-2:])
    assert (other != own).any() and (reader.answers(pictures) == own).all()


def test_settled_averages_move_and_no_weight_does(reader):
    drawn, settled = reader.fresh(1003), reader.settled(3)
    reader.model.set_weights(drawn)
    trained = {id(variable) for variable in reader.model.trainable_variables}
    for variable, before, after in zip(reader.model.weights, drawn, settled, strict=True):
        assert np.array_equal(before, after) == (id(variable) in trained)
