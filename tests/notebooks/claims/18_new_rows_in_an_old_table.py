"""What New rows in an old table says of its figures."""

from helpers.free_values import FreeEmbedding
from helpers.freezing import freezable, frozen_rows

# Nothing frozen: some of the old words get another neighbour at once, and more with time.
early, late = (
    [other_neighbours(table[:old]) for table, *_ in trained[steps]] for steps in (100, 1_000)
)
assert min(early) > 4 and min(late) > 10
assert min(np.subtract(late, early)) > 2
assert changed[in_text].mean() > 2 * changed[~in_text].mean() > 0

# No gradient: every row changes, no neighbour does, and a strong decay changes other answers.
for decay, least, most in ((0.004, 0.5, 1.5), (0.3, 50, 80)):
    rows = at_end[decay]
    assert other_neighbours(rows) == 0 and kept == 0
    assert least <= other_answers(rows) < most
    left = np.linalg.norm(rows) / np.linalg.norm(old_rows)
    assert abs(left - (1 - 0.01 * decay) ** 1000) < 1e-6

# Without its bias the classifier answers as before.
assert other == 0

# Frozen after a start: rows that had a gradient leak under Adam, the others do not.
assert ((by_row > 0) == in_text[-8:]).all() and in_text[-8:].sum() == 4
assert ((moved_by > 0).sum(axis=1) == by_row).all()
lab.reset()
lab.use(optimizer="adamw")
lab.train(5)
assert (lab.leaks()[:8].sum(axis=1) == 16).all()
lab.use(optimizer="adam")
assert min(pushed) > 0.5 and 1 < np.mean(pushed) < 3

# Decay turns no row, and momentum those alone that had a gradient.
for decay in at_end:
    assert length_and_angle(old_rows, at_end[decay])[1].max() < 1e-3
turned = length_and_angle(at_freeze, at_last)[1]
assert turned[in_text].mean() > 0.1
assert turned[~in_text].max() < 1e-3

# What holds: no old bit moves, and the new task loses a little.
assert bits_moved == 0
assert difference.min() > 0 and difference.mean() < 3
assert max(intruders) < 0.01 * old

# Two thirds more are wrong than if everything trains, and the head alone is far behind.
wrong = [100 - np.mean(right[name]) for name in ("everything trains", "old rows held")]
assert 1.4 < wrong[1] / wrong[0] < 2.2
assert max(right["head alone"]) < min(right["old rows held"]) - 5

# Gradients through the scores reach all six old rows.
assert moved.any(axis=1)[:6].all()

# Two tables hold them, and the new ones train.
assert old_moved == 0 and new_moved == 2


def other_ways():
    """Readers that hold the old rows in one table, by the name of the way."""

    def put_back(now):
        return keras.ops.concatenate([old_rows, now[old:]], axis=0)

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
    mask = frozen_rows(table.embeddings, range(old))
    exact.freeze_cells(table.embeddings, mask)
    free = FreeEmbedding.from_layer(table, mask)
    ways["free values"] = new_words.Reader(text, free, with_decay())
    return ways


# The other ways hold every old row, and the new ones train.
for reader in other_ways().values():
    start = np.asarray(reader.table.embeddings)
    reader.learn(100, seed=0)
    rows_moved = changed_bits(start, np.asarray(reader.table.embeddings)).any(axis=1)
    assert not rows_moved[:old].any() and rows_moved[old:].all()
