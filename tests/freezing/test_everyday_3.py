"""A quarter of the everyday cases; see `everyday`. Most wait for --all."""

import pytest

from tests.freezing.everyday import chunks, failures


@pytest.mark.parametrize("numbers", chunks(3), ids=lambda numbers: f"{numbers[0]}-{numbers[-1]}")
def test_frozen_cells_stay_and_the_rest_trains_as_under_plain_keras(numbers, tmp_path_factory):
    assert failures(numbers, tmp_path_factory) == []
