"""The script that measures how much room the notebooks' claims have measures what is claimed."""

import nbformat
import pytest

from tests.notebooks.margins import groups_of, measure, run, table


@pytest.mark.parametrize(
    ("source", "rooms"),
    [
        ("assert 5 > 2", [("5 > 2", 3.0)]),
        ("assert 5 < 2", [("5 < 2", -3.0)]),
        ("assert 5 > 5", [("5 > 5", False)]),
        ("assert 5 >= 5", [("5 >= 5", 0.0)]),
        ("assert 5 < float('nan')", [("5 < float('nan')", False)]),
        ("assert 1 < 2 <= 7", [("1 < 2", 1.0), ("2 <= 7", 5.0)]),
        ("assert 3 >= 1 and 'a' == 'a'", [("3 >= 1", 2.0), ("'a' == 'a'", True)]),
        ("for n in (1, 2):\n    assert n == 1, 'why'", [("n == 1", True), ("n == 1", False)]),
    ],
)
def test_room_is_how_far_a_claim_is_from_failing(source, rooms):
    assert measure(source) == rooms


def test_the_table_names_the_groups_that_broke_a_claim():
    rooms = {"a > b": {0: 2.0, 1: -0.5}, "same": {0: True, 1: True}}
    first, second = table(rooms)
    assert first.split() == ["-0.5", "2", "a", ">", "b", "BROKEN", "by", "groups", "[1]"]
    assert second.strip() == "same"
    (whole,) = table({"a > b": {0: 1.0, 1: 3.0}})
    assert whole.split()[:2] == ["1", "3"]


def test_a_compiled_loop_of_the_notebook_finds_its_source():
    source = """
import tensorflow as tf

@tf.function
def doubled(times):
    total = tf.constant(1)
    for _ in tf.range(times):
        total *= 2
    return total

assert int(doubled(tf.constant(3))) < 10
"""
    assert measure(source)[-1][1] == 2


def test_a_page_may_hold_a_command_for_the_shell(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cells = [nbformat.v4.new_code_cell("if 5 < 2:\n    !exit 1\n    %cd nowhere\nassert 5 > 2")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "page.ipynb")
    assert run(tmp_path / "page.ipynb", []) == [("5 > 2", 3.0)]


def test_a_page_without_seeds_runs_once_and_one_with_seeds_in_every_group(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # `run` goes to the notebook's folder
    for line, groups in (("seeds = [0, 1]", 2), ("frozen = 3", 1)):
        cells = [nbformat.v4.new_code_cell(line + "\nassert 5 > 2")]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "page.ipynb")
        assert groups_of(tmp_path / "page.ipynb", 2) == groups
        assert run(tmp_path / "page.ipynb", [7, 8]) == [("5 > 2", 3.0)]
