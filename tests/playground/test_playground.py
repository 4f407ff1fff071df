"""The playground: how it is made, and how it is shown in a cell."""

import io

import matplotlib.image
import numpy as np
import PIL.Image
import pytest
from IPython.core.formatters import DisplayFormatter

from helpers.bits import changed_bits
from helpers.device import keras
from helpers.optimizers import LISTED
from helpers.playground import playground as module
from helpers.playground import session, tasks
from helpers.techniques import TECHNIQUES
from tests.playground.small import bits, small

# Making one


@pytest.mark.parametrize(
    ("task", "shape"), [("digits", (8, 8)), ("snowflake", (48, 48)), ("hidden", (64, 32))]
)
def test_each_task_has_its_grid_and_learns(playground, task, shape):
    lab = playground(task=task, optimizer="sgd", technique="restore", seed=3)
    assert lab.weights.shape == lab.frozen.shape == lab.initial.shape == shape
    assert lab.weights.dtype == np.float32 and lab.frozen.dtype == bool
    lab.train(20)
    assert lab.steps == 20 and bits(lab) != lab.initial.tobytes()


def test_the_largest_grid_trains_under_every_optimizer(playground):
    lab = playground(task=tasks.snowflake(0, 512, 512), technique="exact")
    lab.paint(slice(0, 256), slice(None))
    for optimizer in LISTED:
        lab.use(optimizer=optimizer)
        before = lab.weights
        lab.train(2)
        np.testing.assert_array_equal(changed_bits(before, lab.weights).any(1), ~lab.frozen[:, 0])


def test_a_browser_may_ask_for_frames_while_the_playground_is_still_being_made(
    playground, monkeypatch
):
    """JupyterLab makes its side of the widget, and greets it, before the cell is over."""
    shown = []

    class Asked(session.Panel):
        def turn_to(self, *masks):
            shown.append(self.compose())
            super().turn_to(*masks)

    class Opened(session.Session):
        def __init__(self, *given, **chosen):
            super().__init__(*given, front_end=Asked, **chosen)

        def open(self):
            shown.append(self.painter.compose())
            super().open()

    monkeypatch.setattr(module, "Session", Opened)
    lab = playground(task=small())
    shown.append(lab.painter.compose())
    assert len(shown) == 3


def test_the_weights_begin_as_the_initial_ones_and_nothing_is_frozen(lab):
    assert bits(lab) == lab.initial.tobytes()
    assert not lab.frozen.any() and not lab.leaks().any() and lab.steps == 0


@pytest.mark.parametrize("what", ["weights", "frozen", "initial"])
def test_what_is_read_is_a_copy(lab, what):
    before = getattr(lab, what).tobytes()
    array = getattr(lab, what)
    array[:] = True
    assert getattr(lab, what).tobytes() == before


@pytest.mark.parametrize("optimizer", ["sgd", "momentum", "adam", "adamw", "rmsprop", "Adam"])
def test_an_optimizer_may_be_any_keras_name(playground, optimizer):
    lab = playground(task=small(), optimizer=optimizer)
    lab.train(5)
    assert bits(lab) != lab.initial.tobytes()
    lab.use(optimizer=optimizer)


def test_an_optimizer_may_be_an_object_which_is_then_the_one_that_trains(playground):
    still = playground(task=small(), optimizer=keras.optimizers.SGD(0.0))
    still.train(5)
    assert bits(still) == still.initial.tobytes()
    lab = playground(task=small(), optimizer=keras.optimizers.Lion(0.5, name="mine"))
    lab.train(1)
    np.testing.assert_allclose(np.abs(lab.weights - lab.initial), 0.5, rtol=1e-5)
    lab.use(optimizer="sgd")
    lab.use(optimizer="mine")


@pytest.mark.parametrize("technique", list(TECHNIQUES))
def test_every_technique_can_be_asked_for_and_is_the_one_in_force(playground, half, technique):
    lab = playground(task=small(), optimizer="adam", technique=technique)
    lab.train(10)
    lab.frozen = half
    lab.train(10)
    leaking = technique in ("none", "gradient_times_mask", "where_gradient", "stop_gradient")
    assert lab.leaks()[half].all() == leaking and lab.leaks().any() == leaking


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"task": "digit"}, "'digits', 'snowflake', 'hidden'"),
        ({"optimizer": "adamm"}, "'sgd', 'momentum', 'adam', 'adamw'"),
        ({"technique": "freeze"}, "'none', 'gradient_times_mask'"),
        ({"page": "10"}, "'0', '1', '2'"),
        ({"device": "gpuu"}, "CPU:0"),
    ],
)
def test_a_bad_choice_names_the_known_ones_and_leaves_no_thread(
    playground, trainers, arguments, named
):
    with pytest.raises(ValueError) as refused:
        playground(**arguments)
    assert named in str(refused.value) and repr(*arguments.values()) in str(refused.value)
    assert not trainers()


