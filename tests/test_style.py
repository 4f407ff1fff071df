"""Style is checked by ruff, over modules, tests and notebooks; pyproject.toml says how."""

import subprocess
import sys

import pytest

from helpers import ROOT


@pytest.mark.parametrize("arguments", [["check"], ["format", "--check"]], ids=" ".join)
def test_ruff_has_nothing_to_say(arguments):
    command = [sys.executable, "-m", "ruff", *arguments, "--no-cache", str(ROOT)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout
