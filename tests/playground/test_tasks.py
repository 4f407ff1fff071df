"""Tasks: repeatable batches and weights, pages that cover what they paint, and a model of yours."""

import numpy as np
import pytest

from helpers.device import keras, tf
from helpers.optimizers import LISTED, freezable_optimizer
from helpers.playground import tasks
from helpers.playground.loop import Loop

NAMES = sorted(tasks.TASKS)


def at(step):
    """A step as the training graph counts it."""
    return tf.constant(step, tf.int64)


def arrays(task, step):
    """A task's batch as bytes of its inputs and its targets."""
    return [part.numpy().tobytes() for part in task.batch(at(step))]


def weights(task):
    """All weights of a task's model, as bytes."""
    return [v.numpy().tobytes() for v in task.model.variables]


def trained(task, steps, optimizer="adam"):
    """The losses of `steps` steps."""
    made = freezable_optimizer(optimizer, task.rates.get(optimizer))
    return Loop(task, {optimizer: made}, "cpu").run(steps)


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_is_a_function_of_seed_and_step_alone(name):
    one, again, other = tasks.make(name, 1), tasks.make(name, 1), tasks.make(name, 2)
    late_first = arrays(one, 7)
    assert arrays(one, 0) == arrays(again, 0) != arrays(other, 0)
    assert late_first == arrays(again, 7) == arrays(one, 7) != arrays(one, 0)


@pytest.mark.parametrize("name", NAMES)
def test_steps_do_not_repeat_one_batch(name):
    task = tasks.make(name, 0)
    assert len({arrays(task, step)[0] for step in range(50)}) == 50


@pytest.mark.parametrize("name", NAMES)
def test_the_seed_draws_the_weights(name):
    assert weights(tasks.make(name, 3)) == weights(tasks.make(name, 3))
    assert weights(tasks.make(name, 3))[0] != weights(tasks.make(name, 4))[0]


@pytest.mark.parametrize("name", NAMES)
def test_making_a_task_leaves_the_learners_random_numbers_alone(name):
    np.random.seed(0)
    first = np.random.rand()
    np.random.seed(0)
    tasks.make(name, 1)
    assert np.random.rand() == first


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_of_the_variable_stands_on_exactly_one_page(name):
    task = tasks.make(name, 0)
    count = np.zeros(task.variable.shape, int)
    for page in task.pages:
        grid = task.grid(count, page)
        assert grid.ndim == 2 and np.shares_memory(grid, count)
        grid += 1
    assert (count == 1).all()


def test_a_page_of_digits_is_the_picture_that_a_class_looks_for():
    """Kernel row 8·r + c is the pixel in row r and column c, kernel column d the digit d."""
    task = tasks.make("digits", 0)
    kernel = task.variable.numpy()
    assert task.grid(kernel, "3")[5, 6] == kernel[8 * 5 + 6, 3]


@pytest.mark.parametrize("optimizer", list(LISTED))
@pytest.mark.parametrize("name", NAMES)
def test_every_task_learns_with_every_listed_optimizer(name, optimizer):
    losses = trained(tasks.make(name, 0), 300, optimizer)
    assert len(losses) == 300
    assert losses[-20:].mean() < 0.5 * losses[:20].mean()


@pytest.mark.parametrize(("rows", "columns"), [(5, 9), (96, 96)])
def test_snowflakes_of_any_size_come_out(rows, columns):
    task = tasks.snowflake(0, rows, columns)
    trained(task, 1500, "sgd")
    picture = tasks.datasets.snowflake(rows, columns)
    assert np.abs(task.variable.numpy() - picture).max() < 0.05


def test_the_largest_snowflake_can_be_trained():
    task = tasks.snowflake(0, 512, 512)
    for optimizer in ("sgd", "adam"):
        losses = trained(task, 20, optimizer)
        assert len(losses) == 20 and losses[-1] < losses[0]


def test_a_snowflake_over_the_limit_is_refused():
    with pytest.raises(ValueError, match="513×8.*512×512"):
        tasks.snowflake(0, 513, 8)


def test_a_hidden_layer_over_the_limit_is_refused_before_it_is_made():
    with pytest.raises(ValueError, match="64×100000000000.*512×512"):
        tasks.hidden(0, 10**11)


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (lambda: tasks.make("digits", 4), ("digits", (4,))),
        (lambda: tasks.make("snowflake", 4), ("snowflake", (4, 48, 48))),
        (lambda: tasks.snowflake(columns=9, seed=4), ("snowflake", (4, 48, 9))),
        (lambda: tasks.hidden(4, units=8), ("hidden", (4, 8))),
    ],
)
def test_a_task_of_the_course_knows_how_to_make_it_again(make, wanted):
    task = make()
    name, arguments = task.made_by
    assert task.made_by == wanted and weights(tasks.TASKS[name](*arguments)) == weights(task)


def test_a_task_of_ones_own_and_one_that_was_changed_do_not_know_how(own_task, spoilt):
    assert own_task().made_by is None and spoilt(tasks.snowflake(0, 8, 8), 3).made_by is None