# Showing


def test_the_cell_shows_the_widget_and_stands_in_with_a_picture(lab, half):
    lab.frozen = half
    data, _ = DisplayFormatter().format(lab)
    view = data["application/vnd.jupyter.widget-view+json"]
    assert view["model_id"] == lab.painter.model_id
    assert data["image/png"].startswith(b"\x89PNG")
    assert data["text/plain"] == repr(lab)


def test_the_picture_shows_the_mask(lab, half):
    plain, _ = DisplayFormatter().format(lab)
    lab.frozen = half
    hatched, _ = DisplayFormatter().format(lab)
    plain, hatched = (
        matplotlib.image.imread(io.BytesIO(data["image/png"]))[..., :3] for data in (plain, hatched)
    )
    assert (hatched < 0.3).all(-1).sum() > (plain < 0.3).all(-1).sum() + 500


def test_the_same_playground_shows_the_same_bytes(playground):
    def shown():
        data, _ = DisplayFormatter().format(playground(seed=4))
        return data["image/png"], data["text/plain"]

    assert shown() == shown()


def test_its_text_is_the_call_that_made_it(playground):
    lab = playground(task="hidden", optimizer="sgd", technique="restore")
    assert repr(lab) == "Playground(task='hidden', optimizer='sgd', technique='restore')"


def test_its_text_is_short_and_stable_for_objects_too(playground, own_task):
    lab = playground(task=own_task(), optimizer=keras.optimizers.Adam(0.01))
    assert " at 0x" not in repr(lab) and "array" not in repr(lab) and len(repr(lab)) < 200


def test_what_a_cell_held_when_it_was_frozen_is_kept_and_free_cells_count_from_the_start(lab):
    lab.train(3)
    at_freeze = lab.weights
    lab.paint(0, slice(None))
    lab.train(3)
    held = lab.session.when_frozen()
    np.testing.assert_array_equal(held[0], at_freeze[0])
    np.testing.assert_array_equal(held[1:], lab.initial[1:])
    assert (held[0] != lab.initial[0]).any()


@pytest.mark.parametrize(
    ("steps", "frames", "wanted"), [(6, 4, 4), (6, 1, 1), (2, 12, 12), (0, 3, 3)]
)
def test_an_animation_of_a_run_takes_its_steps_and_has_its_frames(lab, steps, frames, wanted):
    before = lab.steps
    data = lab.animation(steps, frames).data
    assert lab.steps == before + steps
    with PIL.Image.open(io.BytesIO(data)) as image:
        assert image.n_frames == wanted + 1, "and the last one, for who shows no animation"


def test_a_picture_of_when_frozen_now_and_moved_can_be_kept(lab, half):
    lab.frozen = half
    lab.train(3)
    first = lab.picture().data
    assert first.startswith(b"\x89PNG") and lab.picture().data == first
    lab.train(3)
    assert lab.picture().data != first


def test_the_widget_shows_the_truth_about_a_painted_and_trained_grid(lab, half):
    lab.use("gradient_times_mask")
    lab.train(5)
    lab.frozen = half
    lab.train(2)
    reading = lab.session.trainer.do(lab.painter.driver.snapshot)
    np.testing.assert_array_equal(reading["values"], lab.weights)
    np.testing.assert_array_equal(reading["initial"], lab.initial)
    np.testing.assert_array_equal(reading["frozen"], lab.frozen)
    np.testing.assert_array_equal(reading["leaked"], lab.leaks())
    assert reading["moved_bits"].all() and reading["header"]["step"] == 7
    assert reading["curve"][0].tolist() == [1, 2, 3, 4, 5, 6, 7]


def test_a_cell_is_compared_with_what_it_held_when_it_was_frozen(playground):
    lab = playground("digits", "adam", "gradient_times_mask")
    lab.train(20)
    lab.paint(3, 3)
    at_the_freeze = lab.weights[3, 3]
    lab.train(5)
    told, free = (lab.painter._answer({"kind": "value", "cell": cell}) for cell in (27, 28))
    assert told["was"] == f"{at_the_freeze:.9g}" != told["value"] == f"{lab.weights[3, 3]:.9g}"
    assert free["was"] == f"{lab.initial[3, 4]:.9g}"
    header = lab.session.snapshot()["header"]
    assert header["leaked_at"] == 25 == header["step"]
    lab.use("exact")
    lab.train(30)
    assert lab.session.snapshot()["header"]["leaked_at"] == 25
