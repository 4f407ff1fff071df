"""Tasks in turn: each run begins anew, masks decide what a task sees, and owners are read off."""

import types
from dataclasses import dataclass

import numpy as np
import pytest

from helpers import networks
from helpers.device import keras, tf
from helpers.freezing import freezable
from helpers.pictures import plots
from helpers.studies import continual


@pytest.fixture(scope="module")
def three():
    memory = [tf.Variable(0.0)]
    optimizer = freezable(keras.optimizers.Adam)(0.003)
    return continual.InTurn(networks.dense(0), optimizer, lambda: memory[0] * 0.0, memory)


def test_a_run_begins_anew_and_calls_between_the_tasks(three):
    seen = []
    first = three.run(1, seen.append)
    three._memory[0].assign(1.0)
    assert seen == [0, 1] and first.shape == (3, 3)
    np.testing.assert_array_equal(three.run(1), first)
    assert three._memory[0].numpy() == 0


def test_a_model_of_other_widths_starts_from_weights_of_its_own():
    small = continual.InTurn(networks.dense(0, (16,)), keras.optimizers.Adam())
    small.start(3)
    for found, wanted in zip(small.model.get_weights(), networks.dense(3, (16,)).get_weights()):
        np.testing.assert_array_equal(found, wanted)


def test_packing_hands_each_task_what_is_owned_and_keeps_every_moment(three):
    def pack(task, owned):
        handed.append([mask.sum() for mask in owned])
        return [np.full(mask.shape, task > 0) for mask in owned]

    handed = []
    kept, moments = three.run_packed(0, pack)
    sizes = [mask.size for mask in kept[0]]
    assert handed == [[0] * len(sizes), [0] * len(sizes), sizes]
    scores = three.packed_scores(kept, moments)
    assert scores[2, 2] == three.accuracy(2, moments[2])
    assert scores[0, 2] == three.accuracy(2, continual.seen(moments[0], kept[0]))


def test_answers_leave_the_network_as_it_was(three):
    before = three.model.get_weights()
    three.answers(0, [np.zeros_like(w) for w in before])
    for held, now in zip(before, three.model.get_weights(), strict=True):
        np.testing.assert_array_equal(held, now)


def test_seen_is_zero_outside_the_mask():
    (values,) = continual.seen([np.array([1.0, 2.0])], [np.array([True, False])])
    assert values.tolist() == [1, 0]


def test_owners_of_nested_masks():
    kept = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0]], bool)
    assert continual.owners(kept).tolist() == [1, 2, 3, 4]


def test_pictures_name_their_axes_and_label_every_dot():
    made, (left, right) = plots.figure(panels=2)
    continual.draw_owners(left, np.array([[1, 2], [3, 4]]))
    continual.draw_old_and_new(right, {"a": np.full((2, 3, 3), 90.0), "b": np.zeros((2, 3, 3))})
    assert left.get_ylabel() == "pixel" and right.get_xlabel()
    assert [text.get_text() for text in right.texts] == ["a", "b"]
    assert plots.png(made)


def test_a_switch_takes_the_second_tasks_batches_from_its_step_on():
    @dataclass
    class Fed:
        batch: types.FunctionType

    switched = continual.switch(Fed(lambda step: -step), Fed(lambda step: step), step=3)
    assert [int(switched.batch(tf.constant(n))) for n in range(5)] == [0, -1, -2, 3, 4]
