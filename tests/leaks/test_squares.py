"""The leak laboratory in a real browser, by mouse and by keys alone."""

import pytest

from tests.axe import findings
from tests.playground.hands import Hands

pytestmark = pytest.mark.browser

SETUP = """from helpers import leaks
from helpers.leaks.laboratory import Laboratory
situations = ["cold", "warm"]
verdicts = leaks.judge(["where_gradient", "exact"], ["sgd", "adam"], situations, progress=False)
shown = Laboratory(verdicts)
shown"""


@pytest.fixture
def page(notebook):
    """The page that shows a laboratory of eight squares."""
    notebook.show(1, SETUP)
    notebook.page.locator(".leaks").wait_for()
    yield notebook.page
    notebook.python("shown.close()")


def outlook(page, text):
    page.locator(".leaks-outlook", has_text=text).wait_for()


def step_and_see(notebook, text):
    """Press Step in the playground that is open, and wait for what the leak meter says."""
    notebook.python("1", "lab = shown.playground")
    hands = Hands(notebook)
    hands.wait_for_leaks("0 of 24 frozen cells have changed")
    hands.button("Step").click()
    hands.wait_for_leaks(text)
    return hands


def test_a_click_opens_the_run_and_a_step_leaks(notebook, page):
    page.get_by_role("tab", name="warm").click()
    page.get_by_text("after 3 steps in which every cell trained").wait_for()
    page.locator("[data-square='where_gradient,adam,warm']").click()
    outlook(page, "The next step changes 24 of 24 frozen cells")
    hands = step_and_see(notebook, "24 of 24 frozen cells have changed")
    assert hands.widget.locator(".painter-microscope").is_visible()
    page.locator("[data-square='exact,adam,warm']").click()
    outlook(page, "Nothing leaks here")
    page.wait_for_function("document.querySelectorAll('.painter').length === 1")
    hands = step_and_see(notebook, "0 of 24 frozen cells have changed")
    hands.until("shown.playground.steps == 4")


def test_keys_alone_lead_to_a_square_and_open_it(notebook, page):
    page.get_by_role("tab", name="cold").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-selected')") == "true"
    assert page.evaluate("document.activeElement.innerText").startswith("warm")
    page.keyboard.press("Tab")
    for key, square in [
        ("ArrowUp", "where_gradient,sgd,warm"),
        ("ArrowRight", "where_gradient,adam,warm"),
        ("ArrowDown", "exact,adam,warm"),
        ("Home", "exact,sgd,warm"),
        ("End", "exact,adam,warm"),
        ("ArrowUp", "where_gradient,adam,warm"),
    ]:
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.square") == square
    stops = page.locator(".leaks :is(button)[tabindex='0']")
    assert stops.count() == 2  # a tab, and a square
    page.keyboard.press("Enter")
    outlook(page, "The next step changes 24 of 24 frozen cells")
    assert page.evaluate("document.activeElement.dataset.square") == "where_gradient,adam,warm"
    assert page.locator("[aria-selected=true] > [data-square]").count() == 1
    assert page.locator(".jp-Cell").count() == 4  # no key has reached JupyterLab


def test_the_squares_are_told_to_a_screen_reader_as_they_should(page):
    assert findings(page, ".leaks") == []


def test_what_is_wrong_is_said_on_the_widget(notebook, page):
    notebook.python("1", "shown._of_own = ({'other': None}, ())")
    page.locator("[data-square='exact,adam,cold']").click()
    page.get_by_role("alert").get_by_text("Pass techniques=").wait_for()
    outlook(page, "Press a square")
    assert page.locator("[aria-busy=true]").count() == 0


WIDE = "width => { document.querySelector('.leaks').closest('.widget-box').style.width = width; }"
# What sticks out, or is too small to hit.
MISFITS = """() => {
    const sticking = [...document.querySelectorAll(".leaks, .painter")]
        .filter((each) => each.scrollWidth > each.clientWidth);
    const small = [...document.querySelectorAll(".leaks button")].filter((each) => {
        const { width, height } = each.getBoundingClientRect();
        return width < 24 || height < 24;
    });
    return [...sticking, ...small].map((each) => each.outerHTML.slice(0, 80));
}"""


def test_squares_and_playground_stand_side_by_side_where_there_is_room(notebook, page):
    notebook.python("1", "shown.open('exact', 'adam', 'cold')")
    page.locator(".painter-grid[style]").wait_for()
    before = page.viewport_size
    for width in (1100, 700, 340):
        page.set_viewport_size({"width": 1500, "height": 900})
        page.evaluate(WIDE, f"{width}px")
        page.evaluate("() => new Promise(requestAnimationFrame)")
        left, right = (page.locator(name).bounding_box() for name in (".leaks", ".painter"))
        beside, below = (
            right["x"] >= left["x"] + left["width"],
            right["y"] >= left["y"] + left["height"],
        )
        assert (beside, below) == ((True, False) if width == 1100 else (False, True)), width
        assert page.evaluate(MISFITS) == []
    page.set_viewport_size(before)
