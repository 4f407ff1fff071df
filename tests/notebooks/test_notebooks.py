"""What the comparison of outputs does not see: cleared cells, pictures, bytes, the house rules."""

import base64
import concurrent.futures
import copy
import importlib
import inspect
import io
import re

import matplotlib.image
import numpy as np
import pytest

from helpers.tools import notebooks

PATHS = notebooks.paths()
BLANK = re.compile(r"def (\w+)\(.*\):\s*\.\.\.\s*")
TIMED = ("16_what_freezing_costs",)  # their pictures show times, which differ from run to run
READ = {path.stem: notebooks.read(path) for path in PATHS}


@pytest.fixture(params=READ, scope="module")
def stem(request):
    return request.param


@pytest.fixture(scope="module")
def notebook(stem):
    return READ[stem]


@pytest.fixture(scope="module")
def runs(request):
    """Name -> two runs of every notebook that a test will ask for; two go on at a time."""
    items = [item for item in request.session.items if hasattr(item, "callspec")]
    asked = [item for item in items if "executed" in item.fixturenames]
    stems = dict.fromkeys(item.callspec.params["stem"] for item in asked)
    # All are solved before one runs: it imports modules that a kernel's start imports as well.
    each = {stem: (copy.deepcopy(READ[stem]), solved(READ[stem])) for stem in stems}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        yield {stem: [pool.submit(notebooks.execute, n) for n in each[stem]] for stem in stems}
        pool.shutdown(cancel_futures=True)


@pytest.fixture(scope="module")
def executed(stem, runs):
    """The notebook, run in two fresh kernels; in the second one its exercise has been solved."""
    return [run.result() for run in runs[stem]]


def solved(notebook):
    """A copy with the reference solution in the cell where a reader is to write; 00 has none."""
    notebook = copy.deepcopy(notebook)
    for cell in attempt(notebook)[:1]:
        cell.source = inspect.getsource(solution_of(notebook))
    return notebook


def attempt(notebook):
    """The cell in which a reader is to write, and the one that checks what was written."""
    cells = code(notebook)
    blanks = [i for i, cell in enumerate(cells) if BLANK.fullmatch(cell.source.strip())]
    return [cells[i + step] for i in blanks for step in (0, 1)]


def solution_of(notebook):
    """The reference solution of the exercise that a notebook imports."""
    together = "\n".join(cell.source for cell in code(notebook))
    (name,) = re.findall(
        r"^from helpers\.exercises\.(\w+) import exercise$", together, re.MULTILINE
    )
    return importlib.import_module(f"helpers.exercises.{name}").exercise.reference


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def pictures(notebook):
    """Every PNG of a notebook, as an array (rows, columns, 4) from 0 to 1."""
    outputs = [output for cell in code(notebook) for output in cell.outputs]
    data = [output.data["image/png"] for output in outputs if "image/png" in output.get("data", {})]
    return [matplotlib.image.imread(io.BytesIO(base64.b64decode(png))) for png in data]


def said(cell):
    """What a cell has printed."""
    return "".join(output.get("text", "") for output in cell.outputs)


def without(notebook, ids=(), pictures=True):
    """The notebook's bytes without the cells of these ids, and without pictures."""
    bare = copy.deepcopy(notebook)
    bare.cells = [cell for cell in bare.cells if cell.id not in ids]
    for cell in code(bare) if pictures else []:
        for output in cell.outputs:
            output.get("data", {}).pop("image/png", None)
    return notebooks.text(bare)


def test_the_readme_lists_every_notebook_once_and_in_order():
    """A number is a notebook's place in the course; a place may still be empty."""
    table = (notebooks.FOLDER.parent / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(\d\d) .+\]\(notebooks/(.+)\)", table, re.MULTILINE)
    assert [name for _, name in rows] == [path.name for path in PATHS]
    assert [number for number, _ in rows] == [path.name[:2] for path in PATHS]
    assert len({number for number, _ in rows}) == len(rows) and rows[0][0] == "00"


def test_the_readme_gives_each_notebook_the_minutes_that_it_gives_itself():
    table = (notebooks.FOLDER.parent / "README.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| \[\d\d .+\| (\d+) \|$", table, re.MULTILINE)
    opened = [re.search(r"^(\w+) minutes", READ[path.stem].cells[0].source, re.M) for path in PATHS]
    assert told == [{"Ten": "10"}.get(found[1], found[1]) for found in opened]


def test_the_first_notebook_lists_every_notebook_once_and_in_order():
    prose = "\n".join(cell.source for cell in READ["00_start_here"].cells)
    rows = re.findall(r"^\| \[(\d\d) .+?\]\((.+?)\) \| .+\? \|$", prose, re.MULTILINE)
    assert [name for _, name in rows] == [path.name for path in PATHS]
    assert [number for number, _ in rows] == [path.name[:2] for path in PATHS]


