"""What a page is told of a widget is what ipywidgets 8 itself would tell it."""

import ipywidgets

from helpers.forms import Form, told, view_of
from helpers.pictures import plots


def test_a_view_is_the_one_of_ipywidgets():
    box = ipywidgets.VBox([ipywidgets.HTML("<b>?</b>")])
    own = box._repr_mimebundle_()
    assert view_of(box) == {kind: data for kind, data in own.items() if kind != "text/plain"}


def test_goals_stand_below_what_is_told():
    said = told("Nothing.", {"the first": True, "the second": False})
    assert said == '<div role="status">Nothing.<br>✓ the first<br>○ the second</div>'


def test_a_goal_that_was_reached_stays_so():
    goals = {"more than two": lambda count: count > 2, "none": lambda count: count == 0}
    form = Form(goals=goals)
    for count, marks in [(1, "○○"), (3, "✓○"), (1, "✓○"), (0, "✓✓")]:
        form.reach(count)
        form.show(plots.figure()[0], f"{count} now")
        assert f"{count} now" in form._told.value
        assert "".join(sign for sign in form._told.value if sign in "✓○") == marks
    assert not Form(goals=goals).reached
