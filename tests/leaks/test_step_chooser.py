"""The drawing of a step on a form: it follows the lists, and words say the same."""

import pytest

from helpers.leaks.situations import SITUATIONS
from helpers.leaks.step_chooser import TOGETHER, StepChooser


def choose(chooser, **choices):
    for name, value in choices.items():
        chooser.choices[name].value = value


def test_the_drawing_follows_the_lists_and_a_sentence_tells_what_goes_wrong():
    chooser = StepChooser()
    before = chooser._picture.value
    assert "It goes wrong at: memory, step, weight average, the end." in chooser._told.value
    choose(chooser, recipe="restore")
    assert chooser._picture.value != before
    assert "It goes wrong at: clip, memory, the end." in chooser._told.value
    assert chooser.wrong == ["clip", "memory", "the end"]
    choose(chooser, recipe="exact")
    assert chooser.wrong == [] and "Nothing goes wrong." in chooser._told.value


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_situation_is_told_in_its_words(situation):
    chooser = StepChooser(situation=situation)
    assert SITUATIONS[situation].about in chooser._told.value


def test_where_free_cells_are_watched_what_moves_frozen_ones_is_left_out():
    chooser = StepChooser("where_gradient", "adamw", "clipping")
    assert "Nothing goes wrong." in chooser._told.value
    choose(chooser, recipe="restore")
    assert "It goes wrong at: clip." in chooser._told.value


def test_a_reader_without_a_kernel_sees_the_drawing_and_is_told_what_is_chosen():
    chooser = StepChooser()
    shown = chooser._repr_mimebundle_()
    assert shown["image/png"] == chooser._picture.value
    wanted = f"The drawing of a training step, tf.where on the gradient, with adamw: {TOGETHER}"
    assert shown["text/plain"] == repr(chooser) == wanted
