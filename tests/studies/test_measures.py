"""Calibration is what its definition says."""

import pytest

from helpers.device import tf
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
