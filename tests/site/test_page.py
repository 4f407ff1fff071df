"""The start page of the site in a real browser: it trains there, at once and by itself."""

import gzip
import random
import string
import zlib

import numpy as np
import pytest
from bs4 import BeautifulSoup

from helpers import datasets
from helpers.masks import as_text
from helpers.playground import Playground
from helpers.playground.goals import FIRST
from tests.axe import findings
from tests.playground.hands import unfold

pytestmark = pytest.mark.browser


class Page:
    """The page, what its console said, and what it asked for."""

    def __init__(self, chromium, address, **context):
        tour = context.pop("tour", False)
        self.context = chromium.new_context(bypass_csp=context.pop("bypass_csp", False), **context)
        if not tour:
            self.context.add_init_script("localStorage.setItem('freezing-tour', 'seen')")
        self.page = self.context.new_page()
        self.said, self.asked = [], set()
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.add(request.url))
        self.page.goto(address)
        self.grid = self.page.locator(".painter-grid")
        self.grid.wait_for()
        self.page.get_by_role("button", name="Train").wait_for()
        self.widget = self.page.locator(".painter")

    def do(self, code):
        """The value of JavaScript that may wait for window.playground."""
        return self.page.evaluate(f"async () => {{ {code} }}")

    def drag(self, *cells):
        """Drag over the middles of cells, (row, column) each."""
        self.grid.scroll_into_view_if_needed()
        box = self.grid.bounding_box()
        side = box["width"] / 8
        places = [(box["x"] + (c + 0.5) * side, box["y"] + (r + 0.5) * side) for r, c in cells]
        self.page.mouse.move(*places[0])
        self.page.mouse.down()
        for place in places[1:]:
            self.page.mouse.move(*place, steps=5)
        self.page.mouse.up()


@pytest.fixture
def opened(chromium, served):
    pages = []

    def open_page(address=served, **context):
        pages.append(Page(chromium, address, **context))
        return pages[-1]

    yield open_page
    for page in pages:
        page.context.close()


@pytest.mark.everyday
def test_it_trains_and_a_painted_mask_leaks_under_a_zero_gradient(opened):
    page = opened()
    unfold(page.widget)
    page.page.get_by_role("button", name="Train").click()
    page.page.get_by_text("right on held-out data: 9").wait_for()
    page.page.get_by_label("Freeze by").select_option("gradient × mask")
    page.drag((2, 2), (2, 5))
    page.page.get_by_text("4 of 4 frozen cells have changed").wait_for()
    page.page.get_by_label("Freeze by").select_option("exact freeze")
    page.page.get_by_role("button", name="Clear").click()
    page.drag((4, 2), (4, 5))
    page.page.get_by_text("0 of 4 frozen cells have changed").wait_for()
    page.page.get_by_role("button", name="Pause").click()
    page.page.get_by_role("button", name="Undo").click()
    page.page.get_by_text("Nothing is frozen yet").wait_for()
    assert page.said == []


def test_a_pinned_cell_s_curves_show_how_memory_carries_it_on(opened):
    page = opened()
    page.do("await playground.train(60)")
    page.grid.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "p", "Space"):
        page.page.keyboard.press(key)
    page.page.get_by_text("class 3, pixel row 2, column 1").first.wait_for()
    page.do("await playground.use({technique: 'gradient_times_mask'}); await playground.train(3)")
    page.page.get_by_text("1 of 1 frozen cell has changed").wait_for()
    page.page.locator(".painter-traces").focus()
    page.page.keyboard.press("End")
    told = page.page.locator(".painter-values").inner_text()
    assert "step 63, frozen" in told and "gradient 0," in told and "momentum" in told


