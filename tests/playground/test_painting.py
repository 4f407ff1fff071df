"""Painting on a playground: by call and by mouse, page by page, on a model of one's own."""

import threading

import numpy as np

from helpers.bits import changed_bits
from tests.playground.small import bits, small

# Painting


def test_painting_pairs_rows_and_columns_and_thaws_again(lab):
    lab.paint([0, 1], [2, 3])
    assert np.argwhere(lab.frozen).tolist() == [[0, 2], [1, 3]]
    lab.paint(0, 2, frozen=False)
    assert np.argwhere(lab.frozen).tolist() == [[1, 3]]
    lab.paint(slice(0, 2), slice(None))
    assert lab.frozen[:2].all() and not lab.frozen[2:].any()


def test_undo_and_redo_walk_through_what_was_painted(lab, half):
    lab.paint(0, 0)
    lab.frozen = half
    lab.paint(11, 10)
    masks = [lab.frozen]
    for _ in range(3):
        lab.undo()
        masks.append(lab.frozen)
    assert [mask.sum() for mask in masks] == [73, 72, 1, 0]
    for mask in masks[-2::-1]:
        lab.redo()
        np.testing.assert_array_equal(lab.frozen, mask)
    lab.redo()
    assert lab.frozen.sum() == 73


def test_the_painted_mask_is_in_force_in_the_very_next_step(playground, half):
    lab = playground(task=small(), technique="restore")
    lab.frozen = half
    np.testing.assert_array_equal(lab.session.loop.frozen, half)
    lab.train(1)
    np.testing.assert_array_equal(changed_bits(lab.initial, lab.weights), ~half)
    lab.undo()
    lab.train(1)
    assert changed_bits(lab.initial, lab.weights).all()
    lab.redo()
    before = lab.weights
    lab.train(1)
    np.testing.assert_array_equal(changed_bits(before, lab.weights), ~half)


def test_what_was_painted_before_the_start_holds_from_the_first_step(playground, half, busy, until):
    """Also if the thread was busy with something else, such as compiling."""
    lab = playground(task=small(), technique="restore")
    lab.train(1)  # compiles
    before = lab.weights
    with busy(lab):
        lab.painter.frozen = half
        threading.Thread(target=lab.step).start()
        until(lambda: any(task is not None for task in lab.session.trainer._tasks))
    until(lambda: lab.steps == 2)
    np.testing.assert_array_equal(changed_bits(before, lab.weights), ~half)


def test_the_mouse_takes_the_same_path(playground, half):
    lab, other = (playground(task=small(), technique="restore") for _ in range(2))
    cells = np.flatnonzero(half).astype(np.int32)
    message = dict(kind="paint", client="browser", seq=1, seen=0, stroke=1, frozen=True, mask=0)
    lab.painter._receive(None, message, [memoryview(cells.tobytes())])
    other.paint(*np.nonzero(half))
    np.testing.assert_array_equal(lab.frozen, half)
    lab.session.settle()
    lab.train(50)
    other.train(50)
    assert bits(lab) == bits(other)


# Pages


def test_pages_have_masks_and_histories_of_their_own(playground):
    lab = playground(page="3")
    lab.paint(0, 0)
    lab.use(page="5")
    assert not lab.frozen.any()
    lab.paint(7, 7)
    lab.undo()
    lab.undo()
    assert not lab.frozen.any()
    lab.use(page="3")
    assert np.argwhere(lab.frozen).tolist() == [[0, 0]]
    lab.undo()
    lab.use(page="5")
    lab.redo()
    assert np.argwhere(lab.frozen).tolist() == [[7, 7]]


def test_the_masks_of_all_pages_are_in_force(playground):
    lab = playground(technique="restore", optimizer="adamw")
    lab.train(5)
    for page in "38":
        lab.use(page=page)
        lab.paint(slice(2, 6), slice(2, 6))
    at = {}
    for page in lab.task.pages:
        lab.use(page=page)
        at[page] = lab.weights[2:6, 2:6]
    lab.train(50)
    for page in lab.task.pages:
        lab.use(page=page)
        changed = changed_bits(at[page], lab.weights[2:6, 2:6])
        assert not changed.any() if page in "38" else changed.all()
        assert not lab.leaks().any()


def test_weights_initial_and_leaks_are_those_of_the_page(playground):
    lab = playground(optimizer="adamw", technique="gradient_times_mask", page=4)
    lab.paint(3, 3)
    lab.train(5)
    kernel = lab.session.loop.values.reshape(8, 8, 10)
    np.testing.assert_array_equal(lab.weights, kernel[:, :, 4])
    assert np.argwhere(lab.leaks()).tolist() == [[3, 3]]
    lab.use(page=0)
    np.testing.assert_array_equal(lab.weights, kernel[:, :, 0])
    assert not lab.leaks().any()


def test_the_masks_of_all_pages_are_read_as_one_and_nothing_is_changed_by_it(playground):
    lab = playground(optimizer="adam", technique="exact", page="3")
    lab.paint(slice(None), slice(None))
    lab.use(page="8")
    lab.paint(0, [2, 5])
    frozen = np.zeros((64, 10), bool)
    frozen[:, 3] = True
    frozen[[2, 5], 8] = True
    mask = lab.frozen_on_all_pages
    np.testing.assert_array_equal(mask, frozen)
    mask[:] = False  # a copy
    np.testing.assert_array_equal(lab.frozen_on_all_pages, frozen)
    assert lab.painter.page == "8" and lab.steps == 0


# A model of one's own


def test_a_filter_of_ones_own_network_can_be_frozen(playground, own_task):
    lab = playground(task=own_task(np.s_[:, :, 0, 1]), technique="restore")
    lab.paint([0, 1, 2], [0, 1, 2])
    lab.train(50)
    np.testing.assert_array_equal(changed_bits(lab.initial, lab.weights), ~np.eye(3, dtype=bool))
    assert lab.frozen.sum() == 3 and not lab.leaks().any()
    whole = lab.session.loop.frozen
    assert whole.sum() == 3 and whole[:, :, 0, 1].sum() == 3
