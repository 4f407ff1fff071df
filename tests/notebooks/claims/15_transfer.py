"""What notebook 12 says of its figures, in its order; `margins.py` runs it behind the notebook."""

from helpers import masks

# The reader; new digits: with forty a head alone reads less than from scratch, the others do alike.
assert np.mean(accuracy) > 95


def new_read(results, name):
    return results[name][:, 0].mean()


assert new_read(forty, "frozen base") < new_read(forty, "from scratch") - 2
for name in ("then upper layer", "all fine-tuned", "all, higher rate"):
    assert abs(new_read(forty, name) - new_read(forty, "from scratch")) < 5
from_trained = ("frozen base", "then upper layer", "all fine-tuned", "all, higher rate")
for name in from_trained:
    assert -2 < new_read(five, name) - new_read(five, "from scratch") < 8
on_average = np.mean([new_read(five, name) for name in from_trained])
assert on_average > new_read(five, "from scratch") + 0.5
for name in ("all fine-tuned", "all, higher rate"):
    assert ahead(five, name, "frozen base") == "no clear difference"
    assert ahead(forty, name, "frozen base") == name
assert ahead(forty, "frozen base", "from scratch") == "from scratch"
assert ahead(forty, "frozen base", "frozen random base") == "frozen base"
for results in (forty, five):
    for name in (*from_trained, "from scratch"):
        assert new_read(results, name) > new_read(results, "frozen random base")


def old_lost(results, name):
    return np.mean(accuracy) - results[name][:, 1].mean()


# What the old digits pay.
assert 1 < old_lost(forty, "all fine-tuned") < 8
assert 10 < old_lost(forty, "all, higher rate") < 26
assert old_lost(forty, "then upper layer") < 1
assert forty["then upper layer"][:, 2].mean() > 2
assert (forty["frozen base"][:, 2:] == [0, 1]).all()
for name in ("from scratch", "frozen random base"):
    assert 12 < forty[name][:, 1].mean() < 28
for name in ("then upper layer", "all fine-tuned", "all, higher rate"):
    assert (forty[name][:, 3] == 0).all()
assert len(old_labels) == 904

# The list: the averages alone change; with the other scanner that costs a good part.
assert all("moving" in name for name in changed_by["list"]) and len(changed_by["list"]) == 4
assert changed_by["flag"] == []
assert abs(old_lost(averages, "list, same scanner")) < 3
assert averages["list, same scanner"][:, 2].mean() > 5
assert old_lost(averages, "list, other scanner") > 12
assert (averages["flag, other scanner"][:, 2:] == [0, 1]).all()
assert abs(0.99**200 - 0.13) < 0.005

# The two flags that one line does not set; two of the ways once more, by `fit`.
some = [True, False, True, False, True]
reader.model.trainable = True
for layer, flag in zip(reader.model.layers, some):
    layer.trainable = flag
assert flags() == some
reader.model.trainable = True
assert flags() == some
reader.model.trainable = False
reader.model.trainable = True
assert all(flags())
assert abs(by_fit[0] - new_read(forty, "frozen base")) < 6
assert abs(by_fit[1] - new_read(forty, "then upper layer")) < 6

# A head that grows.
assert mine.leaks().sum() == 0
assert right(after_growth, old_labels) < right(before_growth, old_labels) - 10
grown = {name: found.mean(axis=0) for name, found in growth.items()}
assert 25 < grown["all trains, fives alone"][2] < 55
assert grown["old kept, fives alone"][1] > grown["all trains, fives alone"][1] + 3
assert grown["old kept, fives alone"][1] < 90
for old_columns in ("all trains", "old kept"):
    fewer = grown[f"{old_columns}, fives alone"][0] - grown[f"{old_columns}, and old ones"][0]
    assert 10 < fewer < 32
price = growth["all trains, and old ones"] - growth["old kept, and old ones"]
assert 0 < price[:, 1].mean() < 2
assert abs(price[:, 0].mean()) < 10
assert grown["all trains, and old ones"][1] > 90 and grown["old kept, and old ones"][1] > 90
assert grown["old kept, fives alone"][3] == grown["old kept, and old ones"][3] == 1
assert grown["all trains, fives alone"][3] == grown["all trains, and old ones"][3] == 0

# tf.where moves every old number, and some neighbours; the exact freeze none.
assert min(moved["tf.where"]) == trained.size
assert max(moved["exact freeze"]) == 0
assert max(late["exact freeze"]) == 0
assert 1 < np.mean(late["tf.where"]) < 20
assert np.mean(late["nothing"]) > np.mean(late["tf.where"]) + 20

# Momentum does it early on; after that decay shrinks all alike, and no neighbour changes.
assert np.allclose(early["tf.where"], late["tf.where"], atol=0.7)
for _, soon, after in tables["tf.where"]:
    lengths = [np.linalg.norm(rows, axis=1) for rows in (soon, after)]
    cosines = (soon * after).sum(axis=1) / lengths[0] / lengths[1]
    assert cosines.min() > 0.999
    assert np.allclose(lengths[1] / lengths[0], 0.999**200, rtol=0.02)

