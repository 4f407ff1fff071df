"""What a page is told of a widget is what ipywidgets 8 itself would tell it."""

import ipywidgets

from helpers.forms import told, view_of


def test_a_view_is_the_one_of_ipywidgets():
    box = ipywidgets.VBox([ipywidgets.HTML("<b>?</b>")])
    own = box._repr_mimebundle_()
    assert view_of(box) == {kind: data for kind, data in own.items() if kind != "text/plain"}


def test_goals_stand_below_what_is_told():
    said = told("Nothing.", {"the first": True, "the second": False})
    assert said == '<div role="status">Nothing.<br>✓ the first<br>○ the second</div>'