def test_goals_tick_themselves_off_are_said_and_outlive_a_reset(opened):
    page = opened()
    ticks = "[...document.querySelectorAll('.painter-goals li')].map((li) => li.dataset.reached)"
    assert page.page.locator(".painter-goals li").all_inner_texts() == [g.text for g in FIRST]
    page.do("await playground.use({technique: 'gradient_times_mask'}); await playground.train(60)")
    assert page.page.evaluate(ticks) == ["false"] * 3
    page.do("await playground.paint([27]); await playground.train(5)")
    page.page.get_by_role("status").get_by_text("Reached: Make a frozen cell leak.").wait_for()
    assert page.page.evaluate(ticks) == ["true", "false", "false"]
    page.do("await playground.use({technique: 'exact'})")
    page.do("await playground.paint([...Array(8).keys()].map((n) => 32 + n))")
    page.do("await playground.train(99)")
    page.page.wait_for_timeout(300)
    assert page.page.evaluate(ticks) == ["true", "false", "false"]
    page.do("await playground.train(1)")
    page.page.get_by_role("status").get_by_text("Reached: Freeze a whole row").wait_for()
    page.do("await playground.paint([...Array(32).keys()]); await playground.train(100)")
    page.page.get_by_role("status").get_by_text("Reached: Freeze half of the cells").wait_for()
    page.page.get_by_role("button", name="Reset").click()
    page.page.get_by_text("step 0 ·").wait_for()
    assert page.page.evaluate(ticks) == ["true"] * 3
    assert page.said == []


def test_one_tool_scatters_frozen_cells_over_the_grid(opened):
    page = opened()
    unfold(page.widget)
    drawn = []
    for _ in range(2):
        page.page.get_by_label("Preset masks").select_option("random 50 %")
        page.page.get_by_text("of 32 frozen cells have changed").wait_for()
        drawn.append(np.reshape(page.do("return playground.frozen()"), (8, 8)))
        page.page.get_by_role("button", name="Clear").click()
        page.page.get_by_text("Nothing is frozen yet").wait_for()
    assert (drawn[0] != drawn[1]).any()
    assert all(mask.sum() == 32 and mask.any(0).sum() > 5 for mask in drawn)


LINE = "freeze1.digits-0.restore.adamw.5."


def shared(cells=(18, 19), page=5):
    """The line of a playground of the course in which cells of a page are frozen."""
    masks = np.zeros((10, 64), bool)
    masks[page, list(cells)] = True
    line = f"{LINE}{as_text(masks)}"
    return f"{line}.{zlib.crc32(line.encode()):08x}"


def test_a_line_of_the_course_opens_at_the_end_of_an_address(opened, served):
    page = opened(address=f"{served}#{shared()}")
    unfold(page.widget)
    page.page.get_by_text("0 of 2 frozen cells have changed").wait_for()
    assert page.page.get_by_label("Freeze by").input_value() == "restore"
    assert page.page.get_by_label("Optimizer").input_value() == "adamw"
    assert page.page.get_by_label("Class").input_value() == "5"


@pytest.mark.everyday
def test_what_is_shared_opens_here_and_in_the_course(opened):
    page = opened()
    page.do("await playground.use({technique: 'restore', optimizer: 'adamw', page: 5})")
    page.do("await playground.paint([18, 19])")
    unfold(page.widget)
    page.page.get_by_role("button", name="Share").click()
    field = page.page.get_by_label("What is here now")
    page.page.wait_for_timeout(300)
    address, line = field.input_value().split("#")
    assert address == page.page.url and line.startswith(LINE)
    lab = Playground.from_code(line, device="cpu")
    assert np.flatnonzero(lab.frozen).tolist() == [18, 19]
    assert (lab.painter.technique, lab.painter.optimizer) == ("restore", "adamw")
    lab.close()
    other = opened(address=f"{address}#{line}")
    other.page.get_by_text("0 of 2 frozen cells have changed").wait_for()


