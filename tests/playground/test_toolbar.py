"""The toolbar in a real browser, by mouse, by keys alone, from Python and by links."""

import time

import pytest

from tests.playground.hands import Hands

pytestmark = pytest.mark.browser

SMALL = "Playground(tasks.snowflake(0, 8, 8), technique='restore')"
LISTS = {
    "technique": ("Freeze by", "exact freeze", "exact"),
    "optimizer": ("Optimizer", "sgd", "sgd"),
    "page": ("Class", "7", "7"),
    "speed": ("Speed", "10 steps a second", 10),
}
# What sticks out of the widget or is too small to hit, and how wide all of it wants to be.
MISFITS = """() => {
    const widget = document.querySelector(".painter");
    const edge = widget.getBoundingClientRect();
    const bad = [...widget.querySelectorAll("button, select, input, .painter-grid, canvas")]
        .filter((each) => each.getClientRects().length)
        .filter((each) => {
            const box = each.getBoundingClientRect();
            const target = each.matches("button, select, input");
            return box.left < edge.left - 1 || box.right > edge.right + 1
                || (target && (box.width < 24 || box.height < 24));
        });
    const side = widget.querySelector(".painter-side").getBoundingClientRect();
    const grid = widget.querySelector(".painter-grid").getBoundingClientRect();
    return {
        bad: bad.map((each) => each.outerHTML.slice(0, 80)),
        scrolls: widget.scrollWidth > widget.clientWidth,
        beside: side.left >= grid.right,
        below: side.top >= grid.bottom,
    };
}"""

# How one calls what has the focus.
FOCUSED = "document.activeElement.ariaLabel ?? document.activeElement.innerText"


def next_focused(hands):
    """Press Tab, and return how one calls what has the focus then."""
    hands.page.keyboard.press("Tab")
    return hands.page.evaluate(FOCUSED)


def choose_by_key(hands, key, name, value):
    """Go on to the next list, and choose from it by a key."""
    next_focused(hands)
    hands.page.keyboard.press(key)
    hands.until(f"lab.painter.{name} == {value!r}")


def settings(hands):
    """What Python says is chosen, and what the lists of the page show."""
    python = hands.python(f"[getattr(lab.painter, name) for name in {list(LISTS)}]")
    shown = [chosen(hands, label) for label, *_ in LISTS.values()]
    return dict(zip(LISTS, zip(python, shown)))


def chosen(hands, label):
    """The text that a list shows as chosen."""
    return hands.widget.get_by_label(label, exact=True).evaluate(
        "list => list.selectedOptions[0]?.textContent"
    )


def until_shown(hands, label, text):
    """Wait until a list shows a choice."""
    end = time.monotonic() + 90
    while chosen(hands, label) != text:
        assert time.monotonic() < end, f"{label} shows {chosen(hands, label)}, not {text}"
        time.sleep(0.05)


def test_train_pause_step_and_reset_with_the_mouse(show):
    hands = show(SMALL).unfold()
    hands.python("1", "lab.train(1)")
    hands.button("Train").click()
    hands.until("lab.steps > 5")
    hands.button("Pause").click()
    hands.button("Train").wait_for()
    hands.until("lab.painter.status == 'paused'")
    steps = hands.python("lab.steps")
    for more in (1, 2):
        hands.button("Step").click()
        hands.until(f"lab.steps == {steps + more}")
    hands.button("Reset").click()
    hands.until("lab.steps == 0 and lab.weights.tobytes() == lab.initial.tobytes()")


