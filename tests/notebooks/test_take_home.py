"""A cell tagged `take-home` is a program: it runs alone in an empty folder, and prints there what
the page shows."""

import os
import subprocess
import sys

import pytest

from helpers import ROOT
from helpers.tools import notebooks

TAG = "take-home"
CELLS = {
    f"{path.stem}-{cell.id}": cell
    for path in notebooks.paths()
    for cell in notebooks.read(path).cells
    if TAG in cell.metadata.get("tags", [])
}
LINES = 45  # what a reader takes along has room on one screen


def printed(cell):
    """Return what the page says that a cell prints."""
    return "".join(output.text for output in cell.outputs if output.output_type == "stream")


@pytest.fixture
def run(tmp_path):
    """A function that runs a program as at home: an empty folder, and the library as pip installs
    it, under its own name."""
    installed = tmp_path / "installed"
    installed.mkdir()
    (installed / "freezing_tensors").symlink_to(ROOT / "helpers" / "freezing")
    folder = tmp_path / "empty"
    folder.mkdir()

    def run(source):
        source = source.replace("from helpers.freezing import", "from freezing_tensors import")
        (folder / "program.py").write_text(source, encoding="utf-8")
        return subprocess.run(
            [sys.executable, "program.py"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(installed)},
            capture_output=True,
            text=True,
            timeout=300,
        )

    return run


@pytest.mark.parametrize("name", CELLS)
def test_it_runs_alone_and_prints_what_the_page_shows(run, name):
    ran = run(CELLS[name].source)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert ran.stdout == printed(CELLS[name]) != ""


@pytest.mark.parametrize("name", CELLS)
def test_it_needs_nothing_of_the_course_and_fits_on_a_screen(name):
    source = CELLS[name].source.replace("from helpers.freezing import", "")
    assert "helpers" not in source and len(source.splitlines()) <= LINES
