"""What may be measured of a classifier besides its accuracy: calibration."""

import numpy as np

from helpers.device import tf


def calibration_error(model, images, labels, bins=10):
    """Return the expected calibration error, in points from 0 to 100; the model gives logits.

    `images` are as the model takes them, one row an example; `labels` int (examples,).
    Predictions are sorted into bins by how sure they are; in each bin, mean certainty and
    accuracy lie some way apart. The mean of that over all predictions is the error (Guo and
    others, On Calibration of Modern Neural Networks, ICML 2017, arXiv:1706.04599).
    """
    chances = tf.nn.softmax(model(images)).numpy().astype(np.float64)
    sure, right = chances.max(1), chances.argmax(1) == np.asarray(labels)
    place = np.minimum((bins * sure).astype(int), bins - 1)
    apart = np.bincount(place, sure - right, bins)  # of each bin, the sum over its predictions
    return 100 * float(np.abs(apart).sum()) / len(sure)
