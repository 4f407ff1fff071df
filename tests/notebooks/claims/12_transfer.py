"""What notebook 12 says of its figures, in its order; `margins.py` runs it behind the notebook."""

# The reader; new digits: with forty a head alone reads less than from scratch, the others do alike.
assert np.mean(accuracy) > 95


def new_read(results, name):
    return results[name][:, 0].mean()


assert new_read(forty, "frozen base") < new_read(forty, "from scratch") - 2
for name in ("then last layer", "all fine-tuned", "all, higher rate"):
    assert abs(new_read(forty, name) - new_read(forty, "from scratch")) < 5
assert new_read(five, "frozen base") > new_read(five, "from scratch") - 2
assert new_read(five, "then last layer") > new_read(five, "from scratch")
for results in (forty, five):
    for name in ("frozen base", "then last layer", "all fine-tuned", "all, higher rate"):
        assert new_read(results, name) > new_read(results, "frozen random base")


def old_lost(results, name):
    return np.mean(accuracy) - results[name][:, 1].mean()


# What the old digits pay.
assert 1 < old_lost(forty, "all fine-tuned") < 8
assert old_lost(forty, "all, higher rate") > 10
assert old_lost(forty, "then last layer") < 1
assert forty["then last layer"][:, 2].mean() > 2
assert (forty["frozen base"][:, 2:] == [0, 1]).all()
assert old_lost(forty, "from scratch") > 50 and old_lost(forty, "frozen random base") > 50
for name in ("then last layer", "all fine-tuned", "all, higher rate"):
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

# A head that grows.
assert mine.leaks().sum() == 0
assert right(after_growth, old_labels) < right(before_growth, old_labels) - 10
grown = {name: found.mean(axis=0) for name, found in growth.items()}
assert 20 < grown["all trains, fives alone"][2] < 60
assert grown["old kept, fives alone"][1] > grown["all trains, fives alone"][1] + 3
assert grown["old kept, fives alone"][1] < 90
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

# To take home, the padding, the table used twice.
assert not rows_moved[:old].any() and rows_moved[old:].all()
assert padding == (3, 0)
assert tied_moved == (6, 0)

# Memory, exactly.
assert memory["rows split off"] == 2 * FEW * 64 * 4
assert memory["rows masked"] > 100 * memory["rows split off"]
assert memory["compact slots"] < memory["rows masked"] / 2
