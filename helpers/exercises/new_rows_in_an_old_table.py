"""New rows in an old table: a layer finds old rows, which it holds, and new ones."""

import numpy as np

from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.exercises.exercise import Exercise, expect

OLD, NEW, WIDTH, RATE = 5, 2, 3, 0.05


def grow(table, rows):
    """Return a layer that looks up the rows of a table, which it holds, and these behind them."""
    old = table.embeddings.numpy()

    def put_back(now):
        return tf.concat([old, now[len(old) :]], axis=0)

    size = len(old) + len(rows), old.shape[1]
    grown = keras.layers.Embedding(*size, embeddings_constraint=put_back)
    grown.build()
    grown.embeddings.assign(np.concatenate([old, rows]))
    return grown


def judge(attempt):
    """Grow a table of odd numbers, and train with a decay."""
    table, rows = _table(), np.full((NEW, WIDTH), 7, "float32")
    old, numbers = table.embeddings.numpy(), np.arange(OLD + NEW)[:, None]
    grown = attempt(table, rows)
    expect(isinstance(grown, keras.layers.Layer), "Return a Keras layer.")
    _compare_start(_looked_up(grown, numbers), old, rows)
    model = _model(grown)
    expect(grown.trainable_variables, "Nothing of the layer trains: the new rows are to.")
    model.compile(keras.optimizers.AdamW(RATE, weight_decay=0.3), "mse")
    wanted = np.full((OLD + NEW, 1), 100.0)
    model.fit(numbers, wanted, batch_size=OLD + NEW, epochs=4, verbose=0)
    now = _looked_up(grown, numbers)
    moved = changed_bits(old, now[:OLD]).astype(bool)
    expect(np.isfinite(now[OLD:]).all(), "The new rows became NaN: put back, and do not compute.")
    expect((now[OLD:] != rows).all(), "A new row did not train.")
    expect(not moved.any(), f"{moved.sum()} old numbers changed in fit: hold them to the bit.")
    return "Old rows keep every bit under decay, and new ones train."


def _table():
    """Return a built table, in which there are a negative zero and a number that is nearly zero."""
    table = keras.layers.Embedding(OLD, WIDTH)
    table.build()
    values = np.arange(OLD * WIDTH, dtype="float32").reshape(OLD, WIDTH)
    values[0, :2] = -0.0, -1e-40
    table.embeddings.assign(values)
    return table


def _looked_up(layer, numbers):
    return np.asarray(layer(numbers))[:, 0]


def _model(table):
    ones = keras.initializers.Constant(0.1)
    layers = [table, keras.layers.Flatten(), keras.layers.Dense(1, kernel_initializer=ones)]
    return keras.Sequential([keras.Input((1,), dtype="int32"), *layers])


def _compare_start(found, old, rows):
    """Give the hint that fits a layer that does not begin as it is to."""
    wanted = len(old) + len(rows), old.shape[1]
    expect(found.shape == wanted, f"Rows {found.shape} were found, and {wanted} were wanted.")
    same = not changed_bits(old, found[: len(old)]).any()
    expect(same, "The first words do not find the old rows as they are in the table.")
    expect((found[len(old) :] == rows).all(), "Words behind the old ones are to find `rows`.")


exercise = Exercise(
    grow,
    judge,
    [
        "The page has two ways: GrownEmbedding, with a table for each, and a constraint for one.",
        "For the first, make a GrownEmbedding and assign its two tables. For the second, make an "
        "Embedding, build it, and assign all rows.",
        "A constraint joins the old rows, as they were, and the last rows of what it is given.",
    ],
)
