"""The microscope: pinned cells go through what a plain loop goes through, bit for bit."""

import functools

import numpy as np
import pytest

from helpers.device import keras, tf
from helpers.optimizers import LISTED, freezable_optimizer
from helpers.playground import recording
from helpers.techniques import TECHNIQUES
from tests.playground.small import bits, small

FREE, FROZEN = (2, 3), (5, 8)
WARM, STEPS = 6, 8


def written_out(task, technique, optimizer):
    """What the cells FREE and FROZEN go through in a plain loop, FROZEN frozen after WARM steps."""
    if TECHNIQUES[technique].values:
        return free_values_written_out(task, technique, optimizer)
    recipe, kernel = TECHNIQUES[technique], task.variable
    optimizer = freezable_optimizer(optimizer, task.rates[optimizer])
    optimizer.build([kernel])
    mask = np.zeros(kernel.shape, bool)
    told = {cell: [] for cell in (FREE, FROZEN)}

    @tf.function
    def step(number, frozen, copy):
        inputs, targets = task.batch(number)
        before = tf.identity(kernel.value)
        with tf.GradientTape() as tape:
            seen = kernel.value
            if recipe.weights:
                seen = recipe.weights(seen, frozen)
            if recipe.shadow:
                seen = recipe.shadow(copy, seen, frozen)
            loss = task.loss(targets, inputs @ seen)
        gradient = tape.gradient(loss, kernel.value)
        if recipe.gradient:
            gradient = recipe.gradient(gradient, frozen)
        optimizer.apply([gradient], [kernel])
        if recipe.after:
            kernel.assign(recipe.after(before, kernel.value, frozen))
        return gradient

    copy = tf.identity(kernel.value)
    for number in range(WARM + STEPS):
        if number == WARM:
            mask[FROZEN], copy = True, tf.identity(kernel.value)
            if recipe.exact:
                optimizer.freeze_cells(kernel, mask)
        gradient = step(tf.constant(number, tf.int64), tf.constant(mask), copy)
        for cell in told:
            now = {"step": number + 1, "weight": kernel.numpy()[cell]}
            now |= {"gradient": gradient.numpy()[cell], "frozen": mask[cell]}
            slots = optimizer.slots_of(kernel)
            told[cell].append(now | {name: slot.numpy()[cell] for name, slot in slots.items()})
    return {
        cell: {k: np.array([n[k] for n in rows]) for k in rows[0]} for cell, rows in told.items()
    }


def free_values_written_out(task, technique, optimizer):
    """The same where the free values alone train: with another mask another vector of just so many
    numbers, and another optimizer of Keras, which gets the old slots."""
    made = freezable_optimizer(optimizer, task.rates[optimizer])
    frozen, held, slots = np.zeros(task.variable.shape, bool), task.variable.numpy(), {}
    told = {cell: [] for cell in (FREE, FROZEN)}
    for number in range(WARM + STEPS):
        if number in (0, WARM):
            frozen[FROZEN] = number == WARM
            plain = made.keras_class.from_config(made.get_config())
            step, whole = of_a_vector(task, technique, plain, held, frozen.copy(), slots)
            plain.iterations.assign(number)
        gradient = step(tf.constant(number, tf.int64))
        held, slots = whole()
        for cell, rows in told.items():
            now = {"step": number + 1, "weight": held[cell], "gradient": gradient[cell]}
            now["frozen"] = frozen[cell]
            rows.append(now | {name: slot[cell] for name, slot in slots.items()})
    return {
        cell: {k: np.array([n[k] for n in rows]) for k in rows[0]} for cell, rows in told.items()
    }


