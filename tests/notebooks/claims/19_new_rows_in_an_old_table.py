"""What New rows in an old table says of its figures."""

from helpers.free_values import FreeEmbedding
from helpers.freezing import freezable, frozen_rows

# Nothing frozen: some of the old words get another neighbour at once, and more with time.
early, late = (
    [other_neighbours(table[:old_count]) for table, *_ in trained[steps]] for steps in (100, 1_000)
)
assert min(early) > 4 and min(late) > 10
assert min(np.subtract(late, early)) > 2

# A word outside the text keeps its direction, and some get another neighbour all the same.
outside = ~np.isin(np.arange(old_count), in_training)
for table, *_ in trained[1_000]:
    unit = table[:old_count] / np.linalg.norm(table[:old_count], axis=1, keepdims=True)
    cosines = (unit * old_rows).sum(axis=1) / np.linalg.norm(old_rows, axis=1)
    assert cosines[outside].min() > 1 - 1e-9 and cosines[~outside].max() < 1
    assert np.mean(nearest(table[:old_count])[outside] != before[outside]) > 0.1

# No gradient: every row changes and shrinks by the decay alone, and no neighbour changes.
for decay in (0.004, 0.3):
    rows = at_end[decay]
    assert other_neighbours(rows) == 0 and changed_bits(old_rows, rows).any(axis=1).all()
    left = np.linalg.norm(rows, axis=1) / np.linalg.norm(old_rows, axis=1)
    assert abs(left - (1 - 0.01 * decay) ** 1000).max() < 1e-6
    turned = (rows * old_rows).sum(axis=1) / np.linalg.norm(rows, axis=1)
    assert (turned / np.linalg.norm(old_rows, axis=1)).min() > 1 - 1e-9

# A classifier of the old rows loses nothing at Keras' decay, and at the strong one says numpy.
assert 62 < its_accuracy(old_rows) < 67 and lost > 15
assert abs(its_accuracy(at_end[0.004]) - its_accuracy(old_rows)) < 1
assert next(iter(documentation.LIBRARIES)) == "numpy"
assert np.mean(other_program.predict(means("test", at_end[0.3])[0]) == 0) > 0.95
# Between 0.1 and 0.2 it begins to suffer.
assert abs(its_accuracy(at_end[0.1]) - its_accuracy(old_rows)) < 2
assert its_accuracy(at_end[0.2]) < its_accuracy(old_rows) - 5

# With nothing remembered a row of no gradient stays: plain SGD, as well as RMSprop and Adagrad.
for kind in (keras.optimizers.SGD, keras.optimizers.RMSprop, keras.optimizers.Adagrad):
    row, rule = keras.Variable(old_rows[:2]), kind(0.01)
    rule.build([row])
    rule.apply([tf.ones((2, old_rows.shape[1]), row.dtype)], [row])
    after_one = row.numpy()
    rule.apply([tf.zeros((2, old_rows.shape[1]), row.dtype)], [row])
    assert (row.numpy() == after_one).all() and (after_one != old_rows[:2]).all()

# Frozen after a start: rows that had a gradient leak under Adam, the others do not.
in_text = np.isin(np.arange(old_count - 8, old_count), text.pieces("train")[0])
assert ((by_row > 0) == in_text).all() and in_text.sum() == 4
lab.reset()
assert lab.frozen[:8].all() and not lab.frozen[8:].any()  # Reset keeps what is frozen
lab.use(optimizer="adamw")
lab.train(5)
assert (lab.leaks()[:8].sum(axis=1) == 16).all()
lab.use(optimizer="adam")

# What holds: no old bit moves, and the new task loses about two points.
assert bits_moved == 0
assert difference.min() > 0 and 1 < difference.mean() < 3
assert 4 < np.subtract(right["everything trains"], right["head alone"]).mean() < 8


def on_validation(reader):
    """Of how many validation pieces in a hundred this reader tells the library."""
    pieces, answers = text.pieces("validation")
    scores = reader.model.predict_on_batch(pieces)
    return 100 * np.mean(scores.argmax(axis=1) == answers)


# The rate of 0.003 is the best on validation if everything trains: not by half a point, and the
# verdict is the same.
shown = []
for weights in trained[1_000]:
    everything.model.set_weights(weights)
    shown.append(on_validation(everything))
slower = new_words.Reader(text, text.table(), AdamW(0.003, weight_decay=0.004), jit_compile=True)
best, cost = [], []
for seed, of_held in zip(seeds, right["old rows held"]):
    slower.start(seed)
    slower.learn(100, seed)
    slower.learn(900, seed + 10)
    best.append(on_validation(slower))
    cost.append(slower.right() - of_held)
assert np.mean(best) - np.mean(shown) < 0.5
assert min(cost) > 0 and 1 < np.mean(cost) < 3


