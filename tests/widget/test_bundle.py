"""The browser's side of the widgets: its parts under Node, and the one module that each ships."""

import re
from pathlib import Path

import pytest

from helpers import ROOT
from helpers.board.tiles import Tiles
from helpers.leaks.laboratory.squares import Squares
from helpers.playground import painter as package
from helpers.playground.painter import Painter, painter
from helpers.widget import bundle

TESTS = sorted((ROOT / "tests").rglob("*.test.mjs"))
BROWSER = Path(painter.__file__).with_name("browser")


def test_the_parts_under_node(node):
    assert len(TESTS) > 3
    status, output = node("--test", *TESTS)
    assert status == 0, output
    assert "fail 0" in output and "pass 0" not in output


def test_the_types_of_the_browsers_side_fit(tsc):
    """By what JSDoc says of them."""
    parts = sorted((ROOT / "helpers").rglob("*.mjs"))
    how = "--noEmit --allowJs --checkJs --module es2022 --moduleResolution node --target es2022"
    assert tsc(*how.split(), "--lib", "es2022,dom,dom.iterable", *parts) == (0, "")


def test_every_part_is_shipped_once_and_below_what_it_imports():
    of_types = {"messages"}
    _, _, modules = package.__doc__.partition("The modules of browser/")
    assert tuple(re.findall(r"^(\w+) {2,}", modules, re.MULTILINE)) == painter.PARTS
    assert {*painter.PARTS} | of_types == {path.stem for path in BROWSER.glob("*.mjs")}
    for number, name in enumerate(painter.PARTS):
        text = (BROWSER / f"{name}.mjs").read_text(encoding="utf-8")
        assert {*re.findall(r'^.* from "\./(\w+)\.mjs";', text, re.M)} <= {*painter.PARTS[:number]}


SHIPPED = [
    (Painter, "export default () => {", "[ 'initialize', 'render' ]"),
    (Squares, "export default () => ({", "[ 'render' ]"),
    (Tiles, "export default () => ({", "[ 'render' ]"),
]


@pytest.mark.parametrize(("widget", "exported", "names"), SHIPPED)
def test_the_shipped_module_stands_alone(widget, exported, names):
    """A widget's module is loaded from a Blob address, and cannot import its neighbours."""
    text = re.sub(r"/\*\*.*?\*/", "", widget.javascript, flags=re.DOTALL)  # types stand in comments
    assert not re.search(r"^\s*import\b|\bimport\s*\(|\bfrom\s*[\"']", text, re.MULTILINE)
    assert re.findall(r"^ *export\b.*", text, re.MULTILINE) == [exported]


@pytest.mark.parametrize(("widget", "exported", "names"), SHIPPED)
def test_the_shipped_module_runs(node, tmp_path, widget, exported, names):
    """Node refuses a module in which two parts give one name to two things."""
    module = tmp_path / "shipped.mjs"
    module.write_text(widget.javascript, encoding="utf-8")
    assert node("--check", module) == (0, "")
    look = f"const it = await import({module.as_uri()!r}); console.log(Object.keys(it.default()))"
    assert node("--input-type=module", "-e", look) == (0, f"{names}\n")


def test_what_is_dropped_is_imports_of_neighbours_and_named_exports(tmp_path):
    (tmp_path / "one.mjs").write_text("export const one = 1;\nexport function two() {}\n")
    imports = 'import { one } from "./one.mjs";\nimport {\n  two,\n} from "../../a/one.mjs";\n'
    (tmp_path / "last.mjs").write_text(imports + 'export default "export const";\n')
    joined = 'const one = 1;\nfunction two() {}\n\nexport default "export const";\n'
    assert bundle.joined(tmp_path / "one.mjs", tmp_path / "last.mjs") == joined


def test_a_name_in_two_parts_is_found(node, tmp_path):
    (tmp_path / "one.mjs").write_text("function helper() {}\n")
    (tmp_path / "last.mjs").write_text("function helper() {}\nexport default helper;\n")
    module = tmp_path / "joined.mjs"
    module.write_text(bundle.joined(tmp_path / "one.mjs", tmp_path / "last.mjs"), encoding="utf-8")
    status, output = node("--check", module)
    assert status != 0 and "'helper' has already been declared" in output
