"""The browser's side of the painter: its parts under Node, and the one module that is shipped."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from helpers.board.tiles import Tiles
from helpers.leaks.laboratory.squares import Squares
from helpers.playground.painter import Painter, bundle

ADVICE = "Node is not on the PATH: install Node 20 or later, for example apt-get install nodejs."
TESTS = sorted(Path(__file__).with_name("browser").glob("*.test.mjs"))


@pytest.fixture
def node():
    """A function that runs Node, and returns its exit status and what it said."""
    path = shutil.which("node")
    if path is None and os.environ.get("CI") == "true":
        pytest.fail(ADVICE)
    if path is None:
        pytest.skip(ADVICE)

    def run(*arguments):
        command = [path, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
        return done.returncode, done.stdout + done.stderr

    return run


def test_the_parts_under_node(node):
    assert len(TESTS) > 3
    status, output = node("--test", *TESTS)
    assert status == 0, output
    assert "fail 0" in output and "pass 0" not in output


def test_every_part_is_shipped_once_and_below_what_it_imports():
    assert sorted(bundle.PARTS) == sorted(path.stem for path in bundle.HERE.glob("*.mjs"))
    for number, name in enumerate(bundle.PARTS):
        neighbours = set(re.findall(r'from "\./(\w+)\.mjs"', bundle.part(name)))
        assert neighbours <= set(bundle.PARTS[:number]), name


SHIPPED = [
    (Painter, "export default () => {", "[ 'initialize', 'render' ]"),
    (Squares, "export default () => ({", "[ 'render' ]"),
    (Tiles, "export default () => ({", "[ 'render' ]"),
]


@pytest.mark.parametrize(("widget", "exported", "names"), SHIPPED)
def test_the_shipped_module_stands_alone(widget, exported, names):
    """A widget's module is loaded from a Blob address, and cannot import its neighbours."""
    text = widget.javascript
    assert not re.search(r"^\s*import\b|\bimport\s*\(|\bfrom\s*[\"']", text, re.MULTILINE)
    assert re.findall(r"^ *export\b.*", text, re.MULTILINE) == [exported]


def test_the_painter_ships_all_of_its_parts():
    assert Painter.javascript == bundle.joined()


@pytest.mark.parametrize(("widget", "exported", "names"), SHIPPED)
def test_the_shipped_module_runs(node, tmp_path, widget, exported, names):
    """Node refuses a module in which two parts give one name to two things."""
    module = tmp_path / "shipped.mjs"
    module.write_text(widget.javascript, encoding="utf-8")
    assert node("--check", module) == (0, "")
    look = f"const it = await import({module.as_uri()!r}); console.log(Object.keys(it.default()))"
    assert node("--input-type=module", "-e", look) == (0, f"{names}\n")


def test_what_is_dropped_is_imports_of_neighbours_and_named_exports(tmp_path, monkeypatch):
    (tmp_path / "one.mjs").write_text("export const one = 1;\nexport function two() {}\n")
    imports = 'import { one } from "./one.mjs";\nimport {\n  two,\n} from "./one.mjs";\n'
    (tmp_path / "last.mjs").write_text(imports + 'export default "export const";\n')
    monkeypatch.setattr(bundle, "HERE", tmp_path)
    monkeypatch.setattr(bundle, "PARTS", ("one", "last"))
    joined = 'const one = 1;\nfunction two() {}\n\nexport default "export const";\n'
    assert bundle.joined() == joined


def test_a_name_in_two_parts_is_found(node, tmp_path, monkeypatch):
    (tmp_path / "one.mjs").write_text("function helper() {}\n")
    (tmp_path / "last.mjs").write_text("function helper() {}\nexport default helper;\n")
    monkeypatch.setattr(bundle, "HERE", tmp_path)
    monkeypatch.setattr(bundle, "PARTS", ("one", "last"))
    module = tmp_path / "joined.mjs"
    module.write_text(bundle.joined(), encoding="utf-8")
    status, output = node("--check", module)
    assert status != 0 and "'helper' has already been declared" in output
