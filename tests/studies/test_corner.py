"""The form of *Transfer*: what is ticked trains, goals are kept, and nothing ticked says so."""

import matplotlib.pyplot as plt
import pytest
from matplotlib.colors import to_hex

from helpers.studies import corner as corners
from helpers.studies.corner import Corner, what_trains

READ = {("head",): (70, 98), ("body", "head"): (80, 97), ("body",): (80, 20)}


@pytest.fixture
def made():
    asked = []

    def judge(layers, rate):
        asked.append((layers, rate))
        return READ[tuple(layers)]

    form = Corner({"body": "body", "head": "head"}, judge)
    form.asked = asked
    return form


def tick(form, *names):
    for name, box in form.ticks.items():
        box.value = name in names


def test_what_is_ticked_trains_at_the_rate_that_is_chosen(made):
    made.rate.value = 0.03
    assert made.train() == (70, 98) and made.asked == [(["head"], 0.03)]
    assert "head at 0.03: 70 % of the new digits, 98 % of the old" in made._told.value
    assert not made.reached and "✓" not in made._told.value


def test_a_goal_stays_reached(made):
    tick(made, "body", "head")
    made.train()
    tick(made, "body")
    made.train()
    assert made.reached == set(corners.GOALS) and made._told.value.count("✓") == 2
    tick(made, "head")
    made.train()
    assert made._told.value.count("✓") == 2 and len(made.runs) == 3


def test_nothing_ticked_trains_nothing_and_says_so(made):
    tick(made)
    assert made.train() is None and not made.asked
    assert "tick a layer" in made._told.value


def test_the_button_waits_and_comes_back_after_an_error(made):
    made._judge = lambda layers, rate: made._button.disabled and 1 / 0
    with pytest.raises(ZeroDivisionError):
        made.train()
    assert not made._button.disabled and not made.runs


def test_without_a_browser_there_is_a_picture_of_two_runs(made):
    shown = made._repr_mimebundle_()
    assert shown["image/png"].startswith(b"\x89PNG") and not made.runs
    assert [layers for layers, _ in made.asked] == [["head"], ["body", "head"]]


def test_a_box_is_blue_where_its_layer_trains():
    layers = {"body": object(), "head": object()}
    figure, axes = plt.subplots()
    what_trains(axes, layers, {"head alone": [layers["head"]], "all": [*layers.values()]})
    colours = [to_hex(box.get_facecolor()) for box in axes.patches]
    assert colours == [corners.FROZEN, *3 * [corners.TRAINS]]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["head alone", "all"]
    assert axes.get_ylim()[0] > axes.get_ylim()[1], "the first way stands on top"
    plt.close(figure)
