"""The playground for people who see little or nothing: axe-core looks for what shuts them out."""

import pytest

from tests.axe import findings

pytestmark = pytest.mark.browser


def use(hands):
    """Paint, train until cells leak, pin two, predict, and open what can be opened."""
    hands.python("1", "lab.train(30)")
    hands.drag((3, 1), (3, 4))
    hands.settle()
    hands.python("1", "lab.pin(3, 4); lab.pin(5, 5); lab.train(30)")
    hands.button("Predict leaks").click()
    hands.drag((2, 1), (2, 4))
    hands.until("int(lab.prediction.sum()) == 4")
    hands.python("1", "lab.train(5)")
    hands.widget.get_by_text("Your prediction: 0 right").wait_for()
    hands.widget.locator(".painter-station[data-station=memory]").click()
    hands.python("1", "lab.painter.error = 'Something went wrong.'")
    hands.widget.get_by_role("alert").wait_for()


@pytest.mark.parametrize("pixels", [1280, pytest.param(380, marks=pytest.mark.thorough)])
def test_nobody_is_shut_out(show, width, theme, pixels):
    asked = "goals=[goals.leak(), goals.hold()]"
    hands = show(f"Playground(technique='where_gradient', page='3', {asked})")
    width(pixels)
    assert findings(hands.page, ".painter") == []
    hands.unfold()
    use(hands)
    assert findings(hands.page, ".painter") == []
    for popup in ("Share", "What the tools do"):
        hands.widget.get_by_role("button", name=popup).click()
        assert findings(hands.page, ".painter") == []


def test_the_tour_shuts_nobody_out_and_leads_once(show):
    call = "Playground(controls=[*settings.FEW, 'tour'])"
    hands = show(call)
    tour = hands.widget.get_by_role("region", name="A short tour")
    tour.wait_for()
    assert findings(hands.page, ".painter") == []
    hands.page.keyboard.press("Escape")
    tour.wait_for(state="detached")
    again = show(call)
    again.page.wait_for_timeout(1000)
    assert again.widget.locator(".painter-tour").count() == 0
