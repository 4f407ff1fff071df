"""A step is shorter or longer where its bar does not touch the noise, and its line says so."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from helpers.studies import verdicts


@pytest.mark.parametrize(
    ("bar", "told"),
    [
        ((0.5, 0.8), "shorter"),
        ((0.5, 0.9), "not told apart"),
        ((1, 1.01), "not told apart"),
        ((1.1, 2), "not told apart"),
        ((1.2, 2), "longer"),
    ],
)
def test_two_bars_differ_if_they_do_not_overlap(bar, told):
    assert verdicts.verdict(bar, noise=(0.9, 1.1)) == told


def test_each_line_but_that_of_the_noise_tells_its_verdict():
    _, axes = plt.subplots()
    found = np.array([[0.9, 1, 1.1], [0.5, 0.6, 0.7], [0.9, 1.0, 1.2], [1.2, 1.3, 2]])
    verdicts.draw(axes, found, list("abcd"), "a title")
    told = [text.get_text().strip() for text in axes.texts]
    assert told == ["", "shorter", "not told apart", "longer"]
    band, *_ = axes.patches
    assert (band.get_x(), band.get_width()) == (0.9, pytest.approx(0.2))
    plt.close()