def test_everything_with_the_keyboard_alone(show):
    hands = show("Playground(technique='none')")
    hands.python("1", "lab.train(1)")
    press = hands.page.keyboard.press
    hands.button("Train").focus()
    press("Enter")
    hands.until("lab.steps > 5")
    press("Space")
    hands.until("lab.painter.status == 'paused'")
    press("Tab")  # Reset
    press("Enter")
    hands.until("lab.steps == 0")
    assert [next_focused(hands) for _ in range(2)] == ["Freeze", "Thaw"]
    choose_by_key(hands, "ArrowDown", "technique", "gradient_times_mask")
    choose_by_key(hands, "ArrowUp", "optimizer", "momentum")
    assert next_focused(hands).startswith("Mask over 8 rows")
    assert next_focused(hands) == "More tools"
    press("Enter")
    press("Tab")  # Step
    press("Space")
    hands.until("lab.steps == 1")
    choose_by_key(hands, "ArrowDown", "speed", None)
    painting = ["Predict leaks", "Predict still", "Brush", "Rectangle", "Row", "Column", "Pin"]
    painting += ["Brush size", "Undo", "Redo", "Invert", "Clear", "Preset masks"]
    assert [next_focused(hands) for _ in painting] == painting
    choose_by_key(hands, "End", "page", "9")
    looking = ["Rate", "Momentum"]  # and no decay, which Adam has not
    looking += ["Weights", "Moved", "Leaked", "Share", "What the tools do"]
    assert [next_focused(hands) for _ in looking] == looking
    assert hands.page.locator(".jp-Cell").count() == 4  # no key has reached the notebook


@pytest.mark.parametrize("training", [False, True])
def test_each_list_chooses_and_shows_what_is_chosen(show, training):
    hands = show("Playground()").unfold()
    if training:
        hands.python("1", "lab.train(1)")
        hands.button("Train").click()
    for name, (label, text, value) in LISTS.items():
        hands.widget.get_by_label(label, exact=True).select_option(label=text)
        hands.until(f"lab.painter.{name} == {value!r}")
    assert settings(hands) == {n: (value, text) for n, (_, text, value) in LISTS.items()}
    assert hands.python("lab.training") == training
    hands.python("1", "lab.use('restore', 'adamw', '2'); lab.painter.speed = 37")
    for label, text in [
        ("Freeze by", "restore after the step"),
        ("Optimizer", "adamw"),
        ("Class", "2"),
        ("Speed", "37 steps a second"),
    ]:
        until_shown(hands, label, text)


def test_a_choice_that_is_refused_is_told_and_taken_back_on_the_page(show):
    hands = show(SMALL)
    hands.python("1", "lab.session.loop.use_optimizer = lambda name: 1 / 0")
    hands.widget.get_by_label("Optimizer", exact=True).select_option("sgd")
    hands.widget.get_by_role("alert").get_by_text("division by zero").wait_for()
    until_shown(hands, "Optimizer", "adam")
    hands.button("Reset").click()
    hands.widget.get_by_role("alert").wait_for(state="hidden")


LINKED = """import ipywidgets
box = ipywidgets.{}
tie = ipywidgets.{}((lab.painter, "technique"), (box, "value"))
display(box)"""


def linked(hands, box, link):
    """Show another widget that is linked to the technique; return its element."""
    hands.notebook.write(3, LINKED.format(box, link))
    hands.notebook.run(3)
    element = hands.page.locator(".jp-OutputArea .widget-inline-hbox").locator("input, select")
    element.wait_for(timeout=90_000)
    return element


def test_a_dropdown_linked_in_python_chooses_and_shows_what_is_chosen(show):
    hands = show(SMALL)
    dropdown = linked(hands, "Dropdown(options=['none', 'exact', 'restore'])", "link")
    dropdown.select_option("exact")
    hands.until("lab.painter.technique == 'exact'")
    until_shown(hands, "Freeze by", "exact freeze")
    hands.widget.get_by_label("Freeze by", exact=True).select_option(label="restore after the step")
    hands.until("lab.painter.technique == box.value == 'restore'")