@pytest.mark.parametrize("name", ["digit", "", "Digits", None])
def test_an_unknown_task_hears_the_known_ones(name):
    with pytest.raises(ValueError) as refused:
        tasks.make(name, 0)
    said = str(refused.value)
    assert repr(name) in said and all(repr(known) in said for known in NAMES)
    assert "tasks.own" in said


def test_a_task_is_taken_as_it_is():
    task = tasks.make("hidden", 0)
    assert tasks.make(task, 5) is task


# A model of one's own


def test_a_filter_of_ones_own_network_is_the_grid(own_task):
    task = own_task(np.s_[:, :, 0, 2])
    grid = task.grid(task.variable.numpy(), "all")
    np.testing.assert_array_equal(grid, task.variable.numpy()[:, :, 0, 2])
    losses = trained(task, 200)
    assert losses[-20:].mean() < 0.7 * losses[:20].mean()


@pytest.mark.parametrize(
    "loss",
    [
        "mse",
        "mean_squared_error",
        "MeanSquaredError",
        keras.losses.MeanSquaredError(),
        keras.losses.Huber(),
        lambda targets, outputs: tf.reduce_mean(tf.square(outputs - targets)),
    ],
)
def test_a_loss_may_be_a_name_an_object_or_a_function(loss):
    model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(2)])
    x = np.random.default_rng(0).normal(size=(20, 3)).astype("float32")
    task = tasks.own(model, model.layers[0].kernel, x, x[:, :2], loss)
    losses = trained(task, 30)
    assert losses.shape == (30,) and np.isfinite(losses).all()


def test_layers_that_keep_state_train_on_it():
    layers = [keras.layers.Dense(4), keras.layers.BatchNormalization(), keras.layers.Dropout(0.5)]
    model = keras.Sequential([keras.layers.Input((3,)), *layers])
    x = np.random.default_rng(0).normal(5, 1, size=(50, 3)).astype("float32")
    task = tasks.own(model, model.layers[0].kernel, x, x[:, :1], keras.losses.MeanSquaredError())
    mean = model.layers[1].moving_mean.numpy()
    losses = trained(task, 20)
    assert np.isfinite(losses).all() and (model.layers[1].moving_mean.numpy() != mean).all()


def test_a_variable_that_is_not_two_dimensional_hears_how_to_slice(own_task):
    with pytest.raises(ValueError, match="two dimensions.*cells=np.s_"):
        own_task(np.s_[:])


def test_a_grid_too_large_hears_the_limit():
    model = keras.Sequential([keras.layers.Input((600,)), keras.layers.Dense(2)])
    x, kernel = np.zeros((4, 600)), model.layers[0].kernel
    with pytest.raises(ValueError, match="600×2.*512×512"):
        tasks.own(model, kernel, x, x[:, :2], "mse")
    task = tasks.own(model, kernel, x, x[:, :2], "mse", np.s_[100:612, :])
    assert task.grid(kernel.numpy(), "all").shape == (500, 2)


@pytest.mark.parametrize("cells", [np.s_[[0, 2], :], np.s_[np.array([True, False, True])]])
def test_cells_that_are_copies_are_refused(cells):
    """NumPy copies what a list picks; a mask painted on the copy would never be in force."""
    model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(2)])
    x = np.zeros((4, 3))
    with pytest.raises((ValueError, TypeError), match="slice"):
        tasks.own(model, model.layers[0].kernel, x, x[:, :2], "mse", cells)


def test_a_foreign_variable_is_refused_by_name(own_task):
    mine, other = own_task(), own_task()
    with pytest.raises(ValueError) as refused:
        tasks.own(mine.model, other.variable, np.zeros((4, 8, 8, 1)), np.zeros(4), "mse")
    said = str(refused.value)
    assert other.variable.path in said and "trainable" in said and "kernel" in said


def test_a_layer_that_does_not_train_has_nothing_to_freeze(own_task):
    task = own_task()
    task.model.layers[0].trainable = False
    with pytest.raises(ValueError, match="trainable"):
        tasks.own(task.model, task.variable, np.zeros((4, 8, 8, 1)), np.zeros(4), "mse")


def test_inputs_and_targets_of_different_lengths_are_refused(own_task):
    model = own_task().model
    kernel = model.layers[0].kernel
    with pytest.raises(ValueError, match="5 inputs and 4 targets arrived"):
        tasks.own(model, kernel, np.zeros((5, 8, 8, 1)), np.zeros(4), "mse", np.s_[:, :, 0, 0])


def test_rows_and_columns_can_have_names_one_each(own_task):
    task = own_task()
    data = task.model, task.variable, np.zeros((4, 8, 8, 1)), np.zeros(4), "mse", np.s_[:, :, 0, 0]
    names = tasks.own(*data, row_names=["top", "middle", "bottom"], column="place").names
    assert names.of_cell(1, 2) == "row 1 (middle), place 2"
    names = tasks.own(*data, column_names=["a", "b", "c"], row="line", column="letter").names
    assert names.of_cell(1, 2) == "line 1, letter c"
    with pytest.raises(ValueError, match="2 row names arrived; 3 were wanted"):
        tasks.own(*data, row_names=["top", "bottom"])
    with pytest.raises(ValueError, match="4 column names arrived; 3 were wanted"):
        tasks.own(*data, column_names=["a", "b", "c", "d"])
