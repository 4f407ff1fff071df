"""New rows in an old table: grow a table in the middle of a run, and hold its old rows."""

import numpy as np

from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.exercises.exercise import Exercise, expect

OLD, NEW, WIDTH, RATE = 5, 2, 3, 0.05


def grow(table, rows, optimizer):
    """Return a table that is longer by these rows and holds the old ones, and its optimizer."""
    old = table.embeddings.numpy()

    def put_back(now):
        return tf.concat([old, now[len(old) :]], axis=0)

    size = len(old) + len(rows), old.shape[1]
    grown = keras.layers.Embedding(*size, embeddings_constraint=put_back)
    grown.build()
    grown.embeddings.assign(np.concatenate([old, rows]))
    return grown, type(optimizer).from_config(optimizer.get_config())


def judge(attempt):
    """Grow a table of odd numbers after some steps, and train on."""
    table, optimizer = _under_way()
    old, rows = table.embeddings.numpy(), np.full((NEW, WIDTH), 7, "float32")
    grown, fresh = attempt(table, rows, optimizer)
    _compare_start(grown, old, rows)
    _compare_optimizers(optimizer, fresh)
    model = _model(grown)
    model.compile(fresh, "mse")
    numbers = np.arange(OLD + NEW)[:, None]
    model.fit(numbers, np.full((OLD + NEW, 1), 100.0), batch_size=OLD + NEW, verbose=0)
    first = np.abs(grown.embeddings.numpy()[OLD:] - rows).max()
    model.fit(numbers, np.full((OLD + NEW, 1), 100.0), epochs=3, verbose=0)
    now = grown.embeddings.numpy()
    moved = changed_bits(old, now[:OLD]).astype(bool)
    expect(np.isfinite(now[OLD:]).all(), "The new rows became NaN: put back, and do not compute.")
    expect((now[OLD:] != rows).all(), "A new row did not train.")
    hint = f"{moved.sum()} old numbers changed in fit: put them back after each step, to the bit."
    expect(not moved.any(), hint)
    rates = f"The first step of a new row was {first / RATE:.1f} rates long"
    expect(first < 1.5 * RATE, f"{rates}: the optimizer remembers something.")
    return "Old rows keep every bit, new ones train, and the optimizer begins anew."


def _under_way():
    """Return a table, in which there are an infinity and a negative zero, and the AdamW that has
    trained it."""
    table = keras.layers.Embedding(OLD, WIDTH)
    optimizer = keras.optimizers.AdamW(RATE, weight_decay=0.3, beta_1=0.8)
    model = _model(table)
    model.compile(optimizer, "mse")
    numbers = np.arange(OLD)[:, None]
    model.fit(numbers, np.ones((OLD, 1)), epochs=4, verbose=0)
    values = np.arange(OLD * WIDTH, dtype="float32").reshape(OLD, WIDTH)
    values[0, :2] = -0.0, -1e-40
    table.embeddings.assign(values)
    return table, optimizer


def _model(table):
    ones = keras.initializers.Constant(0.1)
    layers = [table, keras.layers.Flatten(), keras.layers.Dense(1, kernel_initializer=ones)]
    return keras.Sequential([keras.Input((1,), dtype="int32"), *layers])


def _compare_start(grown, old, rows):
    """Give the hint that fits a layer that does not begin as it is to."""
    kind = isinstance(grown, keras.layers.Embedding) and grown.built
    expect(kind, "Return a built Embedding first, and then the optimizer.")
    values, shape = grown.embeddings.numpy(), (OLD + NEW, WIDTH)
    expect(values.shape == shape, f"A table {values.shape} came out, and {shape} was wanted.")
    above = not changed_bits(old, values[:OLD]).any()
    expect(above, "The first rows are not the old ones, which keep their numbers.")
    expect((values[OLD:] == rows).all(), "Below the old rows, the given ones are wanted.")
    expect(grown.trainable_weights, "Nothing of the table trains: the new rows are to.")


def _compare_optimizers(old, fresh):
    """Give the hint that fits an optimizer that is not as the old one, or not new."""
    expect(fresh is not old, "The old optimizer has slots for the old table: make a new one.")
    one, other = old.get_config(), fresh.get_config()
    differ = [name for name in one if name != "name" and one[name] != other.get(name)]
    expect(not differ, f"Settings of the old optimizer are lost, such as {differ[:1]}.")


exercise = Exercise(
    grow,
    judge,
    [
        "An Embedding takes embeddings_constraint: a function of the table, after each step.",
        "Let it join the old rows, as they were, and the last rows of what it is given.",
        "Keras objects can be made again: type(it).from_config(it.get_config()).",
    ],
)
