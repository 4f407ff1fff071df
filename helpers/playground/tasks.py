"""What is trained: a model, its data, its loss, and which of its cells stand on the grid."""

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from helpers import datasets
from helpers.device import keras, tf
from helpers.names import known
from helpers.networks import cross_entropy
from helpers.playground import grids
from helpers.playground.cell_names import CellNames

BATCH = 32
ONE_PAGE = {"all": np.s_[:]}


@dataclass
class Task:
    """A model under training, and the pages of cells that can be painted on.

    model     a built Keras model
    variable  the variable whose cells are painted
    batch     step (int64 scalar tensor) -> (inputs, targets); the same step, the same batch
    loss      (targets, outputs) -> scalar tensor
    pages     page name -> the slice that stands on the grid, two-dimensional
    folded    the shape into which `variable` is folded before it is sliced
    rates     optimizer name -> learning rate that suits this task
    listed    optimizer name -> Keras optimizer: those to choose from, if not the usual ones
    reads     tf.Variables that `batch` reads
    held_out  name -> (inputs, labels) that are not trained on, where the model classifies: one
              entry, or one a task where there are several in turn
    labels    page name -> the label that the page stands for, where there is one
    names     what the grid's rows and columns are called
    made_by   of the course's own tasks, the name in `TASKS` and the arguments that make it again;
              None for all others, also for what `dataclasses.replace` makes of one
    kind      what decides on the training step's graph, beside its variables, hashable; None for a
              task that no other is like, also for what `dataclasses.replace` makes; see `of_kind`
    """

    model: keras.Model
    variable: keras.Variable
    batch: Callable
    loss: Callable
    pages: dict
    folded: tuple
    rates: dict
    listed: dict = field(default_factory=dict)
    reads: tuple = ()
    held_out: dict = field(default_factory=dict)
    labels: dict = field(default_factory=dict)
    names: CellNames = field(default_factory=CellNames)
    made_by: tuple | None = field(default=None, init=False)
    kind: tuple | None = field(default=None, init=False)

    @property
    def pages_alone(self):
        """What is left of a task when its playground is closed: neither model nor data."""
        return replace(
            self, model=None, variable=None, batch=None, loss=None, reads=(), held_out={}
        )

    def grid(self, whole, page):
        """Return the cells of a page, as a view (rows, columns) of an array of the variable's
        shape."""
        return whole.reshape(self.folded)[self.pages[page]]


def make(task, seed):
    """Build the named task, its weights drawn from `seed`; raises ValueError for other names."""
    if isinstance(task, Task):
        return task
    advice = "For a model of your own pass task=tasks.own(model, variable, inputs, targets, loss)."
    return TASKS[known("task", task, TASKS, advice)](seed)


def of_kind(task, kind):
    """Have one graph serve this task and all others of the same `kind`, a tuple; return the task.

    Only the values of their variables may tell such tasks apart.
    """
    task.kind = kind
    return task


def _noting_how(make):
    """Let a task know how it was made."""

    @functools.wraps(make)
    def noting(*positional, **named):
        task, call = make(*positional, **named), inspect.signature(make).bind(*positional, **named)
        call.apply_defaults()
        task.made_by = make.__name__, call.args
        _, *sizes = call.args  # a seed, which is read from a variable, comes first
        return of_kind(task, (make.__name__, *sizes))

    return noting


@_noting_how
def digits(seed):
    """Softmax regression on real 8×8 digits. One page a digit: the picture that digit looks for."""
    layer = keras.layers.Dense(10, kernel_initializer=_small(seed), name="digits")
    model = _dense_model(64, [layer])
    pages = {str(digit): np.s_[:, :, digit] for digit in range(10)}
    rates = {"sgd": 0.3, "momentum": 0.05, "adam": 0.01, "adamw": 0.01}
    grid = dict(pages=pages, folded=(8, 8, 10), labels={page: int(page) for page in pages})
    grid["names"] = CellNames(row="pixel row")
    return _of_digits(seed, model, model.layers[-1].kernel, rates, **grid)


@_noting_how
def hidden(seed, units=32):
    """Return a network on the same digits with one hidden layer; its (64, units) kernel is the
    grid."""
    _, units = grids.as_shape((64, units))
    layers = [
        keras.layers.Dense(units, "relu", kernel_initializer=_glorot(seed), name="hidden"),
        keras.layers.Dense(10, kernel_initializer=_glorot(seed + 1), name="digits"),
    ]
    model = _dense_model(64, layers)
    rates = {"sgd": 0.2, "momentum": 0.03, "adam": 0.003, "adamw": 0.003}
    grid = dict(pages=ONE_PAGE, folded=(64, units), names=CellNames("feature", "unit"))
    return _of_digits(seed, model, model.layers[0].kernel, rates, **grid)


@_noting_how
def snowflake(seed, rows=48, columns=48):
    """Return the task of a linear layer that learns a picture, y = x · picture, from random x, cell
    by cell."""
    rows, columns = grids.as_shape((rows, columns))
    start = _small(seed)
    layer = keras.layers.Dense(columns, use_bias=False, kernel_initializer=start, name="picture")
    model = _dense_model(rows, [layer])
    picture, seed = tf.constant(datasets.snowflake(rows, columns)), _variable(seed)

    def batch(step):
        x = tf.random.stateless_normal((BATCH, rows), _pair(step, seed))
        return x, x @ picture

    rates = {"sgd": 0.3, "momentum": 0.03, "adam": 0.02, "adamw": 0.02}
    # The mean over the columns would make the step shrink with the picture; half the sum does not.
    rates = {name: r * _scale(name, rows) for name, r in rates.items()}
    grid = ONE_PAGE, (rows, columns)
    return Task(model, layer.kernel, batch, _half_squares, *grid, rates, reads=(seed,))


