"""What a playground refuses changes nothing, and what fails on its thread is shown and raised."""

import numpy as np
import pytest

from helpers.device import keras
from helpers.playground import playground as module
from helpers.playground import tasks
from helpers.playground.trainer import NotFinite
from tests.playground.small import bits, small

# What is refused changes nothing


REFUSED = {
    "a mask of another shape": (
        lambda lab: setattr(lab, "frozen", np.ones((8, 8), bool)),
        ValueError,
        ["(8, 8)", "(12, 12)", "np.zeros"],
    ),
    "a mask of floats": (
        lambda lab: setattr(lab, "frozen", np.ones((12, 12))),
        TypeError,
        ["float64", "bool", "True = frozen"],
    ),
    "a row outside": (lambda lab: lab.paint(12, 0), IndexError, ["Row 12", "0 to 11"]),
    "a column outside": (lambda lab: lab.paint([0, 1], [0, 12]), IndexError, ["Column 12"]),
    "a negative row": (lambda lab: lab.paint(-1, 0), IndexError, ["Row -1"]),
    "a mask as rows": (lambda lab: lab.paint(lab.frozen, 0), TypeError, ["lab.frozen = mask"]),
    "an unknown technique": (
        lambda lab: lab.use("freeze", "sgd"),
        ValueError,
        ["'freeze'", "'restore'", "'none'"],
    ),
    "an unknown optimizer": (
        lambda lab: lab.use("restore", "lion"),
        ValueError,
        ["'lion'", "'adamw'", "Playground(optimizer='lion')"],
    ),
    "an optimizer of other settings": (
        lambda lab: lab.use("restore", keras.optimizers.Adam(0.5)),
        ValueError,
        ["Adam arrived", "'adam'", "Playground("],
    ),
    "an unknown page": (lambda lab: lab.use("restore", "sgd", "9"), ValueError, ["'9'", "'all'"]),
    "fewer steps than none": (lambda lab: lab.train(-1), ValueError, ["-1"]),
    "steps that are no number": (lambda lab: lab.train("many"), (TypeError, ValueError), []),
}


@pytest.fixture(scope="module")
def tried():
    """A playground that has been trained and painted, and a twin to which nothing bad happens."""
    labs = [module.Playground(task=small(), device="cpu") for _ in range(2)]
    for lab in labs:
        lab.use("gradient_times_mask")
        lab.train(5)
        lab.paint(slice(0, 6), slice(0, 6))
        lab.train(5)
    yield labs
    for lab in labs:
        lab.close()


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_changes_nothing(tried, name):
    lab, twin = tried
    call, kind, wanted = REFUSED[name]
    with pytest.raises(kind) as refused:
        call(lab)
    assert [part for part in wanted if part not in str(refused.value)] == []
    np.testing.assert_array_equal(lab.frozen, twin.frozen)
    assert bits(lab) == bits(twin)
    for one in tried:
        one.train(3)
        one.undo()
        one.redo()
    assert bits(lab) == bits(twin) and lab.leaks().tobytes() == twin.leaks().tobytes()
    assert lab.painter.error == ""


@pytest.mark.parametrize("task", ["own too large", "own of four dimensions", "snowflake"])
def test_grids_that_cannot_be_painted_are_refused_with_a_way_out(own_task, task, trainers):
    model = keras.Sequential([keras.layers.Input((600,)), keras.layers.Dense(2)])
    kernel, x = model.layers[0].kernel, np.zeros((4, 600), np.float32)
    make = {
        "own too large": lambda: tasks.own(model, kernel, x, x[:, :2], "mse"),
        "own of four dimensions": lambda: own_task(np.s_[:]),
        "snowflake": lambda: tasks.snowflake(0, 600, 600),
    }[task]
    with pytest.raises(ValueError, match=r"cells=np\.s_\["):
        make()
    assert not trainers()


# Failures on the training thread


def test_a_loss_that_is_not_finite_is_raised_and_nothing_is_lost(playground, spoilt, half):
    lab, good = playground(task=spoilt(small(), 7)), playground(task=small())
    lab.frozen = good.frozen = half
    with pytest.raises(NotFinite, match="step 8"):
        lab.train(50)
    good.train(7)
    assert bits(lab) == bits(good) and lab.steps == 7
    np.testing.assert_array_equal(lab.frozen, half)
    assert "step 8" in lab.painter.error
    lab.reset()
    assert lab.painter.error == "" and lab.painter.status == "paused"
    lab.train(7)
    assert bits(lab) == bits(good)


def test_the_alert_goes_when_training_goes_on(playground, spoilt):
    lab = playground(task=spoilt(small(), 7))
    with pytest.raises(NotFinite):
        lab.train(50)
    assert "step 8" in lab.painter.error
    lab.train(0)
    assert lab.painter.error == "" and lab.painter.status == "paused"


@pytest.mark.parametrize("attempt", range(5))
def test_a_failure_in_the_last_step_is_raised_by_the_call_that_took_it(playground, spoilt, attempt):
    lab = playground(task=spoilt(small(), 0))
    with pytest.raises(NotFinite):
        lab.train(1)


LATER = {
    "train": lambda lab: lab.train(1),
    "step": lambda lab: lab.step(),
    "start": lambda lab: lab.start(),
    "stop": lambda lab: lab.stop(),
    "paint": lambda lab: lab.paint(0, 0),
}


@pytest.mark.parametrize("call", LATER)
def test_a_failure_while_it_runs_is_shown_and_raised_once_at_the_next_call(
    playground, spoilt, until, call
):
    lab = playground(task=spoilt(small(), 7))
    lab.start()
    until(lambda: lab.painter.status == "failed")
    assert "step 8" in lab.painter.error and lab.weights.shape == (12, 12)
    with pytest.raises(NotFinite):
        LATER[call](lab)
    lab.stop()
    lab.paint(0, 0)
    assert lab.frozen[0, 0]


def test_a_failure_survives_reading(playground, spoilt, until):
    lab = playground(task=spoilt(small(), 7))
    lab.start()
    until(lambda: lab.painter.status == "failed")
    assert lab.initial.shape == lab.weights.shape == lab.frozen.shape == lab.leaks().shape
    lab.picture()
    with pytest.raises(NotFinite):
        lab.stop()


def test_reset_after_a_failure_starts_clean(playground, spoilt, until):
    lab = playground(task=spoilt(small(), 7))
    lab.start()
    until(lambda: lab.painter.status == "failed")
    lab.reset()
    lab.train(7)
    assert lab.steps == 7 and lab.painter.error == ""
