"""A student between two cameras: what is shown to it, what a room hides, what a freeze holds."""

import numpy as np
import pytest

from helpers.bits import changed_bits
from helpers.studies import by_hand, continual, trials

CAMERAS = continual.rotated()[:2]
ROOM = np.arange(64) < 32


@pytest.fixture(scope="module")
def students():
    made = by_hand.Student(CAMERAS), by_hand.Student(CAMERAS, ROOM)
    yield made
    for student in made:
        student.close()


def test_with_a_room_a_number_behind_the_pixels_names_the_camera(students):
    plain, roomy = students
    for number in (0, 1):
        pictures, labels = roomy.examples(number, "test")
        bare, same = plain.examples(number, "test")
        np.testing.assert_array_equal(pictures[:, :64], bare)
        assert (pictures[:, 64] == number).all() and (labels == same).all()


def test_another_seed_draws_another_network(students):
    student = by_hand.Student(CAMERAS, ROOM, seed=1)
    for mine, first in zip(student.model.get_weights(), students[1].model.get_weights()):
        assert mine.shape == first.shape and (mine != first).all()
    student.close()


def test_camera_1_sees_nothing_of_the_units_outside_its_room(students):
    _, student = students
    student.learn_first()
    shown = [student.examples(number, "test")[0] for number in (0, 1)]
    before = [student.model(pictures).numpy() for pictures in shown]
    whole = student.kernel.numpy()
    student.kernel.assign(np.where(ROOM, whole, 7))
    after = [student.model(pictures).numpy() for pictures in shown]
    student.kernel.assign(whole)
    assert (before[0] == after[0]).all() and (before[1] != after[1]).any()


def test_frozen_cells_hold_and_a_frozen_room_holds_the_answers(students):
    _, student = students
    student.learn_first()
    learnt = student.kernel.numpy()
    accepted, now = student.learn_both(np.tile(ROOM, (64, 1)))
    changed = changed_bits(learnt, student.kernel.numpy())
    assert not changed[:, ROOM].any() and changed[:, ~ROOM].any()
    np.testing.assert_array_equal(accepted, now)


def test_it_learns_camera_1_and_forgets_it_if_nothing_is_frozen(students):
    plain, _ = students
    plain.learn_first()
    first = plain.right()
    accepted, now = plain.learn_both(np.zeros((64, 64), bool))
    later = plain.right()
    assert first[0] > 80 > 60 > later[0] and later[1] > 85 > first[1]
    labels = plain.examples(0, "test")[1]
    assert 100 * (now == labels).mean() == pytest.approx(later[0])
    assert 100 * (accepted == labels).mean() == pytest.approx(first[0])


def test_fisher_is_that_of_camera_1(students):
    _, student = students
    student.learn_first()
    pictures, labels = student.examples(0, "train")
    (expected,) = trials.fisher(student.model, pictures[:20], labels[:20])
    np.testing.assert_array_equal(student.fisher(20), expected)
    assert (student.fisher(20)[:, ~ROOM] == 0).all()