# The scores of the old model get worse with tf.where, and stay with the exact freeze.
for at_freeze, at_end in zip(*losses["tf.where"]):
    assert at_end > at_freeze + 0.1
assert losses["exact freeze"][0] == losses["exact freeze"][1]
better_than_chance = np.log(old) - old_loss(trained)
assert 1.5 < better_than_chance < 1.9
grown_by = np.mean(losses["tf.where"][1]) - np.mean(losses["tf.where"][0])
assert 0.05 < grown_by / better_than_chance < 0.2

# To take home, the padding, the table used twice.
assert not rows_moved[:old].any() and rows_moved[old:].all()
assert padding == (3, 0)
assert tied_moved == (6, 0)

assert 65 < now < 81 and 66 < fives_read < 83


# A mask that freezes a part of the new column as well reads more of the one and less of the other.
def read_with(count, seed):
    """Old digits and fives that are read if so many cells of the new column, drawn, are frozen."""
    mine.reset()
    painted = np.ones((24, 6), bool)
    painted[:, 5] = masks.random((24,), count / 24, seed)
    mine.frozen = painted
    mine.train(200)
    return [right(scores_by(mine.weights, part), wanted) for part, (_, wanted) in tests.items()]


half, most = (np.array([read_with(count, seed) for seed in range(5)]) for count in (12, 18))
assert now + 3 < half[:, 0].mean() < most[:, 0].mean() - 3
assert fives_read - 8 > half[:, 1].mean() > most[:, 1].mean() + 8
assert 75 < half[:, 0].mean() < 85 and 49 < half[:, 1].mean() < 65
assert 81 < most[:, 0].mean() < 92 and 33 < most[:, 1].mean() < 49
assert np.ptp(most[:, 0]) > 5 and np.ptp(most[:, 1]) > 10

# Memory, exactly, and the time of a step, roughly.
cells = (MANY + FEW) * 64
assert memory["nothing frozen"] == 2 * cells * 4 == 3_123_200
assert memory["rows masked"] - memory["nothing frozen"] == cells == 390_400
assert 0 <= memory["compact slots"] - 3 * FEW * 64 * 4 < 2_000
masked_time, compact_time, split_time = (costs.ratio(seconds, number)[1] for number in (1, 2, 3))
assert masked_time > 1 and compact_time < 0.9 and split_time < 0.9
assert memory["rows split off"] == 2 * FEW * 64 * 4
assert memory["rows split off"] == 51_200


# What to try, 1: normalisations in place of the upper layer add nothing, and change old answers.
def scales_and_shifts(few, seed):
    frozen_base(few, seed, steps=100)
    reader.train(few, [norm_1, norm_2, head], 0.003, 100, seed)


scaled = try_way(scales_and_shifts, 40).mean(axis=0)
assert abs(scaled[0] - forty["frozen base"][:, 0].mean()) < 1.5
assert scaled[0] < forty["then upper layer"][:, 0].mean() - 3
assert 95.5 < scaled[1] < 98.5 and 2 < scaled[2] < 25


# What to try, 2: with few old pictures the freeze helps the old digits, with many it does not.
def with_few_old(count, keep_old):
    """The old digits that are read, %, if so many pictures of each are shown."""
    for seed in seeds:
        reader.model.set_weights(reader.weights(seed))
        (fives_alone, _, *unseen), _ = known[seed]
        some_old, their_labels = reader.few(seed, count, old=True)
        known[seed] = [fives_alone, base(some_old).numpy(), *unseen], their_labels
    return np.mean([add_the_five(seed, keep_old, True)[1] for seed in seeds])


one, kept_with_one = with_few_old(1, False), with_few_old(1, True)
assert 57 < one < 70 and 7 < kept_with_one - one < 16
five_old, kept_with_five = with_few_old(5, False), with_few_old(5, True)
assert 75 < five_old < 82 and 0 < kept_with_five - five_old < 5
ten, kept_with_ten = with_few_old(10, False), with_few_old(10, True)
assert 82 < ten < 91 and abs(kept_with_ten - ten) < 3
assert 89 < with_few_old(20, False) < 94 and 93 < with_few_old(40, False) < 97


# What to try, 3: the longer, the fewer.
def so_long(steps):
    """The old digits that are left, %, after so many steps with the other scanner."""

    def way(few, seed):
        start_from_reader(seed)
        reader.train(inverted(few), [head], 0.03, steps, seed, by="list")

    return try_way(way, 40)[:, 1].mean()


assert 95 < so_long(20) < 98.5 and 64 < left < 78 and 43 < so_long(1_000) < 59


# The play with the table: from the first step on only decay gets past tf.where; after a thaw,
# momentum does as well.
hand, eight_rows = playground(), (slice(0, 8), slice(None))
for optimizer, at_once, later in (
    ("sgd", False, False),
    ("momentum", False, True),
    ("adam", False, True),
    ("adamw", True, True),
):
    hand.paint(*eight_rows)
    hand.reset()
    hand.use(optimizer=optimizer)
    hand.train(5)
    assert hand.leaks().any() == at_once
    hand.paint(*eight_rows, frozen=False)
    hand.train(5)
    hand.paint(*eight_rows)
    hand.train(5)
    assert hand.leaks().any() == later
hand.close()
