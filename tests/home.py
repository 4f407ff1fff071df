"""A home: an empty folder, and the library as pip installs it, under its own name."""

import os
import subprocess
import sys

import pytest

from helpers import ROOT


@pytest.fixture
def at_home(tmp_path):
    """A function that runs a program to take home there, and returns what it did."""
    installed, empty = tmp_path / "installed", tmp_path / "empty"
    installed.mkdir()
    empty.mkdir()
    (installed / "freezing_tensors").symlink_to(ROOT / "helpers" / "freezing")

    def run(source):
        source = source.replace("from helpers.freezing import", "from freezing_tensors import")
        (empty / "program.py").write_text(source, encoding="utf-8")
        return subprocess.run(
            [sys.executable, "program.py"],
            cwd=empty,
            env={**os.environ, "PYTHONPATH": str(installed)},
            capture_output=True,
            text=True,
            timeout=300,
        )

    return run
