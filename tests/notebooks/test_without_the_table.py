"""Without a connection the page with the fetched table runs all the same, and its tests say why
they are skipped."""

import os
import subprocess
import sys

import pytest

from helpers import ROOT
from helpers.tools import notebooks
from tests.fetched import PAGE, needs_the_table
from tests.notebooks.pictures import code


@pytest.fixture
def offline(tmp_path, monkeypatch):
    """Nothing has been fetched, and pip finds no index."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/nothing")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)


def test_its_tests_are_skipped_and_say_why(offline):
    page = f"notebooks/{PAGE}.ipynb"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-rs", page]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "could not be fetched" in ran.stdout
    assert " skipped" in ran.stdout and "passed" not in ran.stdout


@pytest.mark.thorough
def test_the_page_runs_on_the_table_that_stands_in(offline):
    page = notebooks.execute(notebooks.read(notebooks.FOLDER / f"{PAGE}.ipynb"))
    printed = "".join(
        output.get("text", "") for cell in code(page) for output in cell.get("outputs", [])
    )
    assert "could not be fetched" in printed and "stands in" in printed


@pytest.mark.parametrize(
    ("nodeid", "needs"),
    [
        (f"notebooks/{PAGE}.ipynb::Cell 3", True),
        (f"tests/notebooks/test_second_run.py::test_a_run_with_the_exercise[{PAGE}]", True),
        (f"tests/notebooks/test_take_home.py::test_it_runs_alone[{PAGE}-1]", False),
        ("notebooks/17_transfer.ipynb::Cell 3", False),
    ],
)
def test_only_what_compares_its_figures_needs_the_table(nodeid, needs):
    assert needs_the_table(nodeid) == needs
