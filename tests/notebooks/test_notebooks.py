"""What the notebooks' files hold beside what nbval compares: order, links, pictures, errors."""

import re

import numpy as np
import pytest

from helpers.tools import notebooks
from tests.notebooks.pictures import code, pictures

PATHS = notebooks.paths()
STORED = {path.stem: notebooks.read(path) for path in PATHS}
LINES = 45  # of a program that a reader takes along: it has room on one screen
README = (notebooks.FOLDER.parent / "README.md").read_text(encoding="utf-8")


@pytest.fixture(params=STORED, scope="module")
def stem(request):
    return request.param


@pytest.fixture
def notebook(stem):
    return STORED[stem]


def test_the_readme_lists_every_notebook_once_and_in_order():
    """A number is a notebook's place in the course; a place may still be empty."""
    rows = re.findall(r"^\| \[(\d\d) .+\]\(notebooks/(.+)\)", README, re.MULTILINE)
    assert [name for _, name in rows] == [path.name for path in PATHS]
    assert [number for number, _ in rows] == [path.name[:2] for path in PATHS]
    assert len({number for number, _ in rows}) == len(rows) and rows[0][0] == "00"


def test_the_minutes_that_a_page_names_are_those_of_the_readme(stem, notebook):
    page = re.search(r"\b(\d+) minutes", notebook.cells[0].source)
    row = re.search(rf"\(notebooks/{stem}\.ipynb\).+\| (\d+) \|$", README, re.MULTILINE)
    assert row, "the README's row ends with minutes"
    assert page is None or page[1] == row[1]


def test_the_hours_that_the_readme_names_are_the_sum_of_its_minutes():
    minutes = re.findall(r"^\| \[\d\d .*\| (\d+) \|$", README, re.MULTILINE)
    assert f"about {sum(map(int, minutes)) / 60:.0f} hours" in README


def test_a_picture_that_the_readme_shows_is_the_one_that_its_notebook_has_drawn():
    for name, (number, place) in notebooks.SHOWN.items():
        (stem,) = [stem for stem in STORED if stem.startswith(number)]
        assert f"(notebooks/pictures/{name})" in README
        _, drawn = notebooks.pictures(STORED[stem])[place]
        assert (notebooks.FOLDER / "pictures" / name).read_bytes() == drawn


def test_links_between_notebooks_lead_somewhere(notebook):
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", prose):
        assert (notebooks.FOLDER / target).exists(), target


def test_previous_and_next_lead_through_the_course(stem, notebook):
    files = [path.name for path in PATHS]
    here, last = files.index(f"{stem}.ipynb"), notebook.cells[-1].source.splitlines()[-1]
    links = dict(re.findall(r"(Previous|Next): \[\d\d [^\]]+\]\((.+?)\)", last))
    around = {"Previous": files[here - 1 : here], "Next": files[here + 1 : here + 2]}
    assert links == {word: names[0] for word, names in around.items() if names}


def test_no_picture_is_blank_and_a_reader_without_a_kernel_sees_one(notebook):
    for picture in pictures(notebook):
        colours = (255 * picture).astype(np.uint8).reshape(-1, 4).view(np.uint32)
        assert len(np.unique(colours)) > 20
    assert pictures(notebook)


def test_every_cell_has_run_in_order_and_none_is_left_out(notebook):
    counts = [cell.execution_count for cell in code(notebook)]
    assert counts == list(range(1, len(counts) + 1))
    program = ["take-home", "mixed-precision"]
    known = [], ["take-home"], program, [notebooks.TIMES], [*program, notebooks.TIMES]
    for cell in code(notebook):
        assert cell.metadata == {} or [*cell.metadata] == ["tags"]
        assert notebooks.tags(cell) in known


def test_an_exercise_is_set_before_it_is_checked(notebook):
    task, check = (
        [place for place, cell in enumerate(notebook.cells) if mark in cell.source]
        for mark in ("## Exercise", "exercise.check(")
    )
    assert not check or (task and task[0] < check[0])


def test_no_cell_ends_in_silence_where_it_should_answer(notebook):
    """A last line that is a bare name or a call of a picture leaves an output."""
    for cell in code(notebook):
        last = cell.source.splitlines()[-1]
        if re.fullmatch(r"\w+(\.picture\(\))?", last):
            assert cell.outputs, last


def test_no_output_is_an_error_or_a_warning(notebook):
    for cell in code(notebook):
        for output in cell.outputs:
            assert output.output_type != "error"
            assert output.get("name") != "stderr"


def test_programs_to_take_home_need_nothing_of_the_course_and_fit_on_a_screen(notebook):
    for cell in notebooks.programs(notebook):
        source = cell.source.replace("from helpers.freezing import", "")
        assert "helpers" not in source and len(source.splitlines()) <= LINES
