"""The reader's own copies of the notebooks: made without outputs, and never overwritten."""

import json

import pytest

from helpers.tools import copies


def notebook(*sources):
    cells = [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["Guess!"]}]
    for source in sources:
        output = {"output_type": "stream", "name": "stdout", "text": ["the answer\n"]}
        cell = {"cell_type": "code", "id": "b", "metadata": {}, "source": [source]}
        cells.append(cell | {"outputs": [output], "execution_count": 1})
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course of one page, as a function that writes it; gives what stands in its copy."""
    monkeypatch.setattr(copies, "COURSE", tmp_path / "notebooks")
    monkeypatch.setattr(copies, "YOURS", tmp_path / "yours")
    copies.COURSE.mkdir()

    def write(*sources, folder="COURSE"):
        path = getattr(copies, folder) / "00_a.ipynb"
        before = json.loads(path.read_text()) if path.exists() else notebook()
        path.write_text(json.dumps(before | {"cells": notebook(*sources)["cells"]}))

    return write


def copy():
    return json.loads((copies.YOURS / "00_a.ipynb").read_text())


def code(there):
    return ["".join(cell["source"]) for cell in there["cells"] if cell["cell_type"] == "code"]


def test_a_copy_has_the_cells_and_no_outputs(course):
    course("1 + 1")
    assert copies.bring() == [] and code(copy()) == ["1 + 1"]
    assert copy()["cells"][1]["outputs"] == [] and copy()["cells"][1]["execution_count"] is None


def test_a_copy_that_was_only_run_is_renewed_when_the_course_changes(course):
    course("1 + 1")
    copies.bring()
    course("1 + 1", folder="YOURS")  # with outputs
    assert copies.bring() == [] and copy()["cells"][1]["outputs"]
    course("2 + 2")
    assert copies.bring() == [] and code(copy()) == ["2 + 2"]


def test_a_copy_that_was_changed_stays_and_is_named_once_the_course_has_changed(course):
    course("1 + 1")
    copies.bring()
    course("mine", folder="YOURS")
    assert copies.bring() == [] and code(copy()) == ["mine"]
    course("2 + 2")
    assert copies.bring() == ["00_a.ipynb"] and code(copy()) == ["mine"]


def test_asked_for_all_are_made_anew_and_the_former_ones_put_aside(course):
    course("1 + 1")
    copies.bring()
    course("mine", folder="YOURS")
    assert copies.bring(renew=True) == [] and code(copy()) == ["1 + 1"]
    (former,) = copies.YOURS.glob("before/*/00_a.ipynb")
    assert code(json.loads(former.read_text())) == ["mine"]


@pytest.mark.parametrize("text", ["{", "[]", '{"cells": [], "metadata": {}}', '{"cells": 3}'])
def test_a_copy_that_is_no_notebook_any_more_stays_and_is_named(course, text):
    course("1 + 1")
    copies.bring()
    (copies.YOURS / "00_a.ipynb").write_text(text)
    assert copies.bring() == ["00_a.ipynb"]
    assert (copies.YOURS / "00_a.ipynb").read_text() == text


def test_what_is_no_page_of_the_course_is_let_alone(course):
    course("1 + 1")
    copies.bring()
    (copies.YOURS / "notes.ipynb").write_text("mine")
    copies.bring()
    assert (copies.YOURS / "notes.ipynb").read_text() == "mine"
