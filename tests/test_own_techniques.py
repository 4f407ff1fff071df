"""Recipes of one's own: what a function must look like, and what is said of one that fails."""

import numpy as np
import pytest

from helpers.device import tf
from helpers.own_techniques import as_technique, check
from helpers.techniques import (
    TECHNIQUES,
    Technique,
    restore,
    shadow_copy,
    stop_gradient,
    where_gradient,
)

VARIABLE = tf.Variable(np.ones((3, 4), np.float32))


@pytest.mark.parametrize(
    ("function", "place"),
    [
        (where_gradient, "gradient"),
        (stop_gradient, "weights"),
        (shadow_copy, "shadow"),
        (restore, "after"),
    ],
)
def test_the_names_of_the_parameters_say_where_a_function_acts(function, place):
    technique = as_technique(function)
    assert getattr(technique, place) is function
    assert technique.label == function.__name__.replace("_", " ")
    check(technique, VARIABLE)


def test_a_technique_stays_as_it_is():
    assert as_technique(TECHNIQUES["restore"]) is TECHNIQUES["restore"]


@pytest.mark.parametrize("technique", TECHNIQUES.values(), ids=list(TECHNIQUES))
def test_the_courses_own_pass_the_check(technique):
    check(technique, VARIABLE)


def test_what_is_wrong_with_a_recipe_of_free_values_is_said_too():
    with pytest.raises(ValueError, match=r"returned float32 of shape \(\d,\)"):
        check(Technique("mine", values=lambda held, places, free: free), VARIABLE)


@pytest.mark.parametrize(
    "recipe", [3, "restore", lambda: 0, lambda gradient, mask: gradient, lambda x, frozen: x]
)
def test_what_does_not_say_where_it_acts_is_refused(recipe):
    with pytest.raises(TypeError, match="wanted|must be one of"):
        as_technique(recipe)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda gradient, frozen: None, "NoneType.*return"),
        (lambda gradient, frozen: gradient[0], r"shape \(4,\).*shape \(3, 4\)"),
        (lambda gradient, frozen: frozen, "bool.*float32"),
        (lambda gradient, frozen: tf.cast(gradient, tf.float64), "float64.*float32"),
        (lambda gradient, frozen: gradient / 0, "NaN or infinity"),
        (lambda gradient, frozen: gradient * missing, "NameError.*missing"),  # noqa: F821
        (lambda gradient, frozen: gradient * frozen[0, 0], "raised|bool"),
    ],
)
def test_what_a_function_does_wrong_is_said(wrong, words):
    with pytest.raises(ValueError, match=words):
        check(as_technique(wrong), VARIABLE)
