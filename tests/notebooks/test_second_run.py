"""Every notebook once more, with its exercise solved: the same file, pictures alike, "Correct";
and what it says of its figures holds.

nbval's run, with the exercise as it is given, compares printed outputs alone; this one compares
the bytes of the whole file, and the pictures. It computes as an older processor does. It takes
minutes, and runs with `--all`.
"""

import copy
import importlib
import inspect
import re

import nbformat
import pytest

from helpers.tools import notebooks
from tests.notebooks.margins import claims
from tests.notebooks.pictures import LIMIT, code, difference, grids, pictures

STORED = {path.stem: notebooks.read(path) for path in notebooks.paths()}
BLANK = re.compile(r"def (\w+)\(.*\):\s*\.\.\.\s*")
# Charts of times and peaks of memory, which differ from run to run: those of these numbers.
TIMED = {
    "09_scatter_the_update": [3],
    "28_why_a_mask_saves_nothing": [0, 1, 2],
    "29_what_frozen_layers_save": [1, 2],
    "30_what_saves_memory": [0, 1],
    "31_what_saves_time": [0, 1, 2],
}
# Their charts show accuracies of trained networks, whose dots move with rounding: a run was seen to
# differ by 2.7 % of the pixels from a file that another machine had written. Grids are held to what
# holds for all.
MOVING_DOTS = 0.05
WITH_GRIDS = "18_a_head_that_grows", "26_what_a_freeze_can_cost"
TRAINED = (
    "17_transfer",
    "21_a_spring_for_each_weight",
    "24_train_almost_nothing",
    "27_what_freezing_does_to_a_model",
    *WITH_GRIDS,
)
WITHOUT_EXERCISE = ("00_start_here",)


def attempt(notebook):
    """The cell in which a reader is to write, and the one that checks what was written."""
    cells = code(notebook)
    (blank,) = (i for i, cell in enumerate(cells) if BLANK.fullmatch(cell.source.strip()))
    return cells[blank : blank + 2]


def solution_of(notebook):
    """The source of the reference solution of the exercise that a notebook imports."""
    together = "\n".join(cell.source for cell in code(notebook))
    (name,) = re.findall(
        r"^from helpers\.exercises\.(\w+) import exercise$", together, re.MULTILINE
    )
    module = importlib.import_module(f"helpers.exercises.{name}")
    return inspect.getsource(module.exercise.reference)


def file_without(notebook, ids):
    """The text of a notebook's file without the cells of these ids, without pictures, and without
    the numbers of cells that print times."""
    bare = copy.deepcopy(notebook)
    bare.cells = [cell for cell in bare.cells if cell.id not in ids]
    for cell in code(bare):
        for output in cell.outputs:
            output.get("data", {}).pop("image/png", None)
            if notebooks.TIMES in notebooks.tags(cell) and "text" in output:
                output.text = notebooks.without_numbers(output.text)
    return notebooks.text(bare)


def timed(stem, number):
    """Whether a notebook's picture of this number shows times, if it is no playground's."""
    return number in TIMED.get(stem, [])


def same_picture(stem, number, grid, kept, drawn):
    """Whether a run has drawn what is stored, as far as its notebook can promise that; `grid` says
    whether it shows a playground's."""
    if timed(stem, number) and not grid:
        return kept.shape == drawn.shape
    loose = stem in TRAINED and not grid
    return difference(kept, drawn) <= (MOVING_DOTS if loose else LIMIT)


@pytest.mark.thorough
@pytest.mark.parametrize("stem", STORED)
def test_a_run_with_the_exercise_solved_writes_the_stored_file(stem, older_processor):
    stored, run = STORED[stem], copy.deepcopy(STORED[stem])
    solved = [] if stem in WITHOUT_EXERCISE else attempt(run)
    if solved:
        solved[0].source = solution_of(run)
    run.cells.append(nbformat.v4.new_code_cell(claims(stem)))  # fails if one does not hold
    notebooks.execute(run)
    run.cells.pop()

    ids = [cell.id for cell in solved]
    assert file_without(run, ids) == file_without(stored, ids)
    assert len(pictures(run)) == len(pictures(stored))
    for number, shown in enumerate(zip(grids(stored), pictures(stored), pictures(run))):
        assert same_picture(stem, number, *shown), f"picture {number}"
    if solved:
        assert "Correct. " in notebooks.printed(solved[1])


@pytest.mark.parametrize("stem", [stem for stem in STORED if stem not in WITHOUT_EXERCISE])
def test_an_exercise_waits_for_an_attempt_in_its_place(stem):
    blank, check = attempt(STORED[stem])
    signature = solution_of(STORED[stem]).split(":\n")[0]
    assert blank.source.startswith(signature), "the blank has the solution's name and parameters"
    assert "Not attempted yet" in notebooks.printed(check)


@pytest.mark.parametrize("stem", WITH_GRIDS)
def test_notebooks_of_charts_have_grids_too_which_are_told_apart(stem):
    assert set(grids(STORED[stem])) == {True, False}
