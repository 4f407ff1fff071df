"""A real JupyterLab in a real Chromium; each file of tests has a notebook of its own."""

import os

import pytest

from helpers.tools import browser

THEMES = ["JupyterLab Light", "JupyterLab Dark"]


@pytest.fixture(scope="module")
def chromium():
    if browser.find() is None:
        if os.environ.get("CI"):
            pytest.fail(browser.MISSING)
        pytest.skip(browser.MISSING)
    with browser.chromium() as chromium:
        yield chromium


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    root = tmp_path_factory.mktemp("root")
    with browser.server(root) as address:
        yield address, root


@pytest.fixture(scope="module")
def notebook(chromium, address):
    imports = "from helpers.playground import Playground, goals, settings, tasks"
    cells = [imports, "", "lab", "import time"]
    notebook = browser.Notebook(chromium, *address, cells, has_touch=True)
    notebook.run(0)
    notebook.python("1")
    yield notebook
    notebook.close()


@pytest.fixture
def width(notebook):
    """A function that gives the widget a width, as a narrow page or a wide one does."""

    def give(pixels):
        notebook.page.set_viewport_size({"width": max(1280, pixels + 200), "height": 900})
        style = f"{pixels}px" if pixels else ""
        shown = "document.querySelector('.painter, .board')"
        notebook.page.evaluate(f"w => {shown}.style.width = w", style)
        notebook.page.evaluate("() => new Promise(requestAnimationFrame)")
        notebook.page.wait_for_timeout(200)

    yield give
    notebook.page.set_viewport_size({"width": 1280, "height": 900})


@pytest.fixture(params=THEMES)
def theme(notebook, request):
    """One theme of JupyterLab after the other."""
    notebook.command("apputils:change-theme", theme=request.param)
    light = str(request.param == THEMES[0]).lower()
    notebook.page.wait_for_selector(f"body[data-jp-theme-light={light}]", state="attached")
    yield request.param
    notebook.command("apputils:change-theme", theme=THEMES[0])
