"""A reader of old digits learns new ones, and what a flag freezes stays."""

import numpy as np
import pytest

from helpers.bits import changed_bits
from helpers.studies.transferring import SixthColumn, Transfer


@pytest.fixture(scope="module")
def reader():
    return Transfer(widths=(32, 16))


def changed(reader, seed):
    """Which of the base's arrays a training of the head alone has changed."""
    before = reader.weights(seed)
    reader.model.set_weights(before)
    reader.train(reader.few(seed, 4), [reader.model.layers[-1]], 0.01, 5, seed)
    pairs = zip(before[:-2], reader.model.get_weights()[:-2])
    return [bool(changed_bits(old, new).any()) for old, new in pairs]


def test_it_reads_the_old_digits_and_has_no_picture_of_a_new_one_among_them(reader):
    reader.model.set_weights(reader.weights(0))
    pictures, labels = reader.old["test"]
    assert (reader.answers(pictures).argmax(1) == labels).mean() > 0.85
    for part in (reader.old, reader.new):
        assert {*part["train"][1], *part["test"][1]} == set(range(5))
        assert part["train"][0].dtype == np.float64


def test_a_flag_freezes_the_base_each_time(reader):
    assert not any(changed(reader, 0))
    reader.train(reader.few(0, 4), reader.model.layers, 0.01, 5, 0)
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


def test_averages_are_replaced_by_those_of_the_pictures_in_the_named_layer_alone(reader):
    task, first = reader.few(2, 4), reader.model.layers[1]
    reader.train(task, reader.model.layers, 0.01, 5, 2)
    before, momentum = [w.numpy() for w in reader.model.weights], first.momentum
    reader.settle(task, [first])
    moved = [
        variable is first.moving_mean or variable is first.moving_variance
        for variable in reader.model.weights
    ]
    after = [w.numpy() for w in reader.model.weights]
    assert [bool(changed_bits(*pair).any()) for pair in zip(before, after)] == moved
    made = reader.model.layers[0](task[0]).numpy()
    np.testing.assert_allclose(first.moving_mean.numpy(), made.mean(axis=0))
    np.testing.assert_allclose(first.moving_variance.numpy(), made.var(axis=0))
    assert first.momentum == momentum and all(each.trainable for each in reader.model.layers)


@pytest.fixture(scope="module")
def growing():
    return SixthColumn()


def test_a_sixth_column_is_shown_fives_alone_or_the_old_digits_too(growing):
    assert growing.head.kernel.shape == (24, 5)
    features, labels = growing.shown
    assert features.shape == (40, 24) and (labels == 5).all()
    assert [len(labels) for _, labels in growing.tests.values()] == [904, 184]
    assert (growing.tests["fives"][1] == 5).all()
    assert [pictures.shape for pictures in growing.pictures.values()] == [(904, 64), (184, 64)]


@pytest.mark.parametrize(("old_pictures", "often"), [(0, 1), (3, 1), (3, 5)])
def test_it_is_shown_so_many_of_each_old_digit_and_each_five_so_often(growing, old_pictures, often):
    _, labels = growing._shown(0, old_pictures, often)
    assert np.bincount(labels, minlength=6).tolist() == 5 * [old_pictures] + [40 * often]


@pytest.mark.parametrize("freeze_old", [True, False])
def test_old_columns_are_frozen_or_train_from_the_same_start(growing, freeze_old):
    scores = growing.grow(0, freeze_old, 0, 3)
    assert [each.shape for each in scores.values()] == [(904, 6), (184, 6)]
    pairs = zip(growing._trial.model.get_weights(), growing.head.get_weights())
    kept = [not changed_bits(now[..., :5], held).any() for now, held in pairs]
    assert kept == [freeze_old, freeze_old]
    again = growing.grow(0, freeze_old, 0, 3)
    same = [
        not changed_bits(one, other).any() for one, other in zip(scores.values(), again.values())
    ]
    assert all(same), "each training begins anew"


def test_old_digits_that_are_shown_too_are_read_more_often(growing):
    digits = growing.tests["0 to 4"][1]
    read = [
        (growing.grow(0, True, old_pictures, 60)["0 to 4"].argmax(1) == digits).mean()
        for old_pictures in (40, 0)
    ]
    assert read[0] > read[1]
