"""A recipe of one's own joins the others while a playground lives, and cannot spoil it."""

import numpy as np
import pytest

from helpers.device import tf
from helpers.playground.trainer import NotFinite
from helpers.techniques import Technique, restore, where_gradient
from tests.playground.small import bits, small


def mine(gradient, frozen):
    return tf.where(frozen, tf.zeros_like(gradient), gradient)


@pytest.mark.parametrize("recipe", [mine, Technique("mine", gradient=mine)])
def test_it_trains_as_the_same_recipe_of_the_course_does(playground, half, recipe):
    one, other = (
        playground(small(), technique=recipe),
        playground(small(), technique="where_gradient"),
    )
    for lab in (one, other):
        lab.train(5)
        lab.frozen = half
        lab.train(10)
    assert bits(one) == bits(other) and one.leaks().any()


def test_it_joins_while_the_playground_trains(lab, half, until):
    lab.start()
    until(lambda: lab.steps > 5)
    name = lab.add_technique(lambda before, after, frozen: restore(before, after, frozen), "kept")
    lab.use(technique=name)
    lab.frozen = half
    at = lab.steps
    until(lambda: lab.steps > at + 5)
    lab.stop()
    assert not lab.leaks().any()


def test_a_name_that_is_taken_gets_the_new_recipe_at_once(lab, half):
    lab.add_technique(where_gradient, "mine")
    lab.use(technique="mine")
    lab.train(3)
    lab.frozen = half
    lab.add_technique(restore, "mine")
    lab.train(5)
    assert not lab.leaks().any()


@pytest.mark.parametrize(("first", "then"), [("gradient", "exact"), ("exact", "gradient")])
def test_the_optimizer_holds_cells_while_the_recipe_of_that_name_is_exact(lab, half, first, then):
    kinds = {"gradient": {"gradient": mine}, "exact": {"exact": True}}
    name = lab.add_technique(Technique("mine", **kinds[first]))
    lab.use(name, "adamw")
    lab.frozen = half
    lab.add_technique(Technique("mine", **kinds[then]))
    lab.train(5)
    assert lab.leaks().any() == (then == "gradient")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda gradient, frozen: gradient[0],
        lambda gradient, frozen: gradient / 0,
        lambda gradient, frozen: tf.constant(gradient.numpy()),  # no numpy() inside a graph
    ],
)
def test_one_that_cannot_be_used_changes_nothing(lab, half, wrong):
    lab.train(3)
    before = bits(lab)
    with pytest.raises(ValueError, match="lambda"):
        lab.add_technique(wrong)
    assert bits(lab) == before and "<lambda>" not in lab.session.loop.techniques
    lab.use("exact")
    lab.frozen = half
    lab.train(3)
    assert lab.steps == 6 and not lab.leaks().any()


def test_one_that_is_refused_at_the_start_leaves_no_thread(playground, trainers):
    with pytest.raises(ValueError, match="wanted, as it got"):
        playground(small(), technique=lambda gradient, frozen: gradient[0])
    assert not trainers()


@pytest.mark.parametrize(
    "late",
    [
        lambda gradient, frozen: gradient / tf.cast(~tf.reduce_all(frozen), gradient.dtype),
        lambda before, after, frozen: after / tf.cast(~tf.reduce_all(frozen), after.dtype),
    ],
)
def test_one_that_makes_nan_later_ends_training_and_the_weights_are_kept(lab, late):
    lab.use(technique=lab.add_technique(late, "late"))
    lab.train(5)
    before = lab.weights
    lab.frozen = np.ones((12, 12), bool)
    with pytest.raises(NotFinite):
        lab.train(5)
    assert np.isfinite(lab.weights).all() and np.isfinite(before).all()
    assert "not finite" in lab.painter.error
    lab.use(technique="exact")
    lab.train(1)
    assert lab.steps == lab.session.do(lambda: lab.session.loop.step) == 6


def test_one_that_fails_in_the_middle_of_a_run_leaves_the_count_of_steps_right(lab):
    calls = tf.Variable(0)

    def late(gradient, frozen):
        few = tf.debugging.assert_less(calls.assign_add(1), 4)
        with tf.control_dependencies([few] if few is not None else []):
            return tf.identity(gradient)

    name = lab.add_technique(late)
    lab.use(name)
    calls.assign(0)
    loop = lab.session.loop
    with pytest.raises(tf.errors.InvalidArgumentError):
        lab.train(10)
    assert loop.step == int(loop._state.step) == 3
    lab.use("none")
    lab.train(2)
    assert loop.step == int(loop._state.step) == 5