def spoilt(draw):
    """A line with something wrong, or no line at all."""
    line = shared(draw.sample(range(64), 3), draw.randrange(10))
    letters = string.printable + "äß漢\0%<>'\""
    for _ in range(draw.randrange(1, 4)):
        at = draw.randrange(len(line))
        kind, other = draw.randrange(4), "".join(draw.choices(letters, k=draw.randrange(4)))
        line = [line[:at] + other + line[at + 1 :], line[:at], line[at:], other * 50][kind] or "x"
    return line


def test_whatever_stands_behind_the_address_is_a_sentence_and_changes_nothing(opened, pytestconfig):
    page, draw = opened(), random.Random(0)
    lines = [spoilt(draw) for _ in range(10_000 if pytestconfig.option.all else 500)]
    page.page.evaluate(
        "async (lines) => { for (const line of lines) await playground.open(line); }", lines
    )
    assert page.said == [] and page.do("return playground.steps()") == 0
    assert page.page.locator(".painter-alert").inner_text()
    page.page.get_by_text("Nothing is frozen yet").wait_for()


@pytest.mark.everyday
def test_it_asks_nobody_else_and_says_nothing(opened, served):
    page = opened()
    assert page.do("return (await playground.train(5), await playground.steps())") == 5
    assert {url.startswith(served) for url in page.asked} == {True} and page.said == []


def test_what_a_console_can_do(opened):
    page = opened()
    unfold(page.widget)
    assert page.do("await playground.train(60); return playground.steps()") == 60
    page.do("await playground.paint([9, 10, 11]); await playground.use({technique: 'exact'})")
    before = page.do("return playground.weights()")
    page.do("await playground.train(50)")
    assert sum(page.do("return playground.frozen()")) == 3
    assert sum(page.do("return playground.leaks()")) == 0
    after = page.do("return playground.weights()")
    assert [n for n in range(64) if before[n] == after[n]].count(9) == 1
    page.do("await playground.use({optimizer: 'adamw', decay: 0.5, page: 7})")
    assert page.page.get_by_label("Optimizer").input_value() == "adamw"
    assert page.page.get_by_label("Class").input_value() == "7"
    page.do("await playground.reset()")
    assert page.do("return playground.steps()") == 0


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("playground.paint([64], true)", "Cell 64 arrived; one from 0 to 63"),
        ("playground.train(-1)", "-1 steps arrived"),
        ("playground.use({technique: 'freeze'})", "freeze arrived; the known ones are none"),
        ("playground.use({momentum: 0.5, optimizer: 'sgd'})", "sgd has no momentum"),
        ("playground.use({rate: NaN})", "NaN arrived; a number from 0 up"),
        ("playground.use({rate: '0.1'})", "a number from 0 up"),
        ("playground.use({momentum: 1})", "a number from 0 to less than 1"),
        ("playground.use({colour: 'red'})", "colour arrived; the known ones are optimizer"),
        ("playground.use({page: 10})", "10 arrived; the known ones are 0, 1, 2"),
        ("playground.use('exact')", "exact arrived; choices by their names were wanted"),
        ("playground.use()", "undefined arrived; choices by their names"),
    ],
)
def test_what_is_wrong_is_said_to_the_console(opened, code, told):
    page = opened()
    said = page.do(f"try {{ await {code} }} catch (error) {{ return error.message }}")
    assert told in said and page.do("return playground.steps()") == 0


CHOSEN = {"technique": "restore", "optimizer": "momentum", "page": 7, "rate": 0.02, "momentum": 0.5}
REFUSED = {"technique": "freeze", "optimizer": "lion", "page": 12, "rate": -1, "momentum": 1}
TOLD = {name: f"{value} arrived" for name, value in REFUSED.items()} | {"colour": "colour arrived"}


