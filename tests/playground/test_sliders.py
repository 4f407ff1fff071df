"""The knobs of the optimizer as sliders, in a real JupyterLab and by keys."""

import pytest

pytestmark = pytest.mark.browser

SMALL = "Playground(tasks.snowflake(0, 8, 8), technique='restore')"


def slider(hands, name):
    """A slider by its name on screen."""
    return hands.widget.get_by_role("slider", name=name, exact=True)


def shows(hands, name):
    """What a screen reader is told of a slider."""
    return slider(hands, name).get_attribute("aria-valuetext")


def test_keys_turn_a_knob_while_it_trains_and_none_reaches_the_notebook(show):
    hands = show(SMALL).unfold()
    hands.python("1", "lab.start()")
    hands.until("lab.steps > 5")
    assert [shows(hands, name) for name in ("Rate", "Momentum", "Decay")] == ["0.02", "0.9", "none"]
    traces = hands.python("lab.session.loop.traces")
    slider(hands, "Rate").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft"):
        hands.page.keyboard.press(key)
    hands.until("lab.painter.rate == 0.05")
    assert shows(hands, "Rate") == "0.05"
    hands.page.keyboard.press("Tab")
    hands.page.keyboard.press("Home")
    hands.until("lab.painter.momentum == 0.0")
    assert hands.python("[lab.training, lab.session.loop.traces]") == [True, traces]
    assert hands.page.locator(".jp-Cell").count() == 4
    hands.python("1", "lab.stop()")


def test_the_drawing_of_a_step_shows_the_numbers_in_use(show):
    hands = show("Playground(tasks.snowflake(0, 8, 8), 'adamw')").unfold()
    hands.widget.get_by_role("button", name="step", exact=True).click()
    formula = hands.widget.locator(".painter-station-text pre")
    formula.get_by_text("rate = 0.02\nλ = 0.01\nw ← w − rate·λ·w").wait_for()
    slider(hands, "Decay").focus()
    hands.page.keyboard.press("ArrowRight")
    formula.get_by_text("λ = 0.015").wait_for()
    hands.python("1", "lab.use(rate=0.5)")
    formula.get_by_text("rate = 0.5\nλ = 0.015").wait_for()


def test_a_slider_follows_python_and_the_optimizer(show):
    hands = show(SMALL).unfold()
    hands.python("1", "lab.use(rate=0.0123, momentum=0.25)")
    slider(hands, "Rate").and_(hands.page.locator("[aria-valuetext='0.0123']")).wait_for()
    assert shows(hands, "Momentum") == "0.25"
    hands.widget.get_by_label("Optimizer", exact=True).select_option(label="sgd")
    slider(hands, "Momentum").and_(hands.page.locator("[aria-valuetext='none']")).wait_for()
    assert (
        slider(hands, "Momentum").is_disabled() and hands.python("lab.painter.optimizer") == "sgd"
    )
    hands.python("1", "lab.use(optimizer='adamw', decay=0.5)")
    slider(hands, "Decay").and_(hands.page.locator("[aria-valuetext='0.5']")).wait_for()
    assert slider(hands, "Decay").is_enabled() and slider(hands, "Momentum").is_enabled()
