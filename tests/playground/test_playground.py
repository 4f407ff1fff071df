"""The playground: what it promises a notebook, in the order in which a notebook meets it."""

import contextlib
import functools
import gc
import io
import os
import signal
import threading
import weakref

import matplotlib.image
import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter

from helpers.bits import changed_bits
from helpers.device import keras
from helpers.masks import as_frozen
from helpers.optimizers import LISTED
from helpers.playground import playground as module
from helpers.playground import session, tasks
from helpers.playground.trainer import NotFinite
from helpers.techniques import TECHNIQUES


def small(seed=0):
    """A quick task of 12×12 cells, all of which move in every step."""
    return tasks.snowflake(seed, 12, 12)


def bits(lab):
    """The weights on the grid, as bytes."""
    return lab.weights.tobytes()


@pytest.fixture
def lab(playground):
    """A playground over the small task, under plain Adam."""
    return playground(task=small())


@pytest.fixture
def half():
    """A mask over the small task, every other cell frozen."""
    return np.indices((12, 12)).sum(0) % 2 == 0


# Making one


@pytest.mark.parametrize(
    "task, shape", [("digits", (8, 8)), ("snowflake", (48, 48)), ("hidden", (64, 32))]
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
    real, shown = module.Controls, []

    def controls(lab):
        shown.append(lab.painter.compose())
        return real(lab)

    monkeypatch.setattr(module, "Controls", controls)
    begin = session.Session._begin
    monkeypatch.setattr(
        session.Session, "_begin", lambda run: [begin(run), shown.append(run.painter.compose())]
    )
    playground(task=small())
    assert len(shown) == 2


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
    leaking = technique not in ("restore", "exact", "shadow_copy", "scatter_update")
    assert lab.leaks()[half].all() == leaking and lab.leaks().any() == leaking


@pytest.mark.parametrize(
    "arguments, named",
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


@pytest.fixture
def busy():
    """A context in which a playground's thread is busy, and what it is asked for has to queue."""

    @contextlib.contextmanager
    def keep(lab):
        begun, done = threading.Event(), threading.Event()

        def wait():
            begun.set()
            done.wait()

        threading.Thread(target=lab.session.trainer.do, args=(wait,)).start()
        begun.wait()
        try:
            yield done
        finally:
            done.set()

    return keep


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
    message = dict(kind="paint", client="browser", seq=1, stroke=1, frozen=True, sheet=0)
    lab.painter._receive(None, message, [memoryview(cells.tobytes())])
    other.paint(*np.nonzero(half))
    np.testing.assert_array_equal(lab.frozen, half)
    lab.session.settle()
    lab.train(50)
    other.train(50)
    assert bits(lab) == bits(other)


# Training


@pytest.mark.parametrize("task", list(tasks.TASKS))
def test_the_same_seed_and_calls_give_the_same_bits(playground, task):
    def play(seed):
        lab = playground(task=task, technique="gradient_times_mask", seed=seed)
        lab.train(10)
        lab.paint(slice(0, 4), slice(0, 3))
        lab.train(15)
        lab.use(optimizer="momentum")
        lab.train(5)
        return bits(lab), lab.leaks().tobytes()

    assert play(1) == play(1) != play(2)


def test_training_in_parts_is_training(playground):
    one, other = playground(task=small()), playground(task=small())
    one.train(100)
    for steps in (40, 0, 1, 59):
        other.train(steps)
    assert one.steps == other.steps == 100 and bits(one) == bits(other)


def test_train_returns_when_its_steps_are_taken_and_noted(lab):
    for _ in range(30):
        lab.reset()
        lab.train(3)
        assert lab.steps == 3
    assert lab.session._curve.points.shape == (2, 3)


@pytest.mark.skipif(os.name == "nt", reason="a waiting thread cannot be interrupted there")
def test_an_interrupt_ends_the_training_that_blocks(lab, interruptible):
    main = threading.main_thread().ident
    threading.Timer(0.3, signal.pthread_kill, (main, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        lab.train(10**9)
    at = lab.steps
    lab.train(1)
    assert lab.steps == at + 1


@pytest.mark.skipif(os.name == "nt", reason="a waiting thread cannot be interrupted there")
def test_an_interrupt_before_the_first_step_leaves_nothing_to_train(lab, busy, interruptible):
    main = threading.main_thread().ident
    with busy(lab) as done, pytest.raises(KeyboardInterrupt):
        threading.Timer(0.3, signal.pthread_kill, (main, signal.SIGINT)).start()
        threading.Timer(0.6, done.set).start()
        lab.train(10**9)
    assert not lab.session.trainer.do(lambda: lab.session.trainer.running)


def test_start_returns_at_once_and_stop_ends_it(lab, until):
    lab.start()
    until(lambda: lab.steps > 20)
    assert lab.painter.status == "training"
    lab.stop()
    at = bits(lab)
    until(lambda: lab.painter.status == "paused")
    assert bits(lab) == at and lab.session.trainer.do(lambda: lab.session.loop.step) == lab.steps


def test_steps_taken_live_are_the_same_steps(playground, until):
    live, blocked = playground(task=small()), playground(task=small())
    live.start()
    until(lambda: live.steps > 20)
    live.stop()
    blocked.train(live.session.trainer.do(lambda: live.session.loop.step))
    assert bits(live) == bits(blocked)


def test_reset_takes_everything_but_the_mask_back(lab, half):
    lab.frozen = half
    lab.train(30)
    once = bits(lab)
    assert lab.leaks().any()
    lab.reset()
    assert bits(lab) == lab.initial.tobytes() and lab.steps == 0 and not lab.leaks().any()
    np.testing.assert_array_equal(lab.frozen, half)
    lab.train(30)
    assert bits(lab) == once


def test_reset_while_it_trains_stops_and_takes_back(lab, until):
    lab.start()
    until(lambda: lab.steps > 20)
    lab.reset()
    assert bits(lab) == lab.initial.tobytes() and lab.steps == 0
    until(lambda: lab.painter.status == "paused")


def test_everything_can_be_changed_while_it_trains(playground, half, until):
    lab = playground(task="digits")
    lab.start()
    for technique in TECHNIQUES:
        for optimizer in LISTED:
            at = lab.steps
            lab.use(technique, optimizer)
            lab.paint(at % 8, slice(None))
            until(lambda at=at: lab.steps > at)
    for page in lab.task.pages:
        lab.use(page=page)
        lab.frozen = half[:8, :8]
        lab.undo()
        lab.redo()
        at = lab.steps
        until(lambda at=at: lab.steps > at)
    assert lab.painter.status == "training"
    lab.stop()
    assert lab.session.loop.traces == 1


def test_it_is_compiled_before_train_is_pressed_once_somebody_looks_on(
    playground, until, monkeypatch
):
    monkeypatch.setattr(session, "COMPILE_AFTER", 0.3)
    lab, unseen = playground(task=small()), playground(task=small())
    lab.painter._receive(None, {"kind": "hello", "client": "a browser"}, [])
    assert lab.session.loop.traces == 0  # not at once: the page is being laid out
    until(lambda: lab.session.loop.traces == 1)
    assert lab.steps == 0 and bits(lab) == lab.initial.tobytes() and unseen.session.loop.traces == 0
    lab.train(3)
    assert lab.session.loop.traces == 1 and lab.steps == 3


def test_a_mask_changed_from_python_while_it_trains_is_never_skipped(playground, half, until):
    lab = playground(task=small(), technique="restore")
    lab.start()
    for _ in range(20):
        lab.frozen = half
        before = lab.weights
        at = lab.steps
        until(lambda at=at: lab.steps > at + 3)
        assert not changed_bits(before, lab.weights)[half].any() and not lab.leaks().any()
        lab.frozen = ~half
    lab.stop()


def test_one_optimizer_serves_two_playgrounds(playground):
    mine = keras.optimizers.Adam(0.01)
    for lab in (playground(task=small(), optimizer=mine), playground(optimizer=mine)):
        lab.use("exact")
        lab.paint(0, slice(None))
        lab.train(5)
        assert not lab.leaks().any() and (lab.weights != lab.initial)[1:].any()


# Leaks


def test_the_popular_recipe_leaks_at_once_and_restore_never(lab, half):
    lab.train(20)
    lab.frozen = half
    lab.use(technique="gradient_times_mask")
    lab.train(1)
    np.testing.assert_array_equal(lab.leaks(), half)
    lab.reset()
    lab.use(technique="restore")
    lab.train(300)
    assert not lab.leaks().any() and changed_bits(lab.initial, lab.weights)[~half].all()


def test_thawing_and_freezing_again_forgets_the_leak(lab, half):
    lab.train(5)
    lab.frozen = half
    lab.train(5)
    assert lab.leaks().any()
    lab.frozen = np.zeros((12, 12), bool)
    assert not lab.leaks().any()
    lab.frozen = half
    assert not lab.leaks().any()


def test_a_new_optimizer_starts_with_empty_state(lab, half):
    """Warm Adam leaks through its momentum; Adam that has just been chosen has none."""
    lab.train(20)
    lab.use("gradient_times_mask", "sgd")
    lab.use(optimizer="adam")
    lab.frozen = half
    lab.train(20)
    assert not lab.leaks().any()


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


# A model of one's own


def test_a_filter_of_ones_own_network_can_be_frozen(playground, own_task):
    lab = playground(task=own_task(np.s_[:, :, 0, 1]), technique="restore")
    lab.paint([0, 1, 2], [0, 1, 2])
    lab.train(50)
    np.testing.assert_array_equal(changed_bits(lab.initial, lab.weights), ~np.eye(3, dtype=bool))
    assert lab.frozen.sum() == 3 and not lab.leaks().any()
    whole = lab.session.loop.frozen
    assert whole.sum() == 3 and whole[:, :, 0, 1].sum() == 3


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


# Closing


@pytest.mark.parametrize("running", [False, True])
def test_closing_leaves_no_thread_and_later_calls_say_so(playground, trainers, running):
    lab = playground(task=small())
    if running:
        lab.start()
    assert len(trainers()) == 1
    lab.close()
    assert not trainers() and lab.painter.status == "closed"
    for call in (lambda: lab.train(1), lambda: lab.start(), lambda: lab.weights, lab.reset):
        with pytest.raises(RuntimeError, match="closed"):
            call()
    lab.close()
    assert lab.painter.status == "closed"


def test_closing_lets_go_of_every_widget(lab):
    shown = [lab.painter, lab.controls.box, lab.controls.train, lab.controls.speed]
    assert all(widget.comm for widget in shown)
    lab.close()
    assert not any(widget.comm for widget in shown)


def test_closing_lets_go_of_the_playground_and_its_model():
    lab = module.Playground(small(), device="cpu")
    lab.train(1)
    gone = weakref.ref(lab)
    lab.close()
    del lab
    gc.collect()
    assert gone() is None


class Shell:
    """Stands in for a notebook's kernel: it says which cell is being run, and in which run."""

    def __init__(self, cell, run):
        self.parent = {
            "metadata": {"cellId": cell},
            "content": {"code": "…"},
            "header": {"msg_id": run},
        }

    def get_parent(self):
        """The message that asked for the run."""
        return self.parent


def test_running_a_cell_again_closes_what_it_made_before(playground, trainers, monkeypatch):
    monkeypatch.setattr(module, "_LIVE", {})
    made = {}
    for cell, run in (("a", 1), ("a", 1), ("b", 2), ("a", 3)):
        monkeypatch.setattr(module, "get_ipython", functools.partial(Shell, cell, run))
        made.setdefault((cell, run), []).append(playground(task=small()))
    assert [lab.painter.status for lab in made["a", 1]] == ["closed", "closed"]
    for lab in (*made["b", 2], *made["a", 3]):
        lab.train(1)
    assert len(trainers()) == 2


# Showing


def test_the_cell_shows_the_widget_and_stands_in_with_a_picture(lab, half):
    lab.frozen = half
    data, _ = DisplayFormatter().format(lab)
    view = data["application/vnd.jupyter.widget-view+json"]
    assert view["model_id"] == lab.controls.box.model_id
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


def test_a_picture_of_before_after_and_moved_can_be_kept(lab, half):
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
    reading = lab.session.trainer.do(lab.painter.snapshot)
    np.testing.assert_array_equal(reading["values"], lab.weights)
    np.testing.assert_array_equal(reading["initial"], lab.initial)
    np.testing.assert_array_equal(reading["frozen"], lab.frozen)
    np.testing.assert_array_equal(reading["leaked"], lab.leaks())
    assert reading["moved_bits"].all() and reading["header"]["step"] == 7
    assert reading["curve"][0].tolist() == [1, 2, 3, 4, 5, 6, 7]


# Small parts


def test_nobody_sees_a_step_half_taken(playground, half, until):
    """A frozen cell moves and is put back within a step, and a page may be reloaded meanwhile."""
    lab = playground(task=small(), technique="restore")
    lab.frozen = half
    lab.start()
    until(lambda: lab.steps > 10)
    for _ in range(500):
        assert not lab.painter.snapshot()["leaked"].any()
    lab.stop()


def test_a_mask_read_from_the_playground_is_a_mask(lab):
    assert as_frozen(lab.frozen, lab.weights.shape).dtype == bool


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_an_embedding_table_can_be_painted(playground, technique):
    """Its gradient is a list of rows, in which a row may occur twice."""
    layers = [keras.layers.Embedding(6, 4), keras.layers.Flatten(), keras.layers.Dense(2)]
    model = keras.Sequential([keras.layers.Input((3,)), *layers])
    words = np.array([[0, 1, 1], [4, 4, 5], [2, 0, 5], [3, 3, 3]] * 8)
    task = tasks.own(model, model.layers[0].embeddings, words, np.ones((32, 2)), "mse")
    lab = playground(task=task, optimizer="adamw", technique=technique)
    lab.paint(slice(0, 3), slice(None))
    lab.train(20)
    assert (lab.weights != lab.initial)[3:].any(1).all()
    holds = technique in ("exact", "restore", "scatter_update", "shadow_copy")
    assert lab.leaks().any() != holds  # AdamW moves what only has no gradient
