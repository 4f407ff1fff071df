"""The form of *What frozen layers save*: what it draws is what the graph of a step has."""

import itertools

import pytest

from helpers.studies import costs, way_back
from helpers.studies.way_back import WayBack


def tick(form, *layers):
    for number, box in enumerate(form.boxes.values(), 1):
        box.value = number in layers


@pytest.mark.parametrize("frozen", list(itertools.product([False, True], repeat=4)))
def test_as_many_products_as_in_the_graph(frozen):
    if all(frozen):
        return
    model = costs.network(4, 4)
    for layer, held in zip(model.layers, frozen):
        layer.trainable = not held
    assert sum(map(sum, way_back.taken(frozen))) == len(costs.products(model))


def test_what_is_ticked_is_counted_and_a_goal_stays_reached():
    form = WayBack()
    assert form.count == 11 and not form.reached
    tick(form, 1, 2)
    assert form.count == 7 and form.reached == {"two layers frozen, and 7 products"}
    assert form._told.value.startswith('<div role="status">7 products<br>○')
    tick(form)
    assert form.count == 11 and form._told.value.count("✓") == 1


@pytest.mark.parametrize(
    ("layers", "goals"),
    [((1, 2, 3), 1), ((2, 3, 4), 1), ((1, 2), 1), ((1, 3, 4), 1), ((3, 4), 0), ((2,), 0)],
)
def test_a_goal_is_reached_by_what_it_says(layers, goals):
    frozen = [number in layers for number in range(1, 5)]
    count = sum(map(sum, way_back.taken(frozen)))
    assert sum(reaches(frozen, count) for reaches in way_back.GOALS.values()) == goals


def test_all_frozen_says_so_and_reaches_nothing():
    form = WayBack()
    tick(form, 1, 2, 3, 4)
    assert form.count == 0 and "free one" in form._told.value
    assert form.picture().data.startswith(b"\x89PNG")


def test_without_a_browser_there_is_a_drawing_with_two_layers_frozen():
    form = WayBack()
    drawing = form._repr_mimebundle_()["image/png"]
    tick(form, 1, 3)
    assert drawing == form.picture().data
