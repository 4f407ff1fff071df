"""The house rules, read from the sources: what may import what, how long, how documented."""

import ast
import os
import re
import statistics
from pathlib import Path

import pytest

from helpers import ROOT

SOURCES = sorted((ROOT / "helpers").rglob("*.py"))
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}
ROOMS = sorted(path.parent for path in SOURCES if path.name == "__init__.py")
EXERCISES = {path.stem[3:] for path in (ROOT / "notebooks").glob("*.ipynb")}
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


def label(path):
    """A file's place in the repository, as the name of a test."""
    return path.relative_to(ROOT).as_posix()


def dotted(path):
    """The parts of a file's or a room's dotted name: ("helpers", "freezing", "slots")."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def listed(room):
    """What the list in a room's `__init__` names, from top to bottom."""
    text = ast.get_docstring(TREES[room / "__init__.py"])
    text = re.split(r"\n(?:Words, each|The modules of browser/|page/ has)", text)[0]
    return re.findall(r"^(\w+)/? {2,}\S", text, re.MULTILINE)


LISTS = {dotted(room): listed(room) for room in ROOMS}


def imports(path):
    """The dotted names of what a file imports of the helpers, anywhere in it."""
    package = path.relative_to(ROOT).parts[:-1]
    for node in ast.walk(TREES[path]):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            module = ".".join(base + ([node.module] if node.module else []))
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (tuple(name.split(".")) for name in names if name.startswith("helpers."))


def points_up(own, other):
    """Whether the file `own` may import `other`: where their ways part, `other` is listed first."""
    for depth, (mine, theirs) in enumerate(zip(own, other)):
        if mine != theirs:
            names = LISTS[own[:depth]]
            place = names.index(mine) if mine in names else len(names)
            return theirs in names[:place] or (own[:depth], theirs) == (("helpers",), "ROOT")
    # A door opens inwards: a room's `__init__` imports what is in the room, nobody inside the door.
    return own in LISTS


each_file = pytest.mark.parametrize("path", SOURCES, ids=label)


@pytest.mark.parametrize("room", ROOMS, ids=label)
def test_a_room_lists_what_is_in_it_once_and_nothing_else(room):
    inside = [path for path in room.iterdir() if path.suffix == ".py" or path in ROOMS]
    names = {path.stem for path in inside} - {"__init__"}
    if room.name == "exercises":  # a file a notebook, named as it is
        names -= EXERCISES
    assert sorted(listed(room)) == sorted(names)


@pytest.mark.parametrize("room", ["playground/painter/browser", "site/trainer"])
def test_a_room_lists_its_modules_of_the_browser_too(room):
    folder = ROOT / "helpers" / room
    text = ast.get_docstring(TREES[folder.parent / "__init__.py"])
    listed = re.findall(r"^(\w+) {2,}\S", text.split(f"{folder.name}/")[-1], re.MULTILINE)
    apart = {"messages"}  # of types alone, told of in the sentence above the list
    assert sorted(listed) == sorted({path.stem for path in folder.glob("*.mjs")} - apart)


@each_file
def test_imports_only_point_up_the_lists(path):
    own = dotted(path)
    assert [".".join(other) for other in imports(path) if not points_up(own, other)] == []


def test_the_exact_freeze_imports_nothing_of_the_course():
    files = [path for path in SOURCES if "freezing" in path.parts]
    assert len(files) > 2
    for path in files:
        outside = [name for name in imports(path) if name[:2] != ("helpers", "freezing")]
        assert outside == [], path


@pytest.mark.parametrize(
    ("own", "other", "allowed"),
    [
        ("helpers.studies.contest", "helpers.masks.largest", True),
        ("helpers.masks", "helpers.studies.contest", False),
        ("helpers.playground.run", "helpers.studies.contest", False),
        ("helpers.freezing.optimizer", "helpers.freezing.slots.Ledger", True),
        ("helpers.freezing.slots", "helpers.freezing.optimizer.freezable", False),
        ("helpers.freezing", "helpers.freezing.optimizer.freezable", True),
        ("helpers.playground.run", "helpers.playground.Playground", False),
        ("helpers.exercises.transfer", "helpers.exercises.exercise.Exercise", True),
        ("helpers.exercises.exercise", "helpers.exercises.transfer", False),
        ("helpers.tools.notebooks", "helpers.ROOT", True),
    ],
)
def test_the_rule_tells_up_from_down(own, other, allowed):
    assert points_up(tuple(own.split(".")), tuple(other.split("."))) == allowed


