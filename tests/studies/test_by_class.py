"""Frozen pictures stay, and the tables count test pictures."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from helpers.bits import changed_bits
from helpers.studies import by_class


@pytest.fixture(scope="module")
def reader():
    return by_class.Pictures()


def test_frozen_cells_stay_and_free_ones_learn(reader):
    reader.confusion(0, by_class.whole(), steps=0)
    first = reader.kernel
    frozen = by_class.whole(3)
    frozen[:9, 5] = True
    table = reader.confusion(0, frozen, steps=100)
    moved = changed_bits(first, reader.kernel)
    assert not moved[frozen].any() and moved[~frozen].mean() > 0.8
    assert np.diag(table).mean() > 80


def test_a_row_of_the_table_is_a_digit_and_sums_to_a_hundred(reader):
    table = reader.confusion(1, by_class.whole(3, 8))
    np.testing.assert_allclose(table.sum(axis=1), 100)
    assert np.delete(np.diag(table), [3, 8]).min() > 80
    assert max(table[3, 8], table[8, 3]) > 20


def test_each_training_begins_anew(reader):
    tables = [reader.confusion(0, by_class.whole(*held), 50) for held in [(), (3, 8, 1), ()]]
    np.testing.assert_array_equal(tables[0], tables[2])
    assert not np.array_equal(tables[0], tables[1])


def test_a_course_begins_low_comes_near_the_end_and_keeps_what_is_frozen(reader):
    course = reader.course(0, by_class.whole(3), points=12, every=20)
    assert course.shape == (12, 10)
    assert course[0].mean() < course[-1].mean() and course[-1].mean() > 88
    kernel = reader.kernel
    reader.confusion(0, by_class.whole(), steps=0)
    assert not changed_bits(kernel, reader.kernel)[:, 3].any()


def test_a_drawn_table_has_its_large_numbers():
    table = np.zeros((10, 10))
    table[8, 3], table[3, 3] = 93.2, 9
    axes = by_class.draw_confusion(plt.figure().subplots(), table, "title")
    assert [(text.get_text(), text.get_position()) for text in axes.texts] == [("93", (3, 8))]
    plt.close("all")
