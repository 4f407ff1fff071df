"""Random cases, one other half of them: frozen bits stay, free cells step on.

--freezing-cases 100000 draws more of them, for longer.
"""

import pytest

from tests.freezing.cases import hold


@pytest.mark.parametrize("chunk", [2, 3])
def test_frozen_bits_stay_and_free_cells_step_as_with_a_zeroed_gradient(pytestconfig, chunk):
    hold(pytestconfig, chunk)