@pytest.mark.parametrize("name", TOLD)
def test_of_choices_one_of_which_is_refused_none_is_in_force(opened, name):
    page = opened()
    unfold(page.widget)
    chosen = CHOSEN | {name: REFUSED.get(name)}
    for order in (list(chosen), list(chosen)[::-1]):
        choices = {each: chosen[each] for each in order}
        said = page.page.evaluate("c => playground.use(c).catch((e) => e.message)", choices)
        assert TOLD[name] in said
    for label, value in [
        ("Freeze by", "gradient_times_mask"),
        ("Optimizer", "adam"),
        ("Class", "3"),
    ]:
        assert page.page.get_by_label(label, exact=True).input_value() == value
    rate, momentum = (page.page.get_by_role("slider", name=n) for n in ("Rate", "Momentum"))
    assert rate.get_attribute("aria-valuetext") == "0.01"
    assert momentum.get_attribute("aria-valuetext") == "0.9"
    # What trains is as before, too.
    page.do("await playground.train(3)")
    other = opened()
    other.do("await playground.train(3)")
    weights = "return playground.weights()"
    assert page.do(weights) == other.do(weights) and page.said == []


def test_a_rate_that_is_too_high_is_told_on_the_page_and_the_weights_are_kept(opened):
    page = opened()
    page.do("await playground.use({optimizer: 'sgd', rate: 1e30}); await playground.train(50)")
    page.page.get_by_role("alert").get_by_text("was not finite").wait_for()
    assert all(abs(w) < 1e38 for w in page.do("return playground.weights()"))


def test_it_rests_when_nobody_watches_and_goes_on_when_asked(opened):
    page = opened(bypass_csp=True)
    page.page.route("**/start.json", lambda route: route.fulfill(json=soon_at_rest(route)))
    page.page.reload()
    page.page.get_by_role("button", name="Train").click()
    page.page.wait_for_timeout(1500)
    page.page.get_by_role("button", name="Pause").wait_for()  # a page in sight is heard
    page.page.evaluate(
        "Object.defineProperty(document, 'hidden', { value: true, configurable: true })"
    )
    page.page.get_by_text("Training rests, since nobody has watched").wait_for()
    page.page.evaluate("Object.defineProperty(document, 'hidden', { value: false })")
    page.page.get_by_role("button", name="Train").click()
    page.page.get_by_text("Training rests").wait_for(state="hidden")


def soon_at_rest(route):
    """What the worker is given, but for the time until it rests."""
    given = route.fetch().json()
    return given | {"rest": given["rest"] | {"after": 1}}


def test_keys_turn_a_knob_in_force_before_the_next_step(opened):
    page = opened()
    unfold(page.widget)
    page.do("await playground.use({optimizer: 'sgd'}); await playground.train(1)")
    start = page.do("return playground.weights()")
    rate = page.page.get_by_role("slider", name="Rate")
    rate.focus()
    page.page.keyboard.press("Home")
    page.do("await playground.train(1)")
    moved = np.abs(np.subtract(page.do("return playground.weights()"), start)).max()
    assert rate.get_attribute("aria-valuetext") == "0.00001" and 0 < moved < 1e-4
    assert page.page.get_by_role("slider", name="Momentum").is_disabled()
    page.page.get_by_label("Optimizer").select_option("momentum")
    page.page.get_by_role("slider", name="Momentum", disabled=False).wait_for()
    assert rate.get_attribute("aria-valuetext") == "0.05"


def test_a_bar_for_each_class_shows_how_much_of_it_is_read(opened):
    page = opened()
    page.do("await playground.train(300)")
    page.page.get_by_text("step 300 ·").wait_for()
    bars = page.page.locator(".painter-bars")
    full = bars.evaluate(
        "e => [...e.children].map((b) => b.firstChild.clientHeight / b.clientHeight)"
    )
    told = bars.get_attribute("aria-label").partition(": ")[2].removesuffix(" %").split(" %, ")
    shares = dict(map(int, each.split()) for each in told)
    assert list(shares) == list(range(10)) and min(shares.values()) > 60
    heights = dict(enumerate(100 * part for part in full))
    assert shares == pytest.approx(heights, abs=3)  # of 36 pixels
    assert bars.locator(".on-grid").get_attribute("data-page") == "3"


