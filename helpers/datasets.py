"""Real and made data that need no network."""

import functools
import importlib.resources
import re

import numpy as np
from PIL import Image
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


@functools.cache
def digits():
    """Return 1797 real handwritten digits as (images, labels).

    Images are float32 (1797, 64), rows of an 8×8 picture, ink from 0 to 1; labels are int64.
    Both are read-only: change a copy.
    Source: E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI Machine
    Learning Repository, 1998, doi:10.24432/C50P49; shipped inside scikit-learn.
    """
    images, labels = load_digits(return_X_y=True)
    return _read_only((images / 16).astype(np.float32), labels.astype(np.int64))


@functools.cache
def digits_split():
    """Return the digits as ((images, labels), (images, labels)): 1,347 to train on, 450 to test.

    Each part holds every digit about equally often; the split is always the same.
    """
    parts = train_test_split(*digits(), test_size=450, random_state=0, stratify=digits()[1])
    train_images, test_images, train_labels, test_labels = parts
    return _read_only(train_images, train_labels), _read_only(test_images, test_labels)


def _read_only(*arrays):
    """Return the same arrays for everybody who asks: what one changes, all would get."""
    for array in arrays:
        array.setflags(write=False)
    return arrays


def shaken(images, seed, furthest=2):
    """Return images (examples, 64), each shifted by up to `furthest` pixels in either direction.

    What leaves a picture on one side comes back on the other.
    """
    shifts = np.random.default_rng(seed).integers(-furthest, furthest + 1, (len(images), 2))
    pictures = zip(images.reshape(-1, 8, 8), shifts)
    return np.array([np.roll(picture, shift, (0, 1)).ravel() for picture, shift in pictures])


@functools.cache
def english():
    """Return some 40,000 characters of English: what scikit-learn tells of its datasets, one text
    after the other, in small letters; between two words or numbers stands one space."""
    folder = importlib.resources.files("sklearn.datasets.descr")
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".rst")), key=lambda f: f.name)
    text = " ".join(file.read_text(encoding="utf-8") for file in files).lower()
    return re.sub("[^a-z0-9]+", " ", text).strip()


def few_of_each(pictures, labels, count, seed):
    """Return `count` pictures of each label, and their labels; the seed decides which."""
    draw, kinds = np.random.default_rng(seed), np.unique(labels)
    places = [draw.choice(np.flatnonzero(labels == k), count, replace=False) for k in kinds]
    chosen = np.concatenate(places)
    return pictures[chosen], labels[chosen]


def rotated(images, degrees):
    """Return images (examples, 64) as pictures turned anticlockwise, float32, ink from 0 to 1."""
    pictures = map(Image.fromarray, images.reshape(-1, 8, 8))
    turned = [np.array(p.rotate(degrees, Image.Resampling.BILINEAR)) for p in pictures]
    return np.reshape(turned, images.shape)


def snowflake(rows, columns):
    """Return a float32 picture (rows, columns) of a snowflake: about 1 on its arms, -0.5 beside.

    It is the same left and right, above and below, so one quarter is drawn. There every point is
    folded into one twelfth of the plane, where the six-fold star is one arm and four half branches.
    """
    y, x = np.meshgrid(
        np.linspace(-1, 1, rows, dtype=np.float32)[: (rows + 1) // 2],
        np.linspace(-1, 1, columns, dtype=np.float32)[: (columns + 1) // 2],
        indexing="ij",
    )
    radius, angle = np.hypot(x, y), np.arctan2(y, x)
    folded = np.abs((angle + np.pi / 6) % (np.pi / 3) - np.pi / 6)
    along, across = radius * np.cos(folded), radius * np.sin(folded)
    width = max(0.04, 0.8 / min(rows, columns))
    nearest = distance(along, across, (0, 0), (0.92, 0))
    for start, length in ((0.2, 0.14), (0.4, 0.26), (0.6, 0.22), (0.78, 0.12)):
        tip = (start + length * np.cos(np.pi / 3), length * np.sin(np.pi / 3))
        nearest = np.minimum(nearest, distance(along, across, (start, 0), tip))
    quarter = (1.5 * np.exp(-((nearest / width) ** 2)) - 0.5).astype(np.float32)
    from_edge = [np.minimum(np.arange(n), np.arange(n)[::-1]) for n in (rows, columns)]
    return quarter[np.ix_(*from_edge)]


def distance(x, y, start, end):
    """Distance from every point (x, y) to the segment from `start` to `end`."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    where = np.clip(((x - start[0]) * dx + (y - start[1]) * dy) / (dx * dx + dy * dy), 0, 1)
    return np.hypot(x - start[0] - where * dx, y - start[1] - where * dy)
