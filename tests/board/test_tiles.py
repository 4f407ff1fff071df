"""The board in a real browser, by mouse and by keys alone."""

import pytest

from tests.axe import findings

pytestmark = pytest.mark.browser

SETUP = """import numpy as np
from helpers.board import Board
from helpers.device import keras

def network():
    layers = [keras.layers.Input((4,)), keras.layers.Dense(3, name="hidden")]
    return keras.Sequential([*layers, keras.layers.Dense(1, name="out")])

def compile_model(model):
    model.compile(keras.optimizers.SGD(0.1), "mse")

def fit(model):
    model.fit(np.ones((8, 4)), np.ones((8, 1)), verbose=0)

board = Board(globals(), "model = network()", ["compile_model(model)"], ["fit(model)"])
board"""


@pytest.fixture
def page(notebook):
    """The page that shows a board of four tiles."""
    notebook.show(1, SETUP)
    notebook.page.locator(".board").wait_for()
    yield notebook.page
    notebook.python("0", "if 'board' in globals(): board.close()")


def tile(page, key):
    return page.locator(f'[data-what="bet {key}"]')


def last_line(page, text):
    page.locator(".board-log li").last.get_by_text(text).wait_for()


def test_pressing_lines_and_switches_lights_up_what_moves(page, notebook):
    page.get_by_role("button", name="compile_model(model)").click()
    last_line(page, "compile_model(model)")
    page.get_by_role("switch", name="hidden trainable").click()
    last_line(page, 'model.get_layer("hidden").trainable = False')
    assert page.locator(".board-turned").all_inner_texts() == [
        'model.get_layer("hidden").trainable = False 2 of 4 flags changed'
    ]
    page.get_by_role("button", name="fit(model)").click()
    last_line(page, "2 of 4 moved")
    assert notebook.python("sorted(board.moved)") == ["out/bias", "out/kernel"]
    assert tile(page, "out/kernel").get_attribute("data-moved") == "true"
    assert tile(page, "hidden/kernel").get_attribute("data-moved") == "false"


def test_bets_are_told_by_shape_once_something_trains(page):
    page.get_by_role("switch", name="hidden trainable").click()
    tile(page, "out/kernel").click()
    tile(page, "hidden/bias").click()
    tile(page, "hidden/bias").get_by_text("?").wait_for()
    page.get_by_role("button", name="compile_model(model)").click()
    page.get_by_role("button", name="fit(model)").click()
    for key, sign in {"out/kernel": "✓", "hidden/bias": "✗", "out/bias": "!"}.items():
        tile(page, key).get_by_text(sign, exact=True).wait_for()
    page.get_by_role("button", name="Start over").click()
    page.locator(".board-log li").first.wait_for(state="detached")
    assert tile(page, "out/kernel").get_attribute("data-moved") == "null"


def test_by_keys_alone_and_what_has_the_focus_keeps_it(page, notebook):
    page.get_by_role("button", name="compile_model(model)").focus()
    page.keyboard.press("Enter")
    last_line(page, "compile_model(model)")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    last_line(page, "4 of 4 moved")
    assert page.evaluate("document.activeElement.dataset.what") == "run fit(model)"
    cells = page.locator(".jp-Cell").count()
    page.keyboard.type("ddxab")  # would delete or insert cells of the notebook
    assert page.locator(".jp-Cell").count() == cells


def test_a_press_is_heard_though_python_answers_while_the_pointer_is_down(page, notebook):
    tile(page, "out/kernel").hover()
    page.mouse.down()
    notebook.python("1", "board.run('1 + 1')")
    assert page.locator(".board-log li").count() == 0  # not made anew yet
    page.mouse.up()
    last_line(page, "2")
    tile(page, "out/kernel").get_by_text("?").wait_for()


def test_what_goes_wrong_is_told(page):
    page.get_by_role("button", name="fit(model)").click()
    last_line(page, "ValueError: You must call `compile()`")


@pytest.mark.parametrize("pixels", [1280, 380])
def test_nobody_is_shut_out(page, theme, width, pixels):
    width(pixels)
    tile(page, "out/kernel").click()
    page.get_by_role("button", name="compile_model(model)").click()
    page.get_by_role("button", name="fit(model)").click()
    last_line(page, "4 of 4 moved")
    assert findings(page, ".board") == []


def test_once_the_kernel_is_gone_the_board_says_so(page, notebook):
    notebook.restart()
    page.locator(".board-alert").get_by_text("Run the cell again").wait_for()