def test_a_momentum_of_0_ends_a_leak_and_the_drawing_says_so(opened):
    page = opened()
    page.do("await playground.train(60); await playground.use({technique: 'where_gradient'})")
    page.do("await playground.paint([18, 19]); await playground.train(5)")
    page.page.get_by_text("2 of 2 frozen cells have changed").wait_for()
    page.page.get_by_role("button", name="memory").click()
    formula = page.page.locator(".painter-station-text pre")
    assert formula.inner_text().startswith("β₁ = 0.9\nm ← β₁·m")
    assert page.page.get_by_text("coasts on").is_visible()
    unfold(page.widget)
    page.page.get_by_role("slider", name="Momentum").focus()
    page.page.keyboard.press("Home")
    page.page.get_by_text("β₁ = 0\nm ←").wait_for()
    page.page.get_by_text("coasts on").wait_for(state="detached")
    before = page.do("return playground.weights()")
    page.do("await playground.train(20)")
    after = page.do("return playground.weights()")
    assert [before[n] == after[n] for n in (18, 19, 20)] == [True, True, False]


def test_turned_knobs_are_in_the_address_and_in_the_microscope(opened):
    page = opened()
    page.do("await playground.train(3); await playground.use({rate: 0.05, momentum: 0.25})")
    unfold(page.widget)
    page.page.get_by_role("button", name="Share").click()
    field = page.page.get_by_label("What is here now")
    page.page.wait_for_timeout(300)
    address = field.input_value()
    assert "adam-rate5e-2-momentum25e-2.3." in address
    other = opened(address=address)
    unfold(other.widget)
    rate, momentum = (other.page.get_by_role("slider", name=name) for name in ("Rate", "Momentum"))
    rate.and_(other.page.locator("[aria-valuetext='0.05']")).wait_for()
    assert momentum.get_attribute("aria-valuetext") == "0.25"
    lab = Playground.from_code(address.split("#")[1], device="cpu")
    assert lab.session.loop.knobs.turned == {"rate": 0.05, "momentum": 0.25}
    lab.close()


def test_a_snowflake_comes_to_light_but_for_frozen_cells(opened):
    page = opened()
    page.do("await playground.paint([9])")
    page.page.get_by_label("What is trained").select_option("snowflake")
    page.page.locator(".painter:visible").get_by_text("Nothing is frozen yet").wait_for()
    assert page.page.locator(".painter-grid:visible").count() == 1
    cells = list(range(48 * 20, 48 * 28))
    page.page.evaluate("cells => playground.paint(cells)", cells)
    before = np.array(page.do("return playground.weights()"))
    for technique in ("exact", "free_values", "restore"):
        page.page.get_by_label("Freeze by").and_(page.page.locator(":visible")).select_option(
            technique
        )
        page.do("await playground.train(200)")
        page.page.get_by_text("0 of 384 frozen cells have changed").wait_for()
    after = np.array(page.do("return playground.weights()"))
    assert np.flatnonzero(after == before).tolist() == cells
    free = after != before
    teacher = datasets.snowflake(48, 48).ravel()
    assert np.corrcoef(after[free], teacher[free])[0, 1] > 0.9
    page.page.get_by_label("What is trained").select_option("digits")
    page.page.get_by_text("0 of 1 frozen cell has changed").wait_for()  # as it was left
    assert page.do("return playground.steps()") == 0 and page.said == []


