"""What native code writes is turned away, and nothing else."""

import os
import sys

import pytest

from helpers.quiet import quiet


def test_errors_come_back_through_the_quiet_start(capfd):
    with pytest.raises(ZeroDivisionError), quiet():
        1 / 0  # noqa: B018
    print("after", file=sys.stderr)
    assert capfd.readouterr().err == "after\n"


def test_what_native_code_writes_is_turned_away_and_only_inside(capfd):
    os.write(2, b"before ")
    with quiet():
        os.write(2, b"hidden ")
    os.write(2, b"after")
    assert capfd.readouterr().err == "before after"
