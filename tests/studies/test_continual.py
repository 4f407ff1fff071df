"""Tasks in turn: their parts, how a learner begins, freezes and remembers."""

import types
from dataclasses import dataclass

import numpy as np
import pytest

from helpers import techniques
from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.freezing import freezable
from helpers.studies import continual, trials

TURNED = continual.rotated()


def adam():
    return freezable(keras.optimizers.Adam)(0.003)


@pytest.fixture(scope="module")
def learner():
    return continual.Learner(adam(), widths=(16,))


def half(learner, seed=0):
    draw = np.random.default_rng(seed)
    return [draw.random(v.shape) < 0.5 for v in learner.variables]


def test_the_parts_of_a_task_are_apart():
    for task in TURNED:
        assert {n: len(p) for n, (p, _) in task.part.items()} == {
            "train": 1047,
            "validation": 300,
            "test": 450,
        }
    pictures = np.concatenate([pictures for pictures, _ in TURNED[0].part.values()])
    assert len(np.unique(pictures, axis=0)) == 1797


def test_tasks_of_a_series_are_the_same_digits_seen_otherwise():
    upright, _, turned = (task.part["test"][0][0].reshape(8, 8) for task in TURNED)
    np.testing.assert_allclose(np.rot90(upright), turned, atol=1e-6)


def test_a_run_begins_anew(learner):
    ends = []
    for _ in range(2):
        learner.start(3)
        learner.learn(TURNED[0], steps=5)
        ends.append(learner.model.get_weights())
        learner.freeze(half(learner))
        learner.learn(TURNED[0], steps=5)
    for one, other in zip(*ends):
        assert not changed_bits(one, other).any()


def test_a_second_call_draws_other_pictures(learner):
    learner.start(0)
    before = learner.model.get_weights()
    moves = []
    for _ in range(2):
        learner.model.set_weights(before)
        learner.forget_momentum()
        learner.learn(TURNED[0], steps=1)
        moves.append(learner.model.get_weights()[0])
    assert changed_bits(*moves).any()


@pytest.mark.parametrize("recipe", [None, techniques.gradient_times_mask], ids=["exact", "times"])
def test_the_recipe_decides_whether_warm_cells_are_held(recipe):
    learner = continual.Learner(keras.optimizers.Adam() if recipe else adam(), recipe, (16,))
    learner.start(0)
    learner.learn(TURNED[0], steps=10)
    frozen, before = half(learner), learner.model.get_weights()
    learner.freeze(frozen)
    learner.learn(TURNED[1], steps=10)
    changed = [changed_bits(*pair) for pair in zip(before, learner.model.get_weights())]
    leaked = sum((c & f).sum() for c, f in zip(changed, frozen))
    assert leaked > 300 if recipe else leaked == 0
    assert changed[0][~frozen[0]].any()


def test_forgetting_momentum_makes_the_popular_recipe_hold():
    learner = continual.Learner(keras.optimizers.Adam(), techniques.gradient_times_mask, (16,))
    learner.start(0)
    learner.learn(TURNED[0], steps=10)
    frozen, before = half(learner), learner.model.get_weights()
    learner.forget_momentum()
    learner.freeze(frozen)
    learner.learn(TURNED[1], steps=10)
    for old, new, mask in zip(before, learner.model.get_weights(), frozen):
        assert not changed_bits(old, new)[mask].any()


def test_what_is_added_to_the_loss_is_followed_and_given_up_again():
    """A pull to 1, by a function of pictures and logits."""
    learner = continual.Learner(freezable(keras.optimizers.SGD)(0.01), widths=(16,))

    def pull(pictures, logits):
        assert pictures.shape[-1] == 64 and logits.shape[-1] == 10
        return sum(25 * tf.reduce_sum((v - 1) ** 2) for v in learner.variables)

    far = []
    for extra in (pull, None, pull):
        learner.start(0)
        learner.learn(TURNED[0], steps=30, extra=extra)
        far.append(max(np.abs(w - 1).mean() for w in learner.model.get_weights()))
    assert far[0] < 0.1 < far[1] and far[2] == far[0]


def test_a_batch_has_as_many_pictures_as_were_asked_for():
    learner = continual.Learner(adam(), widths=(16,), batch=8)
    seen = []

    def note(pictures, logits):
        seen.append(pictures.shape[0])
        return tf.zeros((), tf.float64)

    learner.start(0)
    learner.learn(TURNED[0], steps=1, extra=note)
    assert set(seen) == {8}


def test_compiled_by_xla_a_run_begins_with_nothing_frozen():
    learner = continual.Learner(adam(), widths=(16,), jit_compile=True)
    learner.start(0)
    learner.freeze(half(learner))
    learner.start(0)
    masks = [learner.optimizer.frozen_cells(v).numpy() for v in learner.variables]
    assert not any(mask.any() for mask in masks)


def test_half_of_each_batch_is_drawn_from_memory():
    """Of a network that sees nothing but biases, they tell what it was shown."""
    learner = continual.Learner(freezable(keras.optimizers.SGD)(1.0), widths=(16,))
    learner.start(0)
    learner.model.set_weights([np.zeros_like(w) for w in learner.model.get_weights()])
    nines = np.zeros((3, 64)), np.full(3, 9)
    without_nines = {
        name: tuple(values[labels < 9] for values in (pictures, labels))
        for name, (pictures, labels) in TURNED[0].part.items()
    }
    learner.learn(continual.Task(without_nines), steps=1, memory=nines)
    bias = learner.model.get_weights()[-1]
    np.testing.assert_allclose(bias[9], 0.5 - 0.1)
    np.testing.assert_allclose(bias[:9].sum(), 0.5 - 0.9)


def test_answers_leave_the_network_as_it_was(learner):
    before = learner.model.get_weights()
    learner.right(TURNED[0], weights=[np.zeros_like(w) for w in before])
    for held, now in zip(before, learner.model.get_weights(), strict=True):
        np.testing.assert_array_equal(held, now)


def test_fisher_is_that_of_the_trials(learner):
    pictures, labels = (values[:20] for values in TURNED[0].part["train"])
    for mine, theirs in zip(
        learner.fisher(TURNED[0], examples=20), trials.fisher(learner.model, pictures, labels)
    ):
        np.testing.assert_array_equal(mine, theirs)


def test_seen_is_zero_outside_the_mask():
    (values,) = continual.seen([np.array([1.0, 2.0])], [np.array([True, False])])
    assert values.tolist() == [1, 0]


def test_a_memory_has_as_many_of_each_digit():
    pictures, labels = continual.few_of_each_digit(TURNED[1], 0, 5)
    assert pictures.shape == (50, 64) and np.bincount(labels).tolist() == [5] * 10


def test_a_switch_takes_the_second_tasks_batches_from_its_step_on():
    @dataclass
    class Fed:
        batch: types.FunctionType

    switched = continual.switch(Fed(lambda step: -step), Fed(lambda step: step), step=3)
    assert [int(switched.batch(tf.constant(n))) for n in range(5)] == [0, -1, -2, 3, 4]
