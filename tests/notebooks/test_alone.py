"""A notebook that was opened alone, as in Colab, fetches the course in its first cell."""

import os
import re

import pytest
from jupyter_client.manager import start_new_kernel

from helpers import ROOT
from helpers.tools import address, notebooks
from tests.notebooks.pictures import code

GITHUB = f"https://github.com/{address.current()}"
STORED = {path.stem: notebooks.read(path) for path in notebooks.paths()}


def guard(stem):
    """What stands above the imports in the first cell of a notebook."""
    return code(STORED[stem])[0].source.partition("\n\nimport ")[0]


@pytest.fixture
def alone(tmp_path, monkeypatch, from_nothing):
    """A function that runs code in a kernel that knows nothing of the course; GitHub's copy is the
    one that these tests stand in. It returns what has been printed."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.{ROOT.as_uri()}.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", GITHUB)
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
def test_each_begins_with_the_same_lines_from_the_address_of_the_course(stem):
    lines = guard(stem)
    assert lines == guard("00_start_here") and f"{GITHUB} repo\n" in lines
    assert lines.startswith("import importlib.util") and code(STORED[stem])[0].outputs == []


def test_a_notebook_alone_fetches_the_course_once(alone, tmp_path):
    if not (ROOT / ".git").exists():
        pytest.skip("this copy of the course cannot be cloned")
    name = re.search(r"%cd -q (.+)", guard("00_start_here"))[1]
    alone(guard("00_start_here"))
    told = "import os, helpers.masks\nprint(helpers.masks.__file__, os.listdir('..'))"
    assert str(tmp_path / name / "helpers" / "masks.py") in alone(told)
    alone(guard("00_start_here"))
    assert str([name]) in alone("print(os.listdir('..'))")


def test_where_the_course_is_nothing_is_fetched(alone, tmp_path):
    alone(f"import sys\nsys.path.append({os.fspath(ROOT)!r})\n{guard('00_start_here')}")
    assert list(tmp_path.iterdir()) == []
