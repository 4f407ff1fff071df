"""Style is checked by ruff, over modules, tests and notebooks; types by mypy, most strictly those
of the freeze; pyproject.toml says how."""

import subprocess
import sys

import pytest

from helpers import ROOT


@pytest.mark.parametrize("arguments", [["check"], ["format", "--check"]], ids=" ".join)
def test_ruff_has_nothing_to_say(arguments):
    command = [sys.executable, "-m", "ruff", *arguments, "--no-cache", str(ROOT)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout


def test_types_fit(tmp_path):
    command = [sys.executable, "-m", "mypy", "-p", "helpers", f"--cache-dir={tmp_path}"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
