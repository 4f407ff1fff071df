"""A widget hands a page its code once, takes nothing that a page sets, and leaves nothing open."""

import numpy as np
import pytest

from helpers.board.tiles import Tiles
from helpers.playground.painter import Painter


@pytest.fixture
def painter():
    painter = Painter(np.zeros((2, 3)))
    yield painter
    painter.close()


def test_what_a_page_imports_for_each_widget_is_short_and_names_the_code(painter):
    stub = painter.get_state()["_esm"]
    assert len(stub) < 1000 < len(painter.module)
    assert stub != Tiles._esm, "another widget's code has another name"


@pytest.mark.parametrize("name", ["status", "shape", "module", "_esm", "_css", "frame", "layout"])
def test_what_a_page_sets_is_passed_over(painter, name):
    before, sent = painter.get_state()[name], []
    painter._send = lambda *message, **more: sent.append(message)
    data = {"method": "update", "state": {name: {"nonsense": 7}}}
    painter._handle_msg({"content": {"data": data}})
    assert painter.get_state()[name] == before
    assert sent == [], "nor is it passed on to other pages"


def test_its_layout_is_closed_with_it():
    painter = Painter(np.zeros((2, 3)))
    layout = painter.layout
    painter.close()
    assert layout.comm is None


LOADING = """
const stub = await import(STUB);
const [made, revoked, loaded] = [[], [], []];
const codes = ["throw new Error('lost')", "export default () => ({ render: (c) => c.shown() })"];
URL.createObjectURL = () => {
  const address = `data:text/javascript,${encodeURIComponent(codes.shift())}`;
  made.push(address);
  return address;
};
URL.revokeObjectURL = (address) => revoked.push(address);
const show = async () => {
  const widget = stub.default();
  await widget.initialize({ model: { get: () => "" } });
  widget.render({ shown: () => loaded.push(1) });
};
let told;
await show().catch((error) => { told = error.message; });
await Promise.all([show(), show()]);
console.log(JSON.stringify([told, made.length, revoked.length, loaded.length]));
"""


def test_code_is_loaded_once_its_address_given_back_and_what_failed_tried_again(node, tmp_path):
    stub = tmp_path / "stub.mjs"
    stub.write_text(Painter._esm, encoding="utf-8")
    code = LOADING.replace("STUB", repr(stub.as_uri()))
    assert node("--input-type=module", "-e", code) == (0, '["lost",2,2,2]\n')