# Who opens a gradient tape, and why it is neither the one step nor a caller of it.
TAPES = {
    "helpers/step.py": "the one training step",
    "helpers/studies/trials.py": "Fisher's information: a gradient for each example, and no step",
    "helpers/studies/adapting.py": "a gradient that is looked at, and no step",
    "helpers/studies/costs.py": "products of a gradient are counted, and no step is taken",
    "helpers/freezing/ways_in.py": "the slope of a penalty, in a folder that stands alone",
    "helpers/exercises/stop_the_gradient.py": "the gradient of a penalty that the reader writes",
    "helpers/exercises/train_only_the_free_values.py": "whether one reaches the free values",
    "helpers/exercises/what_saves_time.py": "whether one reaches the free rows",
    "helpers/studies/peaks.py": "the gradient of a table stays a list of rows: its memory counts",
    "helpers/studies/parting.py": "replicas, each of which chooses a mask by its gradient first",
    "helpers/bench/soak.py": "the text of a cell",
    "helpers/playground/script.py": "the text of a program that stands alone",
    "helpers/guide/programs/list_of_variables.py": "a program that stands alone",
    "helpers/guide/programs/where_gradient.py": "a program that stands alone",
    "helpers/guide/programs/gradient_times_mask.py": "a program that stands alone",
}


def test_whoever_trains_takes_the_one_step():
    """Anybody else goes through `step.training_step`, mostly by a ModelTrainer."""
    opened = {label(path) for path in SOURCES if "GradientTape" in path.read_text("utf-8")}
    assert opened == set(TAPES)


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


@pytest.mark.parametrize("path", [*SOURCES, *(ROOT / "helpers").rglob("*.mjs")], ids=label)
def test_modules_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def test_the_lengths_are_counted_right():
    source = 'def f():\n    """Doc."""\n    a = 1\n\n    return a\n\n\ndef g():\n    """Doc."""\n'
    assert [body_length(node) for node in ast.parse(source).body] == [3, 0]


# Who shows a grid and who trains it know each other by methods alone

PARTIES = {"driver", "link", "pages", "painter", "panel", "run", "session", "trainer"}


def assigned(tree):
    """The attributes of PARTIES to which somebody else assigns, as "painter.status"."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            owner = getattr(node.value, "attr", getattr(node.value, "id", None))
            if owner in PARTIES:
                yield f"{owner}.{node.attr}"


def test_nobody_assigns_attributes_of_a_painter_a_session_or_a_trainer_from_outside():
    """But `frozen`, a property that is made for it."""
    found = {name for tree in TREES.values() for name in assigned(tree)}
    assert found <= {"painter.frozen"}
    assert set(assigned(ast.parse("self.painter.status, x = 1, 2"))) == {"painter.status"}


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
    index = r"pypi|pythonhosted|anaconda|npmjs|artifactory|nexus|devpi|/simple\b|registry"
    index += r"|mirror(?!ed)"  # but not what TensorFlow writes about its MirroredStrategy
    assert found(rf"(?i)https?://[^\s\"']*(?:{index})[^\s\"']*") == []


@pytest.mark.parametrize(
    ("search", "text"),
    [
        (test_no_path_of_somebodys_machine, "see /" + "home/me/x"),
        (test_no_path_of_somebodys_machine, "'C:" + "\\\\Users\\\\me'"),
        (test_no_address_of_a_package_index, "https:" + "//pypi.org/simple"),
        (test_no_address_of_a_package_index, "https:" + "//mirrors.example.org/python/"),
        (test_no_address_of_a_package_index, "https:" + "//example.org/PyPI-Mirror"),
    ],
)
def test_the_two_searches_find_what_they_look_for(search, text, tmp_path, monkeypatch):
    (tmp_path / "note.md").write_text(text)
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    with pytest.raises(AssertionError):
        search()


def test_a_page_about_mirrored_variables_is_no_package_index(tmp_path, monkeypatch):
    page = "https://www.tensorflow.org/api_docs/python/tf/distribute/MirroredStrategy"
    (tmp_path / "note.md").write_text(page)
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    test_no_address_of_a_package_index()