def own(
    model,
    variable,
    inputs,
    targets,
    loss,
    cells=np.s_[:],
    batch_size=BATCH,
    seed=0,
    held_out=None,
    row_names=(),
    column_names=(),
    row="row",
    column="column",
):
    """Make a task of the learner's own built Keras model.

    `variable` is one of its trainable variables and `cells` the slice of it to paint, two
    dimensions of at most 512: np.s_[:, :, 0, 0] for the first filter of a convolution kernel.
    `loss` is a Keras loss or its name; inputs and targets are arrays with one row an example, of
    which each batch draws `batch_size` with replacement, decided by `seed`. Weight regularizers
    join the loss, as in `fit`; what layers add by `add_loss` or `activity_regularizer` does not.
    `held_out`, for a model that classifies, is (inputs, labels) that it does not train on, or a
    dict from names to several; the playground shows how many of them it gets right. `row` and
    `column` say in a word what a row and a column of the grid is ("word", "unit"), and `row_names`
    and `column_names` give each a name, such as the words of an embedding table.
    Raises ValueError for another variable, another number of targets or names or a grid of another
    size, TypeError for cells that are no slice.
    """
    if not any(variable is v for v in model.trainable_variables):
        raise ValueError(
            f"The variable {getattr(variable, 'path', variable)!r} is not among the model's "
            "trainable variables; pass one of them, for example model.layers[0].kernel."
        )
    whole = np.empty(variable.shape, bool)
    rows, columns = grids.as_shape(whole[cells].shape)
    names = _one_each(row_names, rows, "row"), _one_each(column_names, columns, "column")
    if not np.shares_memory(whole, whole[cells]):
        raise TypeError(
            f"The cells {cells!r} arrived; NumPy makes a copy of what a list or a mask picks, and "
            "paint on a copy would be lost. Pick a slice, for example cells=np.s_[::2, :8]."
        )
    if len(inputs) != len(targets):
        raise ValueError(
            f"{len(inputs)} inputs and {len(targets)} targets arrived; one target for each input "
            "was wanted. Pass two parts of one split."
        )
    per_example = keras.losses.get(loss)
    batch = _batches(np.asarray(inputs), np.asarray(targets), batch_size, seed)

    def mean_loss(targets, outputs):
        return tf.reduce_mean(per_example(targets, outputs))

    if held_out is not None and not isinstance(held_out, dict):
        held_out = {"held out": held_out}
    pages = {"all": cells}
    shown = dict(pages=pages, folded=variable.shape, held_out=held_out or {})
    shown["names"] = CellNames(row, column, *names)
    return Task(model, variable, batch, mean_loss, rates={}, **shown)


TASKS = {"digits": digits, "snowflake": snowflake, "hidden": hidden}


def _one_each(names, count, what):
    """Return the names of all rows or columns as a tuple of texts, if there is one for each."""
    if len(names) not in (0, count):
        raise ValueError(
            f"{len(names)} {what} names arrived; {count} were wanted, one for each {what} of the "
            "grid, or none at all."
        )
    return tuple(map(str, names))


def _dense_model(inputs, layers):
    """Return a model in which nothing has a name that Keras counts up; see
    `freezable_optimizer`."""
    return keras.Sequential([keras.layers.Input((inputs,)), *layers], name="course")


def _small(seed):
    return keras.initializers.RandomNormal(stddev=0.02, seed=seed)


def _glorot(seed):
    return keras.initializers.GlorotUniform(seed=seed)


def _scale(optimizer, rows):
    """Plain gradient descent on random x needs a rate below 2 / (1 + rows / batch)."""
    return 1 / (1 + rows / BATCH) if optimizer in ("sgd", "momentum") else 1


def _half_squares(targets, outputs):
    return 0.5 * tf.reduce_sum(tf.reduce_mean(tf.square(outputs - targets), axis=0))


def _of_digits(seed, model, variable, rates, **grid):
    """Return a task that learns three quarters of the digits, and holds out the others."""
    (inputs, labels), held_out = datasets.digits_split()
    seed = _variable(seed)
    settings = dict(rates=rates, reads=(seed,), held_out={"digits": held_out}, **grid)
    batch = _batches(inputs, labels, BATCH, seed)
    return Task(model, variable, batch, cross_entropy, **settings)


def _batches(inputs, targets, size, seed):
    """Return step -> a batch drawn with replacement, a pure function of (seed, step)."""
    inputs, targets = tf.constant(inputs), tf.constant(targets)

    def batch(step):
        seeds = _pair(step, seed)
        chosen = tf.random.stateless_uniform((size,), seeds, 0, len(inputs), tf.int32)
        return tf.gather(inputs, chosen), tf.gather(targets, chosen)

    return batch


def _pair(step, seed):
    """Return what seeds the random numbers of a step: both numbers, in the step's dtype."""
    return tf.stack([step, seed + 0 * step])


def _variable(seed):
    """Return the seed as the graph reads it, so that one graph serves all seeds."""
    return tf.Variable(seed, dtype=tf.int64, trainable=False)