def neighbours_in_16_bits(decay, kind="bfloat16"):
    """Decay a table of 16 bits for 1,000 steps; how many % of the words get other neighbours."""
    short, adamw = keras.Variable(old_rows, dtype=kind), AdamW(0.01, weight_decay=decay)
    adamw.build([short])
    zeros = [tf.zeros(short.shape, kind)]
    step = tf.function(lambda: adamw.apply(zeros, [short]), autograph=False)
    rounded = np.asarray(tf.cast(short.value, "float64"))
    for _ in range(1_000):
        step()
    end = np.asarray(tf.cast(short.value, "float64"))
    assert decay == 0.3 or not changed_bits(rounded, end).any()
    return 100 * np.mean(nearest(end) != nearest(rounded))


# In bfloat16 the default decay changes nothing, and a strong one turns rows.
assert neighbours_in_16_bits(0.004) == 0
assert 14 < neighbours_in_16_bits(0.3) < 20


# A table that is used twice: the gradient of the scores reaches all six old rows.
class Tied(keras.Model):
    """Looks words up, six old ones and two new ones, and scores its answers by the same rows."""

    def __init__(self):
        super().__init__()
        self.table = keras.layers.Embedding(8, 3)
        self.table.build()

    def call(self, numbers):
        """Look up without a gradient for the old rows."""
        rows = self.table(numbers)
        rows = tf.where(numbers[..., None] < 6, tf.stop_gradient(rows), rows)
        return tf.matmul(tf.reduce_mean(rows, axis=1), self.table.embeddings, transpose_b=True)


class TiedTables(keras.Model):
    """The same with two tables."""

    def __init__(self):
        super().__init__()
        self.old_table = self.add_weight((6, 3), trainable=False)
        self.new_table = self.add_weight((2, 3))

    def call(self, numbers):
        """Join both for both uses, as the page shows."""
        whole = tf.concat([self.old_table, self.new_table], axis=0)
        mean = tf.reduce_mean(tf.gather(whole, numbers), axis=1)
        return tf.matmul(mean, whole, transpose_b=True)


def tied_and_moved(tied, optimizer, freeze=None):
    """Train for an epoch under an optimizer; which of the eight rows have moved: bool (8,)."""
    keras.utils.set_random_seed(0)
    tied.compile(optimizer, keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    optimizer.build(tied.trainable_variables)
    if freeze:
        freeze(tied)
    tables = sorted(tied.weights, key=lambda v: v.shape[0], reverse=True)  # the old rows first
    start = np.concatenate([v.numpy() for v in tables])
    drawn = np.random.default_rng(0).integers(0, 8, (64, 5))
    tied.fit(drawn[:, :4], drawn[:, 4], verbose=0)
    now = np.concatenate([v.numpy() for v in tables])
    return changed_bits(start, now).any(axis=1)


assert tied_and_moved(Tied(), keras.optimizers.SGD(0.1)).all()
held_six = 6 * [False] + 2 * [True]
assert tied_and_moved(TiedTables(), keras.optimizers.SGD(0.1)).tolist() == held_six
exact_sgd = freezable(keras.optimizers.SGD)(0.1)


def by_cells(tied):
    """Hold the six old rows by their cells."""
    rows = tied.table.embeddings
    exact_sgd.freeze_cells(rows, frozen_rows(rows, range(6)))


def by_constraint(tied):
    """Hold the six old rows by putting them back."""
    six = tied.table.embeddings.numpy()[:6]
    put_back = lambda now: keras.ops.concatenate([six, now[6:]], axis=0)  # noqa: E731
    tied.table.embeddings.constraint = put_back


assert tied_and_moved(Tied(), exact_sgd, by_cells).tolist() == held_six
assert tied_and_moved(Tied(), keras.optimizers.SGD(0.1), by_constraint).tolist() == held_six

# A program that is loaded goes on with what AdamW remembers of the new rows.
slots = [v for v in model.optimizer.variables if v.shape == start.shape]
assert len(slots) == 2 and all(slot.numpy().any() for slot in slots)


def other_ways():
    """Readers that hold the old rows in one table, by the name of the way."""

    def put_back(now):
        return keras.ops.concatenate([old_rows, now[old_count:]], axis=0)

    def with_decay(kind=AdamW):
        return kind(0.01, weight_decay=0.3)

    ways = {}
    table = text.table(embeddings_constraint=put_back)
    ways["constraint"] = new_words.Reader(text, table, with_decay())
    table, exact = text.table(), with_decay(freezable(AdamW))
    ways["freezable"] = new_words.Reader(text, table, exact)
    silent, adamw = text.table(NoGradient), with_decay()
    silent.build()
    adamw.exclude_from_weight_decay(var_list=[silent.embeddings])
    ways["no gradient, no decay"] = new_words.Reader(text, silent, adamw)
    for reader in ways.values():
        reader.start(seed=0)
    mask = frozen_rows(table.embeddings, range(old_count))
    exact.freeze_cells(table.embeddings, mask)
    free = FreeEmbedding.from_layer(table, mask)
    ways["free values"] = new_words.Reader(text, free, with_decay())
    return ways


# The other ways hold every old row, and the new ones train.
for reader in other_ways().values():
    start = np.asarray(reader.table.embeddings)
    reader.learn(100, seed=0)
    rows_moved = changed_bits(start, np.asarray(reader.table.embeddings)).any(axis=1)
    assert not rows_moved[:old_count].any() and rows_moved[old_count:].all()
