"""What may be measured of a classifier besides its accuracy: calibration, and saliency maps."""

import numpy as np

from helpers.device import tf


def calibration_error(model, images, labels, bins=10):
    """Return the expected calibration error, in points from 0 to 100; the model gives logits.

    `images` are as the model takes them, one row an example; `labels` int (examples,).
    Predictions are sorted into bins by how sure they are; in each bin, mean certainty and
    accuracy lie some way apart. The mean of that over all predictions is the error (Guo and
    others, On Calibration of Modern Neural Networks, ICML 2017, arXiv:1706.04599).
    """
    count, sure, right = reliability(model, images, labels, bins)
    return float((count * np.abs(sure - right)).sum() / count.sum())


def reliability(model, images, labels, bins=10):
    """Return three float arrays (bins,): how many predictions fall into each bin of certainty, how
    sure they are on average and how many of them are right, both in points from 0 to 100 (0 where
    a bin is empty). Arguments as for `calibration_error`."""
    chances = _chances(model, images)
    sure, right = chances.max(1), chances.argmax(1) == np.asarray(labels)
    place = np.minimum((bins * sure).astype(int), bins - 1)
    count = np.bincount(place, minlength=bins).astype(float)
    sums = [np.bincount(place, values, bins) for values in (sure, right)]
    return count, *(100 * each / np.maximum(count, 1) for each in sums)


def certainty(model, images, labels=None):
    """Return how sure the model is on average, in points from 0 to 100; it gives logits.

    As sure as its highest probability, right or wrong: `labels` are not looked at.
    """
    return 100 * float(_chances(model, images).max(1).mean())


def _chances(model, images):
    return tf.nn.softmax(model(images)).numpy().astype(np.float64)


def saliency(model, images, labels):
    """Return how much each pixel sways the score of its picture's own class, shaped as `images`.

    `images` are float, as the model takes them; `labels` int (examples,).
    It is the magnitude of the gradient (Simonyan, Vedaldi and Zisserman, Deep Inside
    Convolutional Networks, 2014, arXiv:1312.6034); the score is the logit less the mean of all, so
    that weights with the same probabilities have the same map.
    """
    pixels = tf.convert_to_tensor(images)
    with tf.GradientTape() as tape:  # of pixels: nothing trains
        tape.watch(pixels)
        logits = model(pixels)
        scores = tf.gather(logits, labels, axis=1, batch_dims=1) - tf.reduce_mean(logits, axis=1)
    return np.abs(tape.gradient(scores, pixels).numpy())


def likeness(maps, others):
    """Return the mean correlation of maps with others, picture by picture, from -1 to 1.

    Both are float (pictures, pixels). A map that is the same everywhere is like none: 0.
    """
    maps, others = (m - m.mean(1, keepdims=True) for m in (maps, others))
    lengths = np.linalg.norm(maps, axis=1) * np.linalg.norm(others, axis=1)
    return float(np.mean((maps * others).sum(1) / np.maximum(lengths, 1e-12)))