def test_links_between_notebooks_lead_somewhere(notebook):
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", prose):
        assert (notebooks.FOLDER / target).exists(), target


def test_previous_and_next_lead_through_the_course(stem, notebook):
    files = [path.name for path in PATHS]
    here, last = files.index(f"{stem}.ipynb"), notebook.cells[-1].source.splitlines()[-1]
    links = dict(re.findall(r"(Previous|Next): \[\d\d [^\]]+\]\((.+?)\)", last))
    around = {"Previous": files[here - 1 : here], "Next": files[here + 1 : here + 2]}
    assert links == {word: found[0] for word, found in around.items() if found}


def test_running_it_twice_writes_the_same_bytes(stem, executed):
    """But for the attempt, which the second run has solved."""
    tried = [cell.id for cell in attempt(executed[0])]
    first, second = (without(run, tried, pictures=stem in TIMED) for run in executed)
    assert first == second


def test_the_stored_file_is_what_a_run_writes(notebook, executed):
    assert without(notebook) == without(executed[0])


def test_the_solution_is_accepted_in_its_place(stem, notebook, executed):
    if stem == "00_start_here":
        return
    blank, check = attempt(notebook)
    tried, done = (next(c for c in run.cells if c.id == check.id) for run in executed)
    signature = inspect.getsource(solution_of(notebook)).split(":\n")[0]
    assert blank.source.startswith(signature), "the blank has the solution's name and parameters"
    assert "Not attempted yet" in said(tried) and "Correct. " in said(done)


def test_the_stored_pictures_are_those_of_a_run(stem, notebook, executed):
    stored, fresh = pictures(notebook), pictures(executed[0])
    assert [kept.shape for kept in stored] == [drawn.shape for drawn in fresh]
    for kept, drawn in zip(stored, fresh) if stem not in TIMED else []:
        # Another processor rounds differently in float32; it may shade a cell, not move a hatch.
        assert np.abs(kept - drawn).mean() < 0.01


def test_no_picture_is_blank_and_a_reader_without_a_kernel_sees_one(notebook):
    for picture in pictures(notebook):
        colours = (255 * picture).astype(np.uint8).reshape(-1, 4).view(np.uint32)
        assert len(np.unique(colours)) > 20
    assert pictures(notebook)


def test_every_cell_has_run_in_order_and_none_is_left_out(notebook):
    counts = [cell.execution_count for cell in code(notebook)]
    assert counts == list(range(1, len(counts) + 1))
    assert not [cell for cell in code(notebook) if cell.metadata]


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


def test_it_opens_with_a_title_a_question_and_what_it_takes(notebook):
    opening = notebook.cells[0].source
    assert opening.startswith("# ") and "?" in opening
    assert re.search(r"\d+ minutes|[Tt]en minutes", opening) and "GB of memory" in opening


def test_cells_are_short_and_there_are_neither_too_few_nor_too_many(notebook):
    lengths = [len(cell.source.splitlines()) for cell in code(notebook)]
    assert 25 <= len(notebook.cells) <= 45
    assert max(lengths) <= 8 and np.median(lengths) <= 6


def test_a_guess_stands_before_runs_and_prose_after_them(notebook):
    """Every guess is shown, and compared in a later cell."""
    cells = [cell.source for cell in code(notebook)]
    asked = {
        name: i for i, text in enumerate(cells) for name in re.findall(r"^(\w+) = Guess\(", text)
    }
    assert len(asked) >= 3
    for name, number in asked.items():
        assert cells[number].splitlines()[-1] == name
        assert any(f"{name}.compare(" in text for text in cells[number + 1 :])
    assert notebook.cells[-1].cell_type == "markdown"


def test_it_says_what_to_read_before_and_ends_with_use_and_exercise(stem, notebook):
    if stem == "00_start_here":
        return
    assert re.search(r"after \[\d\d ", notebook.cells[0].source)
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    wanted = ("## When to use", "## Exercise", "## What to try")
    found = [line for line in prose.splitlines() if line.startswith(wanted)]
    assert [line.startswith(text) for line, text in zip(found, wanted, strict=True)] == [True] * 3


def test_a_mask_is_painted_trained_and_shown(notebook):
    """By the reader's mouse, and by a line of Python where there is none."""
    together = "\n".join(cell.source for cell in code(notebook))
    for call in (r"(Playground|Contest)\(", r"\.paint\(", r"\.(train|score)\b", r"\.picture\(\)"):
        assert re.search(call, together), call


def test_numbers_are_held_by_assertions(notebook):
    assert sum("assert" in cell.source for cell in code(notebook)) >= 2
