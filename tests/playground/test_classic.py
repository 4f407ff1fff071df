"""The playground in a classic page, Notebook 6.5, with the versions that Colab has.

They stand in an environment of their own, which `.ci/colab` builds before it runs this file.
"""

import os

import pytest

from helpers import ROOT
from helpers.tools import browser

PYTHON = ROOT / ".venv-colab" / "bin" / "python"
SHOWN = """from helpers.playground import Playground
lab = Playground("digits", technique="exact")
lab"""
TRAINED = "lab.train(50)\nprint(lab.frozen.sum(axis=1).tolist(), lab.leaks().sum(), lab.steps)"
ASKED = """from helpers.exercises import Guess
Guess("Will it move?", "yes", "no")"""
KERNEL = "window.Jupyter?.notebook?.kernel"
READY = f"Boolean({KERNEL}?.widget_manager && {KERNEL}.is_connected())"
DONE = "document.querySelector('.output_text pre')?.innerText"
STEP = "Number(document.querySelector('.painter').innerText.match(/step (\\d+)/)?.[1])"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not PYTHON.exists(), reason="needs the environment of .ci/colab"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of notebooks and the address of a server of the old kind that shows them."""
    root = tmp_path_factory.mktemp("classic")
    command = [PYTHON, "-m", "notebook", "--NotebookApp.token=", f"--notebook-dir={root}"]
    path = f"{PYTHON.parent}{os.pathsep}{os.environ['PATH']}"
    with browser.answering(command, root, root, PATH=path, JUPYTER_PATH="") as server:
        yield root, f"{server}/notebooks"


@pytest.fixture
def page(chromium, folder, request):
    """A notebook in a page whose console stays silent.

    Each test has a notebook of its own: the kernel of one goes on training when its page is
    closed, and would speak to the next page of widgets that this does not know.
    """
    root, address = folder
    browser.write(root / f"{request.node.name}.ipynb", [SHOWN, TRAINED, ASKED])
    page, errors = chromium.new_page(viewport={"width": 1280, "height": 1000}), []
    page.set_default_timeout(90_000)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.goto(f"{address}/{request.node.name}.ipynb")
    page.wait_for_function(READY)
    page.wait_for_timeout(2_000)  # ipywidgets of that age errs where a cell runs any sooner
    yield page
    page.close()
    assert errors == []


def run(page, cell):
    """Run a cell by number."""
    page.evaluate(f"Jupyter.notebook.execute_cells([{cell}])")


def test_the_grid_is_painted_and_trains_by_cell_and_by_button(page):
    run(page, 0)
    grid = page.locator(".painter-grid[style]")
    grid.wait_for()
    page.wait_for_timeout(2_000)  # the classic page goes on moving what it shows
    box = grid.bounding_box()
    row = box["y"] + 2.5 / 8 * box["height"]
    page.mouse.move(box["x"] + 5, row)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 5, row, steps=8)
    page.mouse.up()
    page.get_by_text("0 of 8 frozen cells have changed").wait_for()
    run(page, 1)
    page.wait_for_function(DONE)
    assert page.evaluate(DONE).strip() == "[0, 0, 8, 0, 0, 0, 0, 0] 0 50"
    page.get_by_role("button", name="Train").click()
    page.wait_for_function(f"{STEP} > 60")
    assert page.get_by_text("0 of 8 frozen cells have changed").is_visible()


def test_a_bet_is_shown_and_can_be_made(page):
    run(page, 2)
    page.get_by_text("Will it move?").first.wait_for()
    page.locator("input[type=radio]").nth(1).check()
    assert page.get_by_text("Traceback").count() == 0
