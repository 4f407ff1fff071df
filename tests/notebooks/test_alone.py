"""A notebook that was opened alone, as in Colab, fetches the course in its first cell."""

import os
import re

import pytest
from jupyter_client.manager import start_new_kernel

from helpers import ROOT
from helpers.tools import address, notebooks
from tests.notebooks.pictures import code

COURSE = "someone/course"
FETCH = address.guard(COURSE)
STORED = {path.stem: notebooks.read(path) for path in notebooks.paths()}


def first_cell(stem):
    """The source of a notebook's first cell of code."""
    return code(STORED[stem])[0].source


@pytest.fixture
def alone(tmp_path, monkeypatch, from_nothing):
    """A function that runs code in a kernel that knows nothing of the course; GitHub's copy is the
    one that these tests stand in. It returns what has been printed."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.{ROOT.as_uri()}.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", f"https://github.com/{COURSE}")
    manager, client = start_new_kernel(cwd=tmp_path, extra_arguments=["--log-level=ERROR"])
    printed = []

    def run(source):
        def keep(message):
            printed.append(message["content"].get("text", ""))

        client.execute_interactive(source, output_hook=keep, timeout=120)
        return "".join(printed)

    yield run
    client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.mark.parametrize("stem", STORED)
def test_each_begins_with_the_same_lines_for_the_address_of_the_course(stem):
    begin = re.escape(f"import importlib.util\n\n{address.guard(address.current())}\n")
    assert re.match(f"{begin}(import|from) ", first_cell(stem))
    assert code(STORED[stem])[0].outputs == []


def test_without_an_address_it_says_in_a_sentence_what_is_missing(alone, tmp_path):
    told = alone(
        f"import importlib.util\ntry:\n    exec({address.MISSING!r})\n"
        "except ModuleNotFoundError as error:\n    print(error)"
    )
    assert told == "Open this page in a clone of the course.\n"
    assert list(tmp_path.iterdir()) == []


def test_a_notebook_alone_fetches_the_course_once(alone, tmp_path):
    if not (ROOT / ".git").exists():
        pytest.skip("this copy of the course cannot be cloned")
    name = re.search(r"%cd -q (.+)", FETCH)[1]
    alone(f"import importlib.util\n{FETCH}")
    told = "import os, helpers.masks\nprint(helpers.masks.__file__, os.listdir('..'))"
    assert str(tmp_path / name / "helpers" / "masks.py") in alone(told)
    alone(f"import importlib.util\n{FETCH}")
    assert str([name]) in alone("print(os.listdir('..'))")


def test_where_the_course_is_nothing_is_fetched(alone, tmp_path):
    alone(f"import importlib.util, sys\nsys.path.append({os.fspath(ROOT)!r})\n{FETCH}")
    assert list(tmp_path.iterdir()) == []
