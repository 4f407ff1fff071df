"""A cell tagged `take-home` is a program: it runs alone in an empty folder, and prints there what
the page shows; one that is also tagged `mixed-precision` prints the same under mixed_float16."""

import pytest

from helpers.tools import notebooks

CELLS = {
    f"{path.stem}-{cell.id}": cell
    for path in notebooks.paths()
    for cell in notebooks.programs(notebooks.read(path))
}
MIXED = [name for name, cell in CELLS.items() if "mixed-precision" in cell.metadata.tags]
IN_HALF = 'import keras\nkeras.config.set_dtype_policy("mixed_float16")\n'


def printed(cell):
    """Return what the page says that a cell prints."""
    return "".join(output.text for output in cell.outputs if output.output_type == "stream")


@pytest.mark.thorough
@pytest.mark.parametrize("name", CELLS)
def test_it_runs_alone_and_prints_what_the_page_shows(at_home, name):
    ran = at_home(CELLS[name].source)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert ran.stdout == printed(CELLS[name]) != ""


@pytest.mark.thorough
@pytest.mark.parametrize("name", MIXED)
def test_it_prints_the_same_in_mixed_precision(at_home, name):
    ran = at_home(IN_HALF + CELLS[name].source)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert ran.stdout == printed(CELLS[name])
