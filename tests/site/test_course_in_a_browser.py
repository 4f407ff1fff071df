"""The course's pages in a real browser: read there, searched, printed, and played with."""

import contextlib

import pytest

from helpers.tools import notebooks
from tests.axe import findings

pytestmark = pytest.mark.browser

NAMES = [path.stem for path in notebooks.paths()]
FEW = {"00_start_here", "28_why_a_mask_saves_nothing"}  # a live grid; tables, wide formulas
each_page = pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in FEW else pytest.mark.thorough) for n in NAMES]
)
each_look = pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 380)])


@pytest.fixture
def visit(chromium, served):
    """A function that opens an address of the site, and keeps what the page says and asks for."""
    with contextlib.ExitStack() as stack:

        def open_page(path, **context):
            new = stack.enter_context(contextlib.closing(chromium.new_context(**context)))
            page = new.new_page()
            page.said, page.asked = [], []
            page.on("console", lambda message: page.said.append(message.text))
            page.on("pageerror", lambda error: page.said.append(str(error)))
            page.on("request", lambda request: page.asked.append(request.url))
            page.goto(f"{served}{path}")
            return page

        yield open_page


def scroll_through(page):
    """Bring all of a page into view once, so that everything on it has begun."""
    page.evaluate("""async () => {
        for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
            scrollTo(0, y);
            await new Promise(requestAnimationFrame);
        }
    }""")
    page.wait_for_load_state("networkidle")


@each_page
def test_a_page_asks_nobody_else_and_its_console_stays_empty(visit, served, name):
    page = visit(f"course/{name}.html")
    scroll_through(page)
    live = page.locator(".live").count()
    page.wait_for_function(
        "count => document.querySelectorAll('.painter-grid').length == count", arg=live
    )
    loaded = "images => images.every((image) => image.complete && image.naturalWidth)"
    assert page.locator("main img").evaluate_all(loaded)
    assert {url.startswith(served) for url in page.asked} == {True} and page.said == []


@each_page
@each_look
def test_nobody_is_shut_out_of_a_page_and_nothing_is_cut_off(visit, name, scheme, width):
    size = {"width": width, "height": 900}
    page = visit(f"course/{name}.html", viewport=size, color_scheme=scheme, bypass_csp=True)
    for fold in page.locator("main details").all():
        fold.evaluate("fold => { fold.open = true }")
    scroll_through(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert findings(page, "body") == []


def test_the_grid_of_a_page_begins_as_its_cell_says_and_trains(visit):
    page = visit("course/02_restore_after_the_step.html")
    assert page.get_by_alt_text("A grid of weights to paint on").count() == 1
    page.locator(".live").scroll_into_view_if_needed()
    grid = page.locator(".painter-grid")
    grid.wait_for()
    for label, value in [("Freeze by", "restore"), ("Optimizer", "momentum"), ("Class", "3")]:
        page.wait_for_function(
            "([select, value]) => select.value === value",
            arg=[page.get_by_label(label).element_handle(), value],
        )
    page.get_by_role("button", name="Train").click()
    page.get_by_text("right on held-out data: 9").wait_for()
    grid.focus()
    for key in ("ArrowRight", "ArrowDown", "Space"):
        page.keyboard.press(key)
    page.get_by_text("0 of 1 frozen cell has changed").wait_for()
    page.get_by_label("Freeze by").select_option("gradient × mask")
    page.keyboard.press("Tab")
    page.get_by_text("1 of 1 frozen cell has changed").wait_for()
    assert page.said == []


def test_a_grid_begins_with_the_cells_frozen_that_its_code_freezes(visit):
    page = visit("course/26_what_a_freeze_can_cost.html")
    page.locator(".live").scroll_into_view_if_needed()
    page.get_by_text("0 of 64 frozen cells have changed").wait_for()
    page.get_by_role("button", name="Train").click()
    page.get_by_text("right on held-out data: 9").wait_for()
    page.get_by_text("0 of 64 frozen cells have changed").wait_for()
    assert page.said == []


def test_a_grid_does_not_train_before_it_is_seen(visit):
    page = visit("course/00_start_here.html")
    page.wait_for_load_state("networkidle")
    assert page.workers == [] and page.locator(".painter-grid").count() == 0
    page.locator(".live").scroll_into_view_if_needed()
    page.locator(".painter-grid").wait_for()
    assert len(page.workers) == 1


def test_headings_are_found_by_the_words_in_them(visit, served):
    page = visit("course/00_start_here.html")
    page.get_by_label("Search the headings").fill("frozen START")
    found = page.get_by_role("link", name="19 New rows in an old table: Frozen after a start")
    found.click()
    page.wait_for_url(f"{served}course/19_new_rows_in_an_old_table.html#frozen-after-a-start")
    page.get_by_label("Search the headings").fill("new zebra")
    page.get_by_text("No heading has these words.").wait_for()
    page.get_by_label("Search the headings").fill("")
    page.get_by_text("No heading has these words.").wait_for(state="hidden")
    assert page.locator("#search li").count() == 0


def test_without_javascript_a_page_reads_whole(visit):
    page = visit("course/00_start_here.html", java_script_enabled=False)
    assert page.get_by_alt_text("A grid of weights to paint on").is_visible()
    assert page.get_by_role("navigation", name="The course").first.is_visible()
    page.get_by_text("If a goal is hard to reach").click()
    assert page.get_by_text("Freeze any half of the cells.").is_visible()
    page.get_by_role("link", name="Next: 01").click()
    assert page.get_by_role("heading", name="Mask the gradient", level=1).is_visible()


def test_on_a_narrow_screen_the_contents_are_a_fold(visit):
    page = visit("course/01_mask_the_gradient.html", viewport={"width": 380, "height": 800})
    link = page.locator("details.contents").get_by_role("link", name="07 Stop the gradient")
    assert link.count() == 0 and not page.locator("nav.contents").is_visible()
    page.get_by_text("Contents", exact=True).click()
    link.click()
    page.get_by_role("heading", name="Stop the gradient", level=1).wait_for()
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.locator("nav.contents").is_visible()
    assert not page.locator("details.contents").is_visible()


def test_print_has_the_text_of_folds_and_no_contents(visit):
    page = visit("course/00_start_here.html")
    page.emulate_media(media="print")
    assert page.get_by_text("Freeze any half of the cells.").is_visible()
    assert not page.get_by_role("navigation", name="The course").first.is_visible()
