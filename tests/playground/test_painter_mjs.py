"""The browser's side of the painter: the shipped file, tested by Node."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from helpers import ROOT

ADVICE = "Node is not on the PATH: install Node 20 or later, for example apt-get install nodejs."


def test_the_shipped_module_under_node():
    node = shutil.which("node")
    if node is None and os.environ.get("CI") == "true":
        pytest.fail(ADVICE)
    if node is None:
        pytest.skip(ADVICE)
    command = [node, "--test", str(Path(__file__).with_name("painter.test.mjs"))]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "fail 0" in result.stdout and "pass 0" not in result.stdout
