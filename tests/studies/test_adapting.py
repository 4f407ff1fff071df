"""A reader is adapted where cells are free, and nowhere else; what is asked of it is answered."""

import numpy as np
import pytest

from helpers.bits import changed_bits
from helpers.studies import trials
from helpers.studies.adapting import Reader


@pytest.fixture(scope="module")
def reader():
    return Reader()


def half(reader):
    draw = np.random.default_rng(0)
    return [draw.random(w.shape) < 0.5 for w in reader.weights(0)]


def test_it_reads_upright_digits_from_each_seed(reader):
    for seed in (0, 1):
        reader.adapt(seed, [], 0.01, steps=0)
        assert reader.right(task=reader.upright) > 90 and reader.right() < 40
    assert changed_bits(reader.weights(0)[0], reader.weights(1)[0]).any()
    assert reader.size == sum(w.size for w in reader.weights(0)) == 26_122


def test_free_cells_adapt_and_frozen_ones_stay(reader):
    frozen = half(reader)
    reader.adapt(0, frozen, 0.01, steps=30)
    for old, new, mask in zip(reader.weights(0), reader.model.get_weights(), frozen):
        assert not changed_bits(old, new)[mask].any()
    assert (
        changed_bits(reader.weights(0)[4], reader.model.get_weights()[4])[~frozen[4]].mean() > 0.9
    )
    assert reader.right() > 60


def test_each_training_begins_anew_from_the_pretrained_weights(reader):
    ends = []
    for frozen, rate in (([], 0.01), (half(reader), 0.1), ([], 0.01)):
        reader.adapt(0, frozen, rate, steps=5)
        ends.append(reader.model.get_weights()[0])
    assert not changed_bits(ends[0], ends[2]).any() and changed_bits(ends[0], ends[1]).any()


def test_the_first_kernel_trains_alone_at_the_rate_that_validation_chooses(reader):
    frozen = np.random.default_rng(0).random((64, 128)) < 0.9
    rate, read = reader.first_kernel(frozen, [1e-9, 0.1, 1e-8], "test", orders=2)
    assert rate == 0.1 and len(read) == 2 and min(read) > 60
    kernel, *others = reader.model.get_weights()  # after the last training
    before, *kept = reader.weights(0)
    assert not changed_bits(kernel, before)[frozen].any() and (kernel != before)[~frozen].any()
    assert not any(changed_bits(a, b).any() for a, b in zip(others, kept))
    (alone,) = reader.first_kernel(frozen, [0.1], "test", orders=1)[1]
    assert alone == read[0]


def test_the_first_kernel_is_not_trained_at_rates_above_one_that_is_too_high(reader, monkeypatch):
    tried, train = [], reader.train

    def noting(weights, frozen, rate, *how):
        tried.append(rate)
        train(weights, frozen, rate, *how)

    monkeypatch.setattr(reader, "train", noting)
    assert reader.first_kernel(np.zeros((64, 128), bool), [200.0, 0.01, 100.0], orders=1)[0] == 0.01
    assert tried == [0.01, 100.0]


def test_low_rank_trains_its_factors_alone_and_is_what_is_judged(reader):
    assert reader.adapt_low_rank(0, 1, 0.03, steps=0) == 586
    before = reader.right()
    reader.adapt(0, [], 0.01, steps=0)
    assert before == reader.right()  # at first the product is 0
    reader.adapt_low_rank(0, 1, 0.03, steps=60)
    assert reader.right() > 60
    model, _ = reader._low_rank(1)
    for layer, bias in zip(model.layers, reader.weights(0)[1::2]):
        assert not changed_bits(layer.bias.numpy(), bias).any()
        assert np.linalg.matrix_rank(layer.lora_kernel_a @ layer.lora_kernel_b) == 1


@pytest.mark.parametrize(("arguments", "examples"), [((), 256), ((20,), 20)])
def test_information_is_that_of_the_pretrained_weights_about_turned_digits(
    reader, arguments, examples
):
    reader.adapt(0, [], 0.01, steps=5)
    information = reader.information(0, *arguments)
    reader.model.set_weights(reader.weights(0))
    pictures, labels = (values[:examples] for values in reader.turned.part["train"])
    for mine, theirs in zip(information, trials.fisher(reader.model, pictures, labels)):
        np.testing.assert_array_equal(mine, theirs)