def of_a_vector(task, technique, optimizer, held, frozen, slots):
    """A step for one mask, and a function that returns weights and slots of the whole shape."""
    vector, places = keras.Variable(held[~frozen], name="vector"), tf.where(~frozen)
    optimizer.build([vector])
    mine = {v.name.split("_")[-1]: v for v in optimizer.variables if "vector" in v.name}
    for name, slot in mine.items():
        slot.assign(slots[name][~frozen] if name in slots else slot)

    @tf.function
    def step(number):
        inputs, targets = task.batch(number)
        with tf.GradientTape() as tape:
            seen = TECHNIQUES[technique].values(held, places, vector.value)
            loss = task.loss(targets, inputs @ seen)
        gradient = tape.gradient(loss, vector.value)
        optimizer.apply([gradient], [vector])
        return gradient

    def spread(numbers):
        whole = np.full(held.shape, np.nan, np.float32)
        whole[~frozen] = numbers
        return whole

    def whole():
        weights = np.where(frozen, held, spread(vector.numpy()))
        return weights, {name: spread(slot.numpy()) for name, slot in mine.items()}

    return lambda number: spread(step(number).numpy()), whole


@pytest.mark.parametrize("optimizer", LISTED)
@pytest.mark.parametrize("technique", TECHNIQUES)
def test_traces_are_those_of_a_loop_written_out_by_hand(playground, technique, optimizer):
    lab = playground(small(), optimizer, technique)
    lab.pin(*FREE)
    lab.pin(*FROZEN)
    lab.train(WARM)
    lab.paint(*FROZEN)
    lab.train(STEPS - 3)
    lab.train(3)
    with tf.device("/CPU:0"):
        wanted = written_out(small(), technique, optimizer)
    for cell in (FREE, FROZEN):
        traces = lab.traces(*cell)
        shown = traces.pop("seen", None)
        assert traces.keys() == wanted[cell].keys()
        for name, values in wanted[cell].items():
            assert traces[name].tobytes() == values.tobytes(), (cell, name)
        drifts = technique == "shadow_copy" and cell == FROZEN and optimizer != "sgd"
        assert (shown is not None) == drifts
        if drifts:
            assert len(set(shown[WARM:])) == 1 and len(set(traces["weight"][WARM:])) == STEPS


def test_a_frozen_cell_coasts_under_adam(playground):
    lab = playground("digits", "adam", "where_gradient")
    lab.pin(3, 4)
    lab.train(30)
    lab.paint(3, 4)
    lab.train(10)
    traces = lab.traces(3, 4)
    np.testing.assert_array_equal(traces["frozen"], np.arange(1, 41) > 30)
    assert traces["gradient"][:30].all() and not traces["gradient"][30:].any()
    shrinks = traces["momentum"][30:] / traces["momentum"][29:-1]
    np.testing.assert_allclose(shrinks, 0.9, rtol=1e-6)
    assert np.diff(traces["weight"][29:]).all()


def test_a_frozen_cell_has_no_gradient_and_no_slots_where_free_values_train(playground):
    lab = playground("digits", "adam", "free_values")
    lab.pin(3, 4)
    lab.train(5)
    lab.paint(3, 4)
    lab.train(5)
    traces = lab.traces(3, 4)
    for name in ("gradient", "momentum", "velocity"):
        assert (np.isnan(traces[name]) == traces["frozen"]).all()
    assert lab.microscope().data.startswith(b"\x89PNG")


def test_recording_changes_no_bit(playground):
    watched, plain = playground(small(), "adam"), playground(small(), "adam")
    watched.train(5)
    for column in range(4):
        watched.pin(0, column)
    watched.train(20)
    watched.unpin(0, 0)
    watched.train(5)
    plain.train(30)
    assert bits(watched) == bits(plain)


def test_what_is_recorded_begins_with_the_pin_and_ends_with_it(lab):
    lab.train(7)
    lab.pin(1, 1)
    lab.train(3)
    lab.pin(1, 2)
    lab.pin(1, 1)
    lab.train(2)
    assert lab.traces(1, 1)["step"].tolist() == [8, 9, 10, 11, 12]
    assert lab.traces(1, 2)["step"].tolist() == [11, 12]
    lab.unpin(1, 1)
    lab.unpin(1, 1)
    with pytest.raises(ValueError, match=r"not pinned.*lab.pin\(1, 1\)"):
        lab.traces(1, 1)
    lab.train(1)
    assert lab.traces(1, 2)["step"].tolist() == [11, 12, 13]
    assert lab.traces(1, 2)["weight"][-1] == lab.weights[1, 2]


