"""The playground in a real Jupyter Notebook 7; all other browser tests drive JupyterLab."""

import numpy as np
import pytest

from helpers.tools import browser
from tests.axe import findings

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def notebook(chromium, address):
    cells = ["from helpers.playground import Playground", ""]
    notebook = browser.Notebook(chromium, *address, cells, front=browser.NOTEBOOK_7)
    notebook.run(0)
    notebook.python("1")
    yield notebook
    notebook.close()


@pytest.fixture(autouse=True)
def silent_console(notebook):
    """No error in the console, but for Notebook 7's own one at its start, which is over by now."""
    errors = []
    listeners = {
        "pageerror": lambda error: errors.append(str(error)),
        "console": lambda said: errors.append(said.text) if said.type == "error" else None,
    }
    for event, listener in listeners.items():
        notebook.page.on(event, listener)
    yield
    for event, listener in listeners.items():
        notebook.page.remove_listener(event, listener)
    assert errors == []


@pytest.fixture(params=[1280, 400])
def narrow(notebook, request):
    """A wide page, then one as narrow as on a phone, where JupyterLab leaves a notebook no room."""
    notebook.page.set_viewport_size({"width": request.param, "height": 900})
    yield
    notebook.page.set_viewport_size({"width": 1280, "height": 900})


def test_the_page_is_notebook_7_and_nothing_is_cut_off(show, narrow):
    hands = show()
    assert hands.page.evaluate("window.jupyterapp.name") == "Jupyter Notebook"
    assert hands.page.locator(".jp-mod-outputsScrolled").count() == 0
    widget = hands.widget.evaluate("it => [it.scrollWidth - it.clientWidth, it.clientWidth]")
    output = hands.page.locator(".jp-OutputArea").last.evaluate("it => it.clientWidth")
    assert widget[0] == 0 and 0 < widget[1] <= output


def test_a_drag_freezes_exactly_the_cells_crossed_and_train_moves_the_others(show, narrow):
    hands = show()
    hands.drag((1, 1), (1, 4), (4, 4))
    frozen = hands.settle()
    crossed = np.zeros((8, 8), bool)
    crossed[1, 1:5] = crossed[1:5, 4] = True
    np.testing.assert_array_equal(frozen, crossed)
    bits = "lab.weights.view('uint32').tolist()"
    before = np.array(hands.python(bits))
    hands.button("Train").click()
    hands.until("lab.steps > 100")
    hands.button("Pause").click()
    hands.until("lab.painter.status == 'paused'")
    after = np.array(hands.python(bits))
    np.testing.assert_array_equal(after[frozen], before[frozen])
    assert (after != before)[~frozen].mean() > 0.9
    hands.wait_for_leaks("0 of 7 frozen cells have changed")


def test_in_either_theme_the_text_can_be_read(show, theme):
    hands = show()
    hands.python("1", "lab.train(30); lab.pin(3, 4)")
    hands.drag((3, 1), (3, 4))
    hands.settle()
    assert findings(hands.page, ".painter") == []