def test_a_text_linked_in_the_browser_chooses_and_a_wrong_one_is_taken_back(show):
    hands = show(SMALL)
    text = linked(hands, "Text(continuous_update=False)", "jslink")
    text.fill("exact")
    text.press("Enter")
    hands.until("lab.painter.technique == 'exact'")
    until_shown(hands, "Freeze by", "exact freeze")
    text.fill("nonsense")
    text.press("Enter")
    hands.widget.get_by_role("alert").get_by_text("'nonsense' arrived").wait_for()
    until_shown(hands, "Freeze by", "exact freeze")
    hands.until("lab.painter.technique == box.value == 'exact'")
    # ipywidgets cannot load a page anew in which a link leads to a widget that is closed by then.
    hands.python("1", "tie.unlink()")


def test_a_page_that_is_reloaded_while_it_trains_shows_the_truth(show):
    hands = show("Playground(page='4')")
    hands.python("1", "lab.train(1)")
    hands.button("Train").click()
    hands.until("lab.steps > 3")
    hands.notebook.command("docmanager:save")
    hands.notebook.command("notebook:clear-all-cell-outputs")
    hands.python("1", "lab.use('exact', 'sgd', '5'); lab.painter.speed = None")
    hands.notebook.open(hands.notebook.address.replace("?reset", ""))
    again = Hands(hands.notebook).unfold()
    again.button("Pause").wait_for()
    shown = [text for _, text in settings(again).values()]
    assert shown == ["exact freeze", "sgd", "5", "as fast as it goes, fewer pictures"]
    again.button("Pause").click()
    again.until("lab.painter.status == 'paused'")


TOOLS = ".painter-tools, .painter-more"


def tools(hands):
    """The tools that are on the page, by what one calls them."""
    return hands.widget.locator(TOOLS).evaluate_all(
        "places => places.flatMap((tools) => [...tools.querySelectorAll('button, select')])"
        ".filter((tool) => tool.checkVisibility())"
        ".map((tool) => tool.ariaLabel ?? tool.innerText)"
    )


def test_the_tools_that_are_named_are_shown_and_no_others(show):
    hands = show("Playground(technique='restore', controls=['reset', 'train', 'technique'])")
    assert tools(hands) == ["Train", "Reset", "Freeze by"]
    hands.drag((1, 1), (1, 4))
    assert hands.settle().sum() == 4
    hands.python("1", "lab.painter.controls = []")
    hands.widget.locator(".painter-tools button").first.wait_for(state="detached")
    assert tools(hands) == []
    hands.drag((2, 1), (2, 4))
    assert hands.settle().sum() == 8
    hands.wait_for_leaks("0 of 8 frozen cells have changed")
    hands.python("1", "lab.painter.controls = ['undo', 'page']")
    hands.widget.get_by_role("button", name="Redo").wait_for()
    assert tools(hands) == ["Undo", "Redo", "Class"]


FEW = ["Train", "Reset", "Freeze", "Thaw", "Freeze by", "Optimizer", "More tools"]


def test_few_tools_are_seen_first_and_the_grid_stands_still_while_the_others_unfold(show):
    hands = show("Playground(technique='restore')")
    assert tools(hands) == FEW
    button = hands.widget.get_by_role("button", name="More tools")
    assert button.get_attribute("aria-expanded") == "false"
    button.scroll_into_view_if_needed()
    stood = hands.place(0, 0)
    button.click()
    assert hands.place(0, 0) == stood and button.get_attribute("aria-expanded") == "true"
    assert tools(hands)[:7] == FEW and len(tools(hands)) == 28
    button.click()
    assert tools(hands) == FEW and hands.place(0, 0) == stood


def test_what_is_unfolded_stays_unfolded_whatever_is_asked_for(show):
    hands = show("Playground(technique='restore')").unfold()
    hands.widget.get_by_role("button", name="Rectangle").click()
    hands.python("1", "lab.painter.controls = ['train', 'pin', 'more']")
    hands.widget.get_by_role("button", name="Reset").wait_for()
    assert tools(hands)[:4] == ["Train", "Brush", "Pin", "More tools"]
    rectangle = hands.widget.get_by_role("button", name="Rectangle")
    assert rectangle.get_attribute("aria-pressed") == "true"
    hands.widget.get_by_role("button", name="Share").click()
    hands.widget.get_by_label("A line to open here").wait_for()
    hands.widget.get_by_role("button", name="More tools").click()
    hands.widget.get_by_label("A line to open here").wait_for(state="hidden")
    assert tools(hands) == ["Train", "Brush", "Pin", "More tools"]


