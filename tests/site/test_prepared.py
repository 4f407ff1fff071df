"""The playgrounds that teachers hand out: each opens as it was prepared, and does what is said."""

import re

import pytest

from helpers.site.prepared import NAME, PREPARED

pytestmark = pytest.mark.browser
STATE = """() => Object.fromEntries([...document.querySelectorAll("[data-setting]")]
    .map((list) => [list.dataset.setting, list.value]))"""


NAMES = [f"{n} {each.technique} {each.optimizer}" for n, each in enumerate(PREPARED)]


@pytest.fixture(scope="module")
def links(site):
    """The links of the page, in its order."""
    found = re.findall(r'href="(index\.html#[^"]+)"', (site / NAME).read_text(encoding="utf-8"))
    assert len(found) == len(PREPARED) >= 10
    return dict(zip(NAMES, found, strict=True))


@pytest.fixture
def grid(chromium, served):
    """A function that opens a link, and returns the page."""
    context = chromium.new_context()
    context.add_init_script("localStorage.setItem('freezing-tour', 'seen')")

    def opened(link):
        page = context.new_page()
        page.goto(f"{served}{link}")
        return page

    yield opened
    context.close()


@pytest.mark.parametrize(("name", "each"), list(zip(NAMES, PREPARED)), ids=NAMES)
def test_a_link_opens_what_was_prepared_and_leaks_as_its_sentence_says(grid, links, name, each):
    page = grid(links[name])
    page.get_by_text(f"0 of {each.cells} frozen cells have changed").wait_for()
    state = page.evaluate(STATE)
    assert (state["technique"], state["optimizer"]) == (each.technique, each.optimizer)
    frozen = page.evaluate("() => playground.frozen()")
    assert frozen == each.frozen.ravel().tolist()
    page.get_by_role("button", name="More tools").click()
    for knob, number in each.knobs.items():
        shown = page.locator(f"[data-setting={knob}] + .painter-number")
        assert float(shown.inner_text()) == number
    if each.warm:
        page.get_by_role("button", name="Clear").click()
        page.evaluate("() => playground.train(60)")
        page.get_by_role("button", name="Undo").click()
        page.get_by_text(f"of {each.cells} frozen cells").wait_for()
    page.evaluate("() => playground.train(60)")
    leaked = page.evaluate("() => playground.leaks()")
    assert any(leaked) == each.leaks


def test_the_page_can_be_reached_from_the_start_page_and_read_on_a_phone(chromium, served):
    context = chromium.new_context(viewport={"width": 380, "height": 800})
    page = context.new_page()
    page.goto(served)
    page.get_by_role("link", name="Prepared playgrounds").click()
    page.get_by_role("heading", name="Playgrounds to hand out").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    for sentence in (each.sentence for each in PREPARED):
        assert page.get_by_text(sentence).is_visible()
    context.close()
