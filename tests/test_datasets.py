"""Data: real digits as they were published, and a snowflake that is one."""

import string

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


def test_digits_cannot_be_changed_for_everybody_else():
    for array in (*datasets.digits(), *datasets.digits_split()[0], *datasets.digits_split()[1]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 9


def test_digits_are_rows_of_a_picture():
    """A one is ink in the middle columns, a zero has a hole there."""
    images, labels = datasets.digits()
    pictures = images.reshape(-1, 8, 8)
    middle = pictures[:, 3:5, 3:5].mean((1, 2))
    assert middle[labels == 1].mean() > 0.6 > 0.2 > middle[labels == 0].mean()


def test_the_split_takes_every_digit_once_and_each_class_alike():
    (images, labels), (test_images, test_labels) = datasets.digits_split()
    together = np.concatenate([images, test_images])
    assert len(images) == 1347 and len(test_images) == 450
    assert sorted(map(bytes, together)) == sorted(map(bytes, datasets.digits()[0]))
    assert np.abs(np.bincount(labels) - 3 * np.bincount(test_labels)).max() <= 3
    assert labels.dtype == test_labels.dtype == np.int64


def test_few_of_each_are_as_many_of_every_label_drawn_once_and_by_the_seed():
    images, labels = datasets.digits()
    few, theirs = datasets.few_of_each(images, labels, 7, seed=0)
    assert np.bincount(theirs).tolist() == [7] * 10 and len({each.tobytes() for each in few}) == 70
    known = {image.tobytes(): label for image, label in zip(images, labels)}
    assert [known[each.tobytes()] for each in few] == theirs.tolist()
    assert (datasets.few_of_each(images, labels, 7, 0)[0] == few).all()
    assert (datasets.few_of_each(images, labels, 7, 1)[0] != few).any()


def test_digits_are_rotated_as_pictures():
    images = datasets.digits()[0][:50]
    turned = datasets.rotated(images, 90)
    pictures = [np.rot90(image.reshape(8, 8)).ravel() for image in images]
    np.testing.assert_allclose(turned, pictures, atol=1e-6)
    turned = datasets.rotated(images, 45)
    assert turned.dtype == np.float32 and turned.min() >= 0 and turned.max() <= 1


def test_shaken_digits_are_shifted_round_the_edges_each_by_itself():
    images = datasets.digits()[0][:40]
    moved = datasets.shaken(images, seed=1)
    np.testing.assert_array_equal(moved, datasets.shaken(images, seed=1))
    assert (moved != images).any(1).sum() > 30 and (moved != datasets.shaken(images, 2)).any()
    np.testing.assert_array_equal(np.sort(moved, axis=1), np.sort(images, axis=1))
    np.testing.assert_array_equal(datasets.shaken(images, 1, furthest=0), images)


@pytest.mark.parametrize(("rows", "columns"), [(8, 8), (48, 48), (33, 64), (512, 512)])
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
    arms = np.degrees(angle[starts])
    assert len(arms) % 6 == 0
    by_turning = np.sort((arms[:, None] + [0, 60]) % 360, axis=0)
    np.testing.assert_allclose(by_turning[:, 0], by_turning[:, 1], atol=1.5)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 5), (5, 1), (2, 3)])
def test_even_the_smallest_snowflake_is_finite(rows, columns):
    assert np.isfinite(datasets.snowflake(rows, columns)).all()


def test_the_english_text_holds_words_and_numbers_between_single_spaces():
    text = datasets.english()
    assert 30_000 < len(text) < 60_000
    assert "  " not in text and set(text) == set(string.ascii_lowercase + string.digits + " ")