def test_a_mode_is_shown_wherever_it_can_be_chosen(show):
    """Freeze stands above the grid, and what is predicted below it: one of them is chosen."""
    hands = show("Playground(technique='restore')").unfold()
    pressed = "[...document.querySelectorAll('.painter [aria-pressed=true]')]"
    pressed += ".map((one) => one.innerText)"
    assert hands.page.evaluate(pressed)[:1] == ["Freeze"]
    hands.button("Predict leaks").click()
    assert hands.page.evaluate(pressed) == ["Predict leaks", "Brush", "Weights"]
    hands.button("Thaw").click()
    assert hands.page.evaluate(pressed) == ["Thaw", "Brush", "Weights"]


def test_a_list_that_grows_offers_more_at_once(show):
    hands = show(SMALL).unfold()
    assert "Class" not in tools(hands)
    offer = (
        "lab.painter.offer('technique', [*lab.painter.choices['technique'], ('mine', '<i>my own')])"
    )
    hands.python("1", offer)
    hands.until("len(lab.painter.choices['technique']) == 10")
    options = hands.widget.get_by_label("Freeze by", exact=True).locator("option")
    options.get_by_text("<i>my own").wait_for(state="attached")
    assert chosen(hands, "Freeze by") == "restore after the step"


def test_the_question_mark_tells_of_each_tool_and_moves_nothing(show):
    hands = show().unfold()
    stood = hands.layout()
    told = hands.widget.get_by_role("region", name="What the tools do")
    button = hands.widget.get_by_role("button", name="What the tools do")
    button.click()
    told.wait_for()
    assert told.locator("dt").count() == told.locator("dd").count() == 24
    assert "Takes a single training step" in told.inner_text()
    assert hands.layout() == pytest.approx(stood)
    hands.page.keyboard.press("Escape")
    told.wait_for(state="hidden")
    button.click()
    told.wait_for()
    button.click()
    told.wait_for(state="hidden")
    for tool in hands.widget.locator(TOOLS).locator("button, select").all():
        assert len(tool.get_attribute("title")) > 5


@pytest.mark.parametrize("task", ["digits", "hidden", "tasks.snowflake(0, 200, 200)"])
def test_at_any_width_nothing_is_cut_off_and_the_width_is_used(show, width, task):
    hands = show(f"Playground({task if '.' in task else repr(task)}, technique='restore')")
    long = "[*lab.painter.choices['technique'], ('mine', 'a recipe of many words, ' * 9)]"
    hands.python("1", f"lab.painter.offer('technique', {long})")
    hands.widget.locator("option", has_text="many words").wait_for(state="attached")
    hands.unfold()
    for pixels in (320, 380, 690, 700, 800, 1280):
        width(pixels)
        misfits = hands.page.evaluate(MISFITS)
        beside = pixels >= 700
        assert misfits == {"bad": [], "scrolls": False, "beside": beside, "below": not beside}


@pytest.mark.parametrize("pixels", [380, 900])
def test_the_height_stays_while_it_is_used(show, width, pixels):
    """Whatever is said, counted or chosen: a grid that moves takes a stroke elsewhere."""
    hands = show().unfold()
    width(pixels)

    def shape():
        """Where the grid lies in the widget, and its height; a press may scroll the page."""
        hands.page.wait_for_timeout(250)
        (x, y), box = hands.place(0, 0), hands.widget.bounding_box()
        return x - box["x"], y - box["y"], box["height"]

    before = shape()
    hands.button("Train").click()
    hands.until("lab.steps > 200")
    assert shape() == before
    hands.widget.get_by_label("Preset masks").select_option("largest 0.9")
    for view in ("Moved", "Leaked"):
        hands.widget.get_by_role("button", name=view).click()
        assert shape() == before
    hands.python("1", "lab.painter.error = 'What went wrong takes some lines to say. ' * 8")
    hands.widget.get_by_role("alert").get_by_text("What went wrong").wait_for()
    assert shape() == before


