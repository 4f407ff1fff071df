"""Calibration and saliency are what their definitions say."""

import numpy as np
import pytest

from helpers.device import keras, tf
from helpers.studies import measures


def says(*chances):
    """A model that predicts these chances, whatever it sees."""
    return lambda images: tf.math.log(tf.constant(chances, tf.float32))


def test_who_is_sure_and_right_is_calibrated():
    sure = says([1 - 1e-7, 1e-7], [1e-7, 1 - 1e-7])
    assert measures.calibration_error(sure, None, [0, 1]) == pytest.approx(0, abs=1e-4)
    assert measures.calibration_error(sure, None, [1, 0]) == pytest.approx(100, abs=1e-4)


def test_the_error_is_weighed_by_how_many_predictions_a_bin_holds():
    model = says([0.8, 0.2], [0.8, 0.2], [0.8, 0.2], [0.62, 0.38])
    # In one bin 80 of 100 are promised and a third is right; in the other, 62 and all.
    expected = 100 * (3 * (0.8 - 1 / 3) + 1 * (1 - 0.62)) / 4
    assert measures.calibration_error(model, None, [0, 1, 1, 0]) == pytest.approx(expected, 1e-5)


def test_errors_in_opposite_directions_cancel_within_a_bin_only():
    labels = [0, 1]
    assert measures.calibration_error(says([0.5, 0.5], [0.5, 0.5]), None, labels) == 0


def test_reliability_counts_each_bin_and_leaves_empty_ones_at_zero():
    model = says([0.8, 0.2], [0.84, 0.16], [1 - 1e-7, 1e-7])
    count, sure, right = measures.reliability(model, None, [0, 1, 0])
    assert count[[8, 9]].tolist() == [2, 1] and count.sum() == 3
    assert sure[[8, 9]] == pytest.approx([82, 100], 1e-5) and right[[8, 9]].tolist() == [50, 100]
    assert not sure[:8].any() and not right[:8].any()


def test_certainty_is_the_mean_of_the_highest_chances():
    assert measures.certainty(says([0.9, 0.1], [0.3, 0.7]), None) == pytest.approx(80, 1e-5)


def linear(kernel):
    layer = keras.layers.Dense(3)
    layer.build((None, 4))
    layer.set_weights([kernel, np.ones(3, "float32")])
    return layer


def test_saliency_of_a_linear_model_is_how_far_its_weights_are_from_their_mean():
    kernel = np.random.default_rng(0).normal(size=(4, 3)).astype("float32")
    images, labels = np.ones((2, 4), "float32"), np.array([2, 0])
    found = measures.saliency(linear(kernel), images, labels)
    own = kernel - kernel.mean(axis=1, keepdims=True)
    assert np.allclose(found, np.abs(own[:, [2, 0]].T), atol=1e-6)
    same_answers = measures.saliency(linear(kernel + kernel[:, :1]), images, labels)
    assert np.allclose(found, same_answers, atol=1e-6)


def test_likeness_is_the_mean_correlation_and_an_empty_map_is_like_none():
    maps = np.random.default_rng(0).random((3, 8))
    assert measures.likeness(maps, 2 * maps + 1) == pytest.approx(1)
    assert measures.likeness(maps, -maps) == pytest.approx(-1)
    half = np.concatenate([maps[:2], np.zeros((1, 8))])
    assert measures.likeness(half, maps) == pytest.approx(2 / 3)
