"""One address on GitHub, named in several files, and the command that changes it in all."""

import re
import shutil
import subprocess

import nbformat
import pytest

from helpers.tools import address
from tests.notebooks.pictures import code

FETCHING = re.compile(r"github\.com[:/]([\w.-]+)/")


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A copy of the files that name the address."""
    for pattern in address.NAMED_IN:
        for path in address.ROOT.glob(pattern):
            copy = tmp_path / path.relative_to(address.ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
    monkeypatch.setattr(address, "ROOT", tmp_path)
    return tmp_path


def bytes_of(course):
    """What each file holds."""
    return {path: path.read_bytes() for path in course.rglob("*") if path.is_file()}


def first_cells(course):
    """The first cell of code of each notebook."""
    paths = sorted(course.glob("notebooks/*.ipynb"))
    return [code(nbformat.read(path, as_version=4))[0].source for path in paths]


def test_the_address_is_changed_wherever_it_stands_and_nothing_else(course):
    old, before = address.current(), bytes_of(course)
    assert address.move(["someone/her.course"]) == 0
    assert address.current() == "someone/her.course"
    assert all(old.encode() not in content for content in bytes_of(course).values())
    assert "https://someone.github.io/her.course/" in (course / "README.md").read_text()
    assert all(
        "git clone -q https://github.com/someone/her.course repo" in cell
        for cell in first_cells(course)
    )
    address.move([old])
    assert bytes_of(course) == before


@pytest.mark.parametrize(
    "remote",
    ["https://github.com/someone/course.git", "git@github.com:someone/course", "https://x.org/a/b"],
)
def test_without_an_argument_it_is_that_of_the_remote(course, remote):
    run = ["git", "-C", str(course)]
    subprocess.run([*run, "init", "-q"], check=True)
    subprocess.run([*run, "remote", "add", "origin", remote], check=True)
    before, told = bytes_of(course), address.move([])
    if "github" in remote:
        assert told == 0 and address.current() == "someone/course"
    else:
        assert "git's remote is not on GitHub" in told and bytes_of(course) == before


@pytest.mark.parametrize("rest", [["someone"], ["https://github.com/a/b"], ["a/b", "c/d"]])
def test_what_is_no_address_is_said_and_changes_nothing(course, rest):
    before = bytes_of(course)
    assert "OWNER/REPOSITORY was wanted" in address.move(rest)
    assert bytes_of(course) == before


def test_nobody_can_register_the_placeholder():
    """Names of accounts on GitHub are letters, digits and hyphens."""
    owner, _ = address.PLACEHOLDER.split("/")
    assert not re.fullmatch(r"[A-Za-z0-9-]+", owner)


def test_nothing_that_is_executed_comes_from_somebody_elses_account():
    """Whoever holds it could run code on every reader's machine."""
    files = [*(address.ROOT / ".ci").iterdir(), *(address.ROOT / "binder").iterdir()]
    files += [address.ROOT / "environment.yml", *(address.ROOT / ".devcontainer").iterdir()]
    texts = [path.read_text(encoding="utf-8") for path in files] + first_cells(address.ROOT)
    texts += re.findall(r"```\n.*?```", (address.ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    own = address.current().split("/")[0]
    assert {owner for text in texts for owner in FETCHING.findall(text)} <= {own}
