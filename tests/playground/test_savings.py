"""What a painted mask could save: counted by its shape, and anew with each stroke."""

import numpy as np
import pytest

from helpers.playground import Playground, savings
from tests.playground.small import small


@pytest.fixture
def shown():
    made = savings.Savings(Playground(small(), technique="exact"))
    yield made
    made.playground.close()


def test_only_whole_rows_and_columns_count_for_what_is_split_off():
    frozen = np.zeros((4, 3), bool)
    frozen[0] = frozen[:, 1] = True
    frozen[3, 0] = True
    kept = {"a mask": 12, "rows split off": 9, "columns split off": 8, "compact slots": 5}
    assert savings.count(frozen) == kept
    assert savings.told(frozen).startswith("Frozen: 7 of 12 cells; as a whole 1 of 4 rows and 1 of")


def test_the_lines_follow_each_stroke(shown):
    assert "0 of 144 cells; as a whole 0 of 12 rows" in shown._lines.value
    shown.playground.paint(slice(0, 2), slice(None))
    assert "24 of 144 cells; as a whole 2 of 12 rows and 0 of 12 columns" in shown._lines.value
    shown.playground.undo()
    assert "Frozen: 0 of 144" in shown._lines.value


def test_a_reader_without_a_kernel_sees_the_mask_and_one_with_it_the_grid(shown):
    bundle = shown._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    before = bundle["image/png"]
    shown.playground.paint(3, slice(None))
    assert shown._repr_mimebundle_()["image/png"] != before