# A recipe of one's own that fails

SPOILING = """import tensorflow as tf
taken = tf.Variable(0)
def spoil(before, after, frozen):
    return tf.where(taken.assign_add(1) > 4, after * float("nan"), after)
def stumble(gradient, frozen):
    return tf.constant(gradient.numpy())
"""


def alert(hands, text):
    hands.widget.get_by_role("alert").get_by_text(text).wait_for()


def trains_on(hands, technique):
    """Whether it trains again, once another technique is chosen from the list."""
    hands.unfold()
    hands.widget.get_by_label("Freeze by", exact=True).select_option(label=technique)
    steps = hands.python("lab.steps")
    hands.button("Step").click()
    hands.until(f"lab.steps == {steps + 1}")
    hands.widget.get_by_role("alert").wait_for(state="hidden")


def test_a_recipe_that_makes_nan_is_told_on_the_page_and_the_weights_are_kept(show):
    hands = show(SMALL)
    hands.python("1", SPOILING + "lab.use(lab.add_technique(spoil)); taken.assign(0)")
    hands.button("Train").click()
    alert(hands, "not finite at step 5: training stopped, and the weights")
    assert hands.python("lab.steps") == 4
    kept = hands.python("lab.weights.tolist()")
    hands.python("1", "taken.assign(0); lab.reset(); lab.train(4)")
    assert hands.python("lab.weights.tolist()") == kept
    trains_on(hands, "exact freeze")


def test_a_recipe_that_cannot_be_traced_is_told_on_the_page_and_changes_nothing(show):
    hands = show(SMALL)
    hands.python("1", "lab.train(3)")
    kept = hands.python("lab.weights.tolist()")
    told = hands.page.locator(".jp-OutputArea-output[data-mime-type*='stderr']")
    hands.notebook.write(3, SPOILING + "lab.add_technique(stumble)")
    hands.notebook.run(3)
    told.get_by_text("'stumble' cannot be compiled").wait_for()
    alert(hands, "'stumble' cannot be compiled")
    hands.notebook.wait_until_idle()  # a failing cell has the kernel drop what else it is asked
    assert hands.python("[lab.steps, lab.weights.tolist()]") == [3, kept]
    assert "stumble" not in hands.widget.get_by_label("Freeze by", exact=True).inner_text()
    trains_on(hands, "exact freeze")


# The playground as a line of text


def test_a_line_is_copied_and_pasted_with_the_mouse(show):
    hands = show("Playground(technique='restore', page='3')").unfold()
    hands.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hands.drag((1, 1), (1, 4))
    stood = hands.layout()
    hands.widget.get_by_role("button", name="Share").click()
    line = hands.widget.get_by_label("What is here now, as a line of text")
    hands.page.wait_for_function("document.querySelector('.painter-code').value")
    assert line.input_value() == hands.python("lab.code()")
    assert hands.layout() == pytest.approx(stood)
    hands.widget.get_by_role("button", name="Copy", exact=True).click()
    hands.widget.get_by_text("Copied.").wait_for()
    assert hands.page.evaluate("navigator.clipboard.readText()") == line.input_value()
    hands.python("1", "lab.frozen = ~lab.frozen; lab.use('exact', 'sgd', '5')")
    hands.widget.get_by_label("A line to open here").fill(line.input_value())
    hands.widget.get_by_role("button", name="Open").click()
    line.wait_for(state="hidden")
    assert hands.settle().sum() == 4 and hands.python("lab.painter.page") == "3"
    until_shown(hands, "Freeze by", "restore after the step")
    hands.widget.get_by_role("button", name="Undo").click()
    assert hands.settle(operated=True).sum() == 60


