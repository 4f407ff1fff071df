"""The tour of the start page: five steps, by keyboard alone, once in each browser."""

import json

import pytest

from tests.axe import findings
from tests.site.test_page import opened  # noqa: F401  a fixture

pytestmark = pytest.mark.browser

TOUR = ".painter-tour"
POINTED = "document.querySelector('[data-toured]')"
# What a step points at, and the panel, as boxes on the screen.
BOXES = f"""[{POINTED}, document.querySelector('{TOUR}')].map((element) => {{
    const {{ left, right, top, bottom }} = element.getBoundingClientRect();
    return [left, right, top, bottom];
}})"""
STEPS = ["painter-grid", "train", "technique", "painter-leaks", "painter-unfold"]
FOCUSED = "document.activeElement.innerText"


def pointed(page):
    """What the step that is shown points at."""
    return page.evaluate(
        f"(({{ dataset, className }}) => dataset.action ?? dataset.setting ?? className)({POINTED})"
    )


def apart(page):
    """Whether the panel leaves what it explains uncovered."""
    (left, right, top, bottom), panel = page.evaluate(BOXES)
    beside = panel[1] <= left or right <= panel[0]
    return beside or panel[3] <= top or bottom <= panel[2]


@pytest.fixture
def guided(opened):  # noqa: F811
    """The start page as somebody sees it who comes for the first time."""

    def open_page(**context):
        page = opened(tour=True, **context)
        page.grid.scroll_into_view_if_needed()
        page.page.locator(".painter-legend").scroll_into_view_if_needed()
        page.page.locator(TOUR).wait_for()
        return page

    return open_page


@pytest.mark.parametrize("width", [1280, 380])
def test_five_steps_by_keyboard_alone_cover_nothing_that_they_explain(guided, width):
    guided = guided(viewport={"width": width, "height": 800}, bypass_csp=True)
    page, seen = guided.page, []
    assert page.evaluate("document.activeElement === document.body")  # it takes no focus by itself
    page.locator("h1").click()
    for key in ("Tab", "Tab", "Tab"):  # past the list of tasks
        page.keyboard.press(key)
    for step in range(5):
        assert page.evaluate(FOCUSED) == ("Done" if step == 4 else "Next")
        seen.append(pointed(page).split()[0])
        assert f"{step + 1} of 5" in page.locator(TOUR).inner_text() and apart(page)
        left, right, *_ = page.evaluate(BOXES)[1]
        assert left >= 0 and right <= width and findings(page, "main") == []
        page.keyboard.press("Enter")
    assert seen == STEPS and page.locator(TOUR).count() == 0
    assert page.evaluate(FOCUSED) == "Train" and guided.said == []


def test_what_a_later_step_explains_is_on_the_screen_with_it(guided):
    page = guided(viewport={"width": 380, "height": 600}).page
    for _ in range(4):
        page.get_by_role("button", name="Next").click()
        for _, _, top, bottom in page.evaluate(BOXES):
            assert top >= 0 and bottom <= 600


def test_escape_skips_it_wherever_the_focus_is_and_it_never_comes_again(guided):
    page = guided().page
    page.keyboard.press("Escape")
    page.locator(TOUR).wait_for(state="detached")
    assert page.locator("[data-toured]").count() == 0
    other = page.context.new_page()
    for again in (page, other):
        again.goto(page.url)
        again.get_by_role("button", name="Train").wait_for()
        again.locator(".painter-legend").scroll_into_view_if_needed()
        again.wait_for_timeout(500)
        assert again.locator(TOUR).count() == 0


def test_whoever_reloads_in_the_middle_is_not_led_again(guided):
    page = guided().page
    page.get_by_role("button", name="Next").click()
    page.reload()
    page.get_by_role("button", name="Train").wait_for()
    page.wait_for_timeout(500)
    assert page.locator(TOUR).count() == 0


def test_a_browser_that_keeps_nothing_is_led_and_nothing_is_thrown(chromium, served):
    context = chromium.new_context()
    refuse = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })"
    context.add_init_script(refuse)
    page, said = context.new_page(), []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(served)
    page.get_by_role("button", name="Skip").click()
    page.locator(TOUR).wait_for(state="detached")
    assert said == []
    context.close()


def test_a_page_that_does_not_ask_for_it_has_none(chromium, served, site):
    start = json.loads((site / "start.json").read_text(encoding="utf-8"))
    start["traits"]["controls"].remove("tour")
    context = chromium.new_context()
    page = context.new_page()
    page.route("**/start.json", lambda route: route.fulfill(json=start))
    page.goto(served)
    page.get_by_role("button", name="Train").wait_for()
    page.wait_for_timeout(500)
    assert page.locator(TOUR).count() == 0
    context.close()
