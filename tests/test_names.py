"""A name is one of a list, or hears all of them."""

import pytest

from helpers.names import known
from helpers.techniques import TECHNIQUES


def test_a_known_name_is_returned():
    assert known("technique", "restore", TECHNIQUES) == "restore"


@pytest.mark.parametrize("arrived", ["freeze", "", "Restore", None, 3])
def test_an_unknown_name_hears_every_known_one_and_the_advice(arrived):
    with pytest.raises(ValueError, match=r"^The technique .* Try another\.$") as refused:
        known("technique", arrived, TECHNIQUES, "Try another.")
    message = str(refused.value)
    assert repr(arrived) in message and all(repr(name) in message for name in TECHNIQUES)