def test_a_reset_begins_a_new_record_of_the_same_cells(lab):
    lab.pin(1, 1)
    lab.train(5)
    once = lab.traces(1, 1)
    lab.reset()
    assert lab.traces(1, 1)["step"].size == 0
    lab.train(5)
    assert all((lab.traces(1, 1)[name] == once[name]).all() for name in once)


def test_four_cells_can_be_pinned_and_a_fifth_is_refused(lab):
    for column in range(4):
        lab.pin(0, column)
    with pytest.raises(ValueError, match="4 cells are pinned already.*row 0, column 3"):
        lab.pin(0, 4)
    lab.unpin(0, 1)
    lab.pin(0, 4)
    lab.train(1)
    assert lab.traces(0, 4)["weight"] == lab.weights[0, 4]
    assert lab.traces(0, 2)["weight"] == lab.weights[0, 2]


@pytest.mark.parametrize("cell", [(12, 0), (0, -1), (0.5, 1), (slice(0, 2), 1)])
def test_what_is_no_cell_of_the_grid_cannot_be_pinned(lab, cell):
    with pytest.raises((IndexError, TypeError)):
        lab.pin(*cell)
    assert lab.session.run.microscope.cells == []


def test_a_pin_belongs_to_its_page(playground):
    lab = playground("digits", page="3")
    lab.pin(2, 5)
    lab.use(page="4")
    with pytest.raises(ValueError, match="not pinned"):
        lab.traces(2, 5)
    lab.train(5)
    lab.use(page="3")
    assert lab.traces(2, 5)["weight"][-1] == lab.weights[2, 5]


@pytest.mark.parametrize(
    ("task", "name"),
    [
        ("digits", "class 3, pixel row 2, column 5"),
        ("snowflake", "row 2, column 5"),
        ("hidden", "feature 2, unit 5"),
    ],
)
def test_a_pinned_cell_is_called_by_its_class_only_where_there_are_several(playground, task, name):
    lab = playground(task, page="3" if task == "digits" else None)
    lab.pin(2, 5)
    (cell,) = lab.session.snapshot()["header"]["microscope"]["cells"]
    assert cell["name"] == name


def test_slots_of_optimizers_that_take_turns_stand_side_by_side(lab):
    lab.pin(0, 0)
    lab.use(optimizer="sgd")
    lab.train(2)
    assert lab.traces(0, 0).keys() == {"step", "weight", "gradient", "frozen"}
    lab.use(optimizer="adam", technique="restore")
    lab.train(2)
    traces = lab.traces(0, 0)
    assert np.isnan(traces["velocity"]).tolist() == [True, True, False, False]
    trace = lab.session.trace(0, 0)
    assert trace.marks == [(3, "restore after the step, adam")]


def test_only_the_last_steps_are_kept(monkeypatch):
    monkeypatch.setattr(recording, "LONGEST", 10)
    trace = recording.Trace(recording.FIRST, np.float32)
    whole = np.arange(400, dtype=np.float32).reshape(100, 4)
    first = 0
    for count in (3, 9, 25, 1, 7, 31, 24):
        trace.add(first + 1, whole[first : first + count], "")
        first += count
        kept = slice(max(0, first - 10), first)
        np.testing.assert_array_equal(trace.rows, whole[kept])
        np.testing.assert_array_equal(trace.steps, np.arange(1, 101)[kept])


def test_a_browser_gets_few_points_and_the_last_one(lab):
    lab.pin(0, 0)
    lab.train(1000)
    header, data = lab.session.do(functools.partial(lab.session.run.microscope.curves, str))
    (cell,) = header["cells"]
    curves = np.frombuffer(data, np.float32).reshape(1 + len(header["quantities"]), cell["points"])
    assert cell["points"] <= 256 and curves[0, 0] == 1 and curves[0, -1] == 1000
    weights = dict(zip(curves[0], curves[1]))
    traces = lab.traces(0, 0)
    assert all(traces["weight"][int(step) - 1] == value for step, value in weights.items())


def test_cells_are_pinned_and_unpinned_while_it_trains(lab, until):
    lab.start()
    for column in range(8):
        lab.pin(0, column)
        until(functools.partial(lambda c: lab.traces(0, c)["step"].size > 2, column))
        lab.unpin(0, column)
    lab.stop()
