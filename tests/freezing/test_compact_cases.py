"""Random cases of the compact freeze: frozen bits stay, free cells step as under plain Keras."""

import pytest

from tests.freezing.cases import hold
from tests.freezing.compact import CompactPair, compact_cases


@pytest.mark.parametrize("chunk", [0, 1])
def test_frozen_bits_stay_and_free_cells_step_on(pytestconfig, chunk):
    hold(pytestconfig, chunk, compact_cases, CompactPair)
