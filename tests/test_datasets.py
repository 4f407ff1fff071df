"""Data: real digits as they were published, and a snowflake that is one."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from helpers import datasets


def test_digits_are_the_published_ones():
    images, labels = datasets.digits()
    published = load_digits()
    assert images.shape == (1797, 64) and images.dtype == np.float32 and labels.dtype == np.int64
    np.testing.assert_array_equal(images * 16, published.data)
    np.testing.assert_array_equal(labels, published.target)
    assert images.min() == 0 and images.max() == 1 and set(labels) == set(range(10))


def test_digits_are_rows_of_a_picture():
    """A one is ink in the middle columns, a zero has a hole there."""
    images, labels = datasets.digits()
    pictures = images.reshape(-1, 8, 8)
    middle = pictures[:, 3:5, 3:5].mean((1, 2))
    assert middle[labels == 1].mean() > 0.6 > 0.2 > middle[labels == 0].mean()


@pytest.mark.parametrize("rows, columns", [(8, 8), (48, 48), (33, 64), (512, 512)])
def test_a_snowflake_mirrors_and_has_arms_and_gaps(rows, columns):
    picture = datasets.snowflake(rows, columns)
    assert picture.shape == (rows, columns) and picture.dtype == np.float32
    assert -0.5 <= picture.min() < -0.4 and 0.7 < picture.max() <= 1
    np.testing.assert_allclose(picture, picture[::-1], atol=2e-3)
    np.testing.assert_allclose(picture, picture[:, ::-1], atol=2e-3)


def test_a_snowflake_has_six_arms():
    picture = datasets.snowflake(511, 511)
    angle = np.arange(0, 2 * np.pi, 0.001)
    ring = [picture[round(255 + 128 * np.sin(a)), round(255 + 128 * np.cos(a))] for a in angle]
    inked = np.array(ring) > 0
    starts = inked & ~np.roll(inked, 1)
    arms = [a for a in np.degrees(angle[starts])]
    assert len(arms) % 6 == 0
    by_turning = np.sort((np.array(arms)[:, None] + [0, 60]) % 360, axis=0)
    np.testing.assert_allclose(by_turning[:, 0], by_turning[:, 1], atol=1.5)


@pytest.mark.parametrize("rows, columns", [(1, 1), (1, 5), (5, 1), (2, 3)])
def test_even_the_smallest_snowflake_is_finite(rows, columns):
    assert np.isfinite(datasets.snowflake(rows, columns)).all()
