"""Accuracy on held-out data: overall, of the page on the grid, and of each task."""

import numpy as np
import pytest

from helpers import datasets
from helpers.device import keras
from helpers.playground import tasks


def right(lab):
    """Which of the held-out digits the model reads, found by hand."""
    (inputs, labels) = datasets.digits_split()[1]
    return lab.task.model(inputs).numpy().argmax(-1) == labels, labels


def test_it_is_the_share_of_held_out_digits_that_are_read(playground):
    lab = playground("digits", page="8")
    assert lab.accuracy() < 0.5
    lab.train(300)
    read, labels = right(lab)
    assert lab.accuracy() == read.mean() > 0.85
    told = lab.session.snapshot()["header"]
    assert told["accuracy"] == {"all": read.mean(), "page": read[labels == 8].mean()}
    assert told["by_page"] == {str(digit): read[labels == digit].mean() for digit in range(10)}


def test_no_held_out_digit_is_trained_on(playground):
    lab = playground("digits")
    held_out = {image.tobytes() for image in datasets.digits_split()[1][0]}
    for step in range(50):
        inputs, _ = lab.task.batch(np.int64(step))
        assert not held_out & {image.tobytes() for image in inputs.numpy()}


def test_a_task_without_held_out_data_has_none(lab):
    lab.train(5)
    assert lab.accuracy() is None
    assert lab.session.snapshot()["header"]["accuracy"] == {}


def test_it_judges_what_the_model_computes_with(playground):
    lab = playground("digits", "adam", "shadow_copy")
    lab.train(100)
    lab.frozen = np.ones((8, 8), bool)
    lab.train(200)
    values = lab.session.values()
    (inputs, labels) = datasets.digits_split()[1]
    logits = inputs @ values + lab.task.model.layers[-1].bias.numpy()
    assert lab.accuracy() == pytest.approx((logits.argmax(-1) == labels).mean(), abs=0.005)
    assert (values != lab.task.variable.numpy()).any()


@pytest.fixture
def two_tasks():
    """A task that trains on the low digits, and holds out these and the high ones."""
    images, labels = datasets.digits()
    keras.utils.set_random_seed(0)
    model = keras.Sequential([keras.layers.Input((64,)), keras.layers.Dense(10)])
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    low, high = (labels < 5), (labels >= 5)
    held_out = {"low": (images[low], labels[low]), "high": (images[high], labels[high])}
    kernel, first = model.layers[0].kernel, (images[low], labels[low])
    return tasks.own(model, kernel, *first, loss, cells=np.s_[:, :], held_out=held_out)


def test_several_tasks_are_told_apart(playground, two_tasks):
    lab = playground(two_tasks)
    lab.train(400)
    told = lab.session.snapshot()["header"]["accuracy"]
    assert told["low"] > 0.9 and told["high"] < 0.1
    low, high = (len(labels) for _, labels in two_tasks.held_out.values())
    whole = (told["low"] * low + told["high"] * high) / (low + high)
    assert lab.accuracy() == told["all"] == pytest.approx(whole)


def curves(lab):
    """The steps and shares of the curves that a frame has, by their names."""
    shown = lab.session.snapshot()
    steps, *shares = shown["accuracies"]
    return steps.tolist(), dict(zip(shown["header"]["held_out"], shares, strict=True))


def test_each_held_out_task_has_a_curve_from_before_the_first_step_to_now(playground, two_tasks):
    lab = playground(two_tasks)
    assert curves(lab)[0] == []
    at_start = lab.task.model(two_tasks.held_out["low"][0]).numpy().argmax(-1)
    lab.train(400)
    steps, shares = curves(lab)
    assert (steps[0], steps[-1]) == (0, 400) and shares.keys() == {"low", "high"}
    assert shares["low"][0] == np.float32((at_start == two_tasks.held_out["low"][1]).mean())
    told = lab.session.snapshot()["header"]["accuracy"]
    assert {name: row[-1] for name, row in shares.items()} == {
        name: np.float32(told[name]) for name in ("low", "high")
    }


def test_curves_stand_while_it_rests_or_is_painted_and_end_with_a_reset(playground, two_tasks):
    lab = playground(two_tasks)
    lab.train(50)
    before, _ = curves(lab)
    lab.paint(0, slice(None))
    lab.undo()
    assert curves(lab)[0] == before
    lab.train(50)
    assert curves(lab)[0][: len(before)] == before and curves(lab)[0][-1] == 100
    lab.reset()
    assert curves(lab)[0] == []
    lab.train(1)
    assert curves(lab)[0] == [0, 1]


def test_a_task_that_holds_nothing_out_has_no_curve(lab):
    lab.train(5)
    assert curves(lab) == ([], {})


def test_it_is_taken_a_few_times_a_second_while_it_trains(playground, until):
    lab = playground("digits", "adam")
    shares = set()
    lab.session.after_steps.append(
        lambda _: shares.add(lab.session.snapshot()["header"]["accuracy"].get("all"))
    )
    lab.start()
    until(lambda: len(shares) > 3)
    lab.stop()
