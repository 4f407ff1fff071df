"""The house rules, read from the sources: what may import what, how long, how documented."""

import ast
import os
import re
import statistics
from pathlib import Path

import pytest

import helpers

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "helpers").rglob("*.py"))
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}
LISTED = re.findall(r"^(\w+)/? {2,}\S", helpers.__doc__, re.MULTILINE)
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


def listed_name(path):
    """The name under which a file of helpers/ is listed: its module, or its folder."""
    first = path.relative_to(ROOT / "helpers").parts[0]
    return first.removesuffix(".py")


def imports(path):
    """The listed names of the helpers that a file imports, anywhere in it."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(TREES[path]):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            module = ".".join(base + ([node.module] if node.module else []))
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name.split(".")[1] for name in names if name.startswith("helpers."))


def label(path):
    """A file's place in the repository, as the name of a test."""
    return path.relative_to(ROOT).as_posix()


each_file = pytest.mark.parametrize("path", SOURCES, ids=label)


def test_the_list_names_every_module_once_and_nothing_else():
    there = {listed_name(path) for path in SOURCES} - {"__init__"}
    assert sorted(LISTED) == sorted(there)


@each_file
def test_imports_only_point_up_the_list(path):
    own = listed_name(path)
    if own == "__init__":
        assert list(imports(path)) == []
        return
    above = LISTED[: LISTED.index(own)]
    if path.parent != ROOT / "helpers":
        above = [*above, own]  # the files of a folder may import each other
    assert [name for name in imports(path) if name not in above] == []


def public(node, prefix=""):
    """Every public function, class and method below a node, with its name."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, FUNCTIONS | ast.ClassDef) or child.name.startswith("_"):
            continue
        if any(isinstance(d, ast.Attribute) and d.attr == "setter" for d in child.decorator_list):
            continue  # the getter says what it is
        yield prefix + child.name, child
        if isinstance(child, ast.ClassDef):
            yield from public(child, f"{child.name}.")


@each_file
def test_what_is_public_is_documented(path):
    tree = TREES[path]
    bare = [name for name, node in public(tree) if not ast.get_docstring(node)]
    assert ast.get_docstring(tree) and bare == []


def body_length(function):
    """Lines of a function from below its docstring to its end."""
    body = function.body[bool(ast.get_docstring(function)) :]
    return function.end_lineno - body[0].lineno + 1 if body else 0


def test_functions_are_short():
    functions = [n for tree in TREES.values() for n in ast.walk(tree) if isinstance(n, FUNCTIONS)]
    assert statistics.median(map(body_length, functions)) <= 10
    assert max(map(body_length, functions)) <= 40


@each_file
def test_modules_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def test_the_lengths_are_counted_right():
    source = 'def f():\n    """Doc."""\n    a = 1\n\n    return a\n\n\ndef g():\n    """Doc."""\n'
    assert [body_length(node) for node in ast.parse(source).body] == [3, 0]


# Every text file of the repository

IGNORED = {line.strip("/") for line in (ROOT / ".gitignore").read_text().split()} | {".git"}


def texts():
    """The repository's text files, as name and text."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(set(folders) - IGNORED)
        for path in (Path(folder, file) for file in sorted(set(files) - IGNORED)):
            try:
                yield label(path), path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue  # a picture


def found(pattern):
    """Where a pattern occurs, as "file: what"."""
    return [f"{name}: {hit}" for name, text in texts() for hit in re.findall(pattern, text)]


def test_no_path_of_somebodys_machine():
    assert found(r"(?<![\w.~}/])/(?:home|root|Users|tmp|work|mnt)/\w[^\s\"']*") == []
    assert found(r"\b[A-Z]:\\{1,2}(?:Users|home)\\") == []


def test_no_address_of_a_package_index():
    index = r"pypi|pythonhosted|anaconda|npmjs|artifactory|nexus|devpi|/simple\b|mirror|registry"
    assert found(rf"(?i)https?://[^\s\"']*(?:{index})[^\s\"']*") == []


@pytest.mark.parametrize(
    "search, text",
    [
        (test_no_path_of_somebodys_machine, "see /" + "home/me/x"),
        (test_no_path_of_somebodys_machine, "'C:" + "\\\\Users\\\\me'"),
        (test_no_address_of_a_package_index, "https:" + "//pypi.org/simple"),
    ],
)
def test_the_two_searches_find_what_they_look_for(search, text, tmp_path, monkeypatch):
    (tmp_path / "note.md").write_text(text)
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    with pytest.raises(AssertionError):
        search()
