"""A cell tagged `take-home` is a program: it runs alone in an empty folder, and prints there what
the page shows; one that is also tagged `mixed-precision` prints the same under mixed_float16."""

import ast
import dis
import inspect
import re

import pytest

from helpers.tools import notebooks

CELLS = {
    f"{path.stem}-{cell.id}": cell
    for path in notebooks.paths()
    for cell in notebooks.programs(notebooks.read(path))
}
MIXED = [name for name, cell in CELLS.items() if "mixed-precision" in notebooks.tags(cell)]
COMPREHENSIONS = {"<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>"}
IN_HALF = 'import keras\nkeras.config.set_dtype_policy("mixed_float16")\n'


def as_on_the_page(cell, printed):
    """Return whether a cell has printed what the page shows, of times all but the numbers."""
    timed = notebooks.TIMES in notebooks.tags(cell)
    printed = notebooks.without_numbers(printed) if timed else printed
    return printed == notebooks.printed(cell) != ""


@pytest.mark.thorough
@pytest.mark.parametrize("name", CELLS)
def test_it_runs_alone_and_prints_what_the_page_shows(at_home, name):
    ran = at_home(CELLS[name].source)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert as_on_the_page(CELLS[name], ran.stdout)


@pytest.mark.thorough
@pytest.mark.parametrize("name", MIXED)
def test_it_prints_the_same_in_mixed_precision(at_home, name):
    ran = at_home(IN_HALF + CELLS[name].source)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert as_on_the_page(CELLS[name], ran.stdout)


def names(source):
    """The names that a cell makes, those that it imports, and those that its functions look up."""
    looked_up = set()

    def visit(code):
        looked_up.update(i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL")
        for inner in filter(inspect.iscode, code.co_consts):
            visit(inner)

    module = compile(source, "cell", "exec")
    made = {i.argval for i in dis.get_instructions(module) if i.opname == "STORE_NAME"}
    for inner in filter(inspect.iscode, module.co_consts):
        if inner.co_name not in COMPREHENSIONS:  # these are over when the cell is
            visit(inner)
    imports = (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Import | ast.ImportFrom))
    imported = {each.asname or each.name for one in imports for each in one.names}
    return made - imported, imported, looked_up


def test_of_times_only_the_numbers_may_differ():
    cell = next(cell for cell in CELLS.values() if notebooks.TIMES in notebooks.tags(cell))
    told = "".join(output.text for output in cell.outputs)
    assert as_on_the_page(cell, told)
    assert as_on_the_page(cell, re.sub(r"\d+(\.\d+)?", " 95.5", told))
    assert not as_on_the_page(cell, told + "and more")
    assert not as_on_the_page(cell, "")


@pytest.mark.parametrize("path", notebooks.paths(), ids=lambda path: path.stem)
def test_it_leaves_alone_what_the_page_goes_on_with(path):
    """Its sliders and cells may be used again when the program has run."""
    made, looked_up = set(), set()
    for cell in notebooks.read(path).cells:
        if cell.cell_type == "code":
            new, imported, used = names(cell.source)
            if notebooks.TAKE_HOME in notebooks.tags(cell):
                assert new & made & looked_up == set()
            made, looked_up = made | new | imported, looked_up | used