def test_a_line_of_the_snowflake_opens_at_its_address_and_in_the_course(opened, served):
    page = opened()
    page.page.get_by_label("What is trained").select_option("snowflake")
    page.do("await playground.use({technique: 'exact', optimizer: 'sgd', rate: 0.05})")
    page.do("await playground.paint([0, 100, 2303])")
    widget = page.page.locator(".painter:visible")
    unfold(widget)
    widget.get_by_role("button", name="Share").click()
    page.page.wait_for_timeout(300)
    address = widget.get_by_label("What is here now").input_value()
    assert "#freeze1.snowflake-0-48-48.exact.sgd-rate5e-2.all." in address
    other = opened(address=address)
    other.page.get_by_text("0 of 3 frozen cells have changed").wait_for()
    assert other.page.get_by_label("What is trained").input_value() == "snowflake"
    lab = Playground.from_code(address.split("#")[1], device="cpu")
    assert np.flatnonzero(lab.frozen).tolist() == [0, 100, 2303]
    lab.close()
    other.page.evaluate(f"location.hash = {shared()!r}")
    other.page.get_by_text("0 of 2 frozen cells have changed").wait_for()
    assert other.page.get_by_label("What is trained").input_value() == "digits"
    other.page.get_by_label("What is trained").select_option("snowflake")
    assert "#" not in other.page.url and other.said == []


@pytest.mark.parametrize("path", ["index.html", "course/00_start_here.html"])
def test_opened_from_a_disk_it_says_what_to_run(chromium, site, path):
    context = chromium.new_context()
    page = context.new_page()
    page.goto((site / path).as_uri())
    told = page.locator(".live").first
    assert "run python3 -m http.server in the site's folder" in told.inner_text()
    assert told.get_by_role("img").is_visible() and "needs JavaScript" not in told.inner_text()
    context.close()


@pytest.mark.everyday
def test_by_keys_alone(opened):
    page = opened()
    page.grid.focus()
    for key in ("ArrowRight", "ArrowDown", "Space"):
        page.page.keyboard.press(key)
    page.page.get_by_text("0 of 1 frozen cell has changed").wait_for()
    assert [n for n, one in enumerate(page.do("return playground.frozen()")) if one] == [9]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 380])
def test_nobody_is_shut_out_and_nothing_is_cut_off(opened, scheme, width):
    size = {"width": width, "height": 900}
    page = opened(viewport=size, color_scheme=scheme, bypass_csp=True)
    page.do("await playground.train(60); await playground.paint([20, 21]);")
    page.do("await playground.use({technique: 'where_gradient'}); await playground.train(20)")
    page.page.get_by_text("2 of 2 frozen cells have changed").wait_for()
    assert findings(page.page, "main") == []
    unfold(page.widget)
    assert findings(page.page, "main") == []
    assert page.do("return document.documentElement.scrollWidth") <= width


def test_a_reader_without_javascript_has_a_picture_and_a_sentence(chromium, served):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(served)
    assert page.get_by_alt_text("A grid of eight by eight weights").is_visible()
    assert page.get_by_text("it needs JavaScript").is_visible()
    context.close()


def test_it_has_the_code_to_take_home(site):
    page = (site / "index.html").read_text(encoding="utf-8")
    first, freeze = BeautifulSoup(page, "html.parser").select("pre")
    assert "keras.constraints.Constraint" in first.get_text() and "<!--" not in page
    assert "optimizer.freeze_cells(table, frozen)" in freeze.get_text()


def test_what_a_station_says_comes_into_view(opened):
    page = opened()
    button = page.page.get_by_role("button", name="memory")
    button.hover()
    look = "document.querySelector('[data-station=memory]').getBoundingClientRect().bottom"
    page.page.set_viewport_size({"width": 1280, "height": int(page.page.evaluate(look)) + 4})
    button.click()
    page.page.wait_for_function("""() => {
        const box = document.querySelector(".painter-station-text").getBoundingClientRect();
        return box.height > 40 && box.top >= 0 && box.bottom <= innerHeight;
    }""")


def test_it_is_small(site):
    """With everything but the pages of the course, of which it asks for none."""
    files = [path for path in site.rglob("*") if path.is_file() and "course" not in path.parts]
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < 150_000
