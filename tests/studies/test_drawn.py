"""Drawn: the chart follows its sliders."""

from helpers.studies.drawn import Drawn


def test_the_chart_is_drawn_for_where_the_sliders_stand():
    asked = []

    def draw(axes, frozen_at, thawed_at):
        asked.append((frozen_at, thawed_at))
        axes.plot([frozen_at, thawed_at])

    drawn = Drawn(draw, frozen_at=(1, 200, 25), thawed_at=(1, 500, 125))
    before = drawn._picture.value
    drawn.sliders["thawed_at"].value = 300
    assert asked == [(25, 125), (25, 300)] and drawn._picture.value != before
    assert drawn.sliders["frozen_at"].description == "frozen at"
    shown = drawn._repr_mimebundle_()
    assert isinstance(shown["image/png"], bytes) and shown["image/png"] == drawn._picture.value
    assert shown["text/plain"] == "Drawn(frozen_at, thawed_at)"


def test_a_slider_may_have_some_numbers_and_draws_when_it_is_let_go():
    asked = []
    drawn = Drawn(lambda axes, batch: asked.append(batch), batch=[32, 2_048])
    drawn._repr_mimebundle_()
    assert asked == [32] and not drawn.sliders["batch"].continuous_update
    drawn.sliders["batch"].value = 2_048
    assert asked == [32, 2_048]
