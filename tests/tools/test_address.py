"""One address on GitHub, named in several files, and the command that changes it in all."""

import shutil

import pytest

from helpers.tools import address


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


def test_the_address_is_changed_wherever_it_stands_and_nothing_else(course):
    old, before = address.current(), (course / "README.md").read_text()
    assert address.move(["someone/her.course"]) == 0
    assert address.current() == "someone/her.course"
    readme = (course / "README.md").read_text()
    assert old not in readme and readme.count("someone/her.course") == before.count(old) >= 2
    address.move([old])
    assert (course / "README.md").read_text() == before


@pytest.mark.parametrize("rest", [[], ["someone"], ["https://github.com/a/b"], ["a/b", "c/d"]])
def test_what_is_no_address_is_said_and_changes_nothing(course, rest):
    before = (course / "README.md").read_text()
    assert "OWNER/REPOSITORY was wanted" in address.move(rest)
    assert (course / "README.md").read_text() == before