def test_a_link_to_the_site_is_offered_where_the_course_has_an_address(show):
    hands = show("Playground(technique='restore', page='3')").unfold()
    hands.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    button = hands.widget.get_by_role("button", name="Share")
    address = "from helpers import home; home.repository = lambda: {}"
    assert hands.python("lab.link()", address.format("home.PLACEHOLDER")) == ""
    button.click()
    hands.page.wait_for_function("document.querySelector('.painter-code').value")
    link = hands.widget.get_by_label("The same as a link")
    assert not link.is_visible()
    assert not hands.widget.get_by_role("button", name="Copy the link").is_visible()
    button.click()
    wanted = hands.python("lab.link()", address.format("'someone/course'"))
    assert wanted.startswith("https://someone.github.io/course/#freeze1.digits-0.restore.")
    button.click()
    link.wait_for()
    assert link.input_value() == wanted
    hands.widget.get_by_role("button", name="Copy the link").click()
    hands.widget.get_by_text("Copied.").wait_for()
    assert hands.page.evaluate("navigator.clipboard.readText()") == wanted


def test_a_line_is_copied_and_pasted_with_keys_where_the_clipboard_is_refused(show):
    hands = show(SMALL).unfold()
    refuse = "navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));"
    hands.page.evaluate(f"() => {{ {refuse} }}")
    other = hands.python("lab.code()")
    hands.python("1", "lab.paint(2, 2)")
    press = hands.page.keyboard.press
    hands.widget.get_by_role("button", name="Share").focus()
    press("Enter")
    hands.page.wait_for_function("document.activeElement.value?.startsWith('freeze1.')")
    press("Tab")  # Copy
    press("Enter")
    hands.widget.get_by_text("copy it with the keyboard").wait_for()
    chosen = "() => { const line = document.querySelector('.painter-code');"
    chosen += " return line.value.slice(line.selectionStart, line.selectionEnd); }"
    assert hands.page.evaluate(chosen) == hands.python("lab.code()")
    for _ in range(2):  # past Copy again
        press("Tab")
    hands.page.keyboard.insert_text(other[:-1])
    press("Enter")
    alert(hands, "its checksum does not fit")
    assert hands.frozen.sum() == 1
    hands.page.keyboard.insert_text(other[-1])  # what stands there is kept
    press("Tab")
    press("Space")  # Open
    hands.until("not lab.frozen.any()")
    hands.page.wait_for_function("document.activeElement.innerText === 'Share'")
    press("Enter")
    hands.page.wait_for_function("document.activeElement.value?.startsWith('freeze1.')")
    press("Escape")
    hands.widget.locator(".painter-code").wait_for(state="hidden")
    assert hands.page.evaluate(FOCUSED) == "Share"
    assert hands.page.locator(".jp-Cell").count() == 4


def test_what_a_line_cannot_bring_is_said_on_the_page(show):
    hands = show("Playground('digits', 'sgd', 'exact')").unfold()
    seeded = """from helpers.playground import share
line = lab.code().replace("digits-0", "digits-7").rpartition(".")[0]
line += "." + share._checksum(line)"""
    line = hands.python("line", seeded)
    hands.widget.get_by_role("button", name="Share").click()
    hands.widget.get_by_label("A line to open here").fill(line)
    hands.page.keyboard.press("Enter")
    hands.widget.get_by_text("It was made with seed 7").wait_for()
    foreign = "from helpers.playground import Playground, tasks\n"
    foreign += "other = Playground(tasks.snowflake(0, 8, 8)); line = other.code(); other.close()"
    hands.widget.get_by_label("A line to open here").fill(hands.python("line", foreign))
    hands.page.keyboard.press("Enter")
    alert(hands, 'Playground.from_code("…")')
