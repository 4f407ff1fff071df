"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

import itertools
import tempfile

# The old task.
assert np.mean(accuracy) > 95 and len(old_labels) == 904


def apart(first, second, steps):
    """By how many points the first way reads more new digits than the second."""
    return ahead(first, second, steps).mean()


def is_clear(*pair_and_steps):
    """Whether all seeds agree on the sign."""
    return abs(np.sign(ahead(*pair_and_steps)).sum()) == len(seeds)


# Forty pictures: a head alone is behind fine-tuning and behind training from scratch.
for steps in (100, 1000):
    for name in ("head first", "all fine-tuned", "from scratch"):
        assert is_clear("frozen base", name, steps)
        assert apart(name, "frozen base", steps) > 3
    assert 1 < apart("frozen base", "frozen random base", steps) < 10
    assert (ahead("frozen base", "frozen random base", steps) > 0).sum() >= len(seeds) - 1
    assert verdict(ahead("head first", "all fine-tuned", steps)) != "ahead"
    assert abs(apart("all fine-tuned", "from scratch", steps)) < 4
    assert verdict(ahead("all fine-tuned", "from scratch", steps)) != "ahead"


def unsettled(name, seed):
    """The new digits read after 100 steps if the averages do not settle."""
    begin, layers, rate = ways[name]
    begin(seed)
    reader.train(reader.few(seed, 40), layers, rate, 100, seed)
    return measure(seed)[0]


scratch_settled = results["from scratch", 100][:, 0].mean()
assert 7 < scratch_settled - np.mean([unsettled("from scratch", seed) for seed in seeds]) < 14

# Averages of the new pictures do not help a frozen base.
for steps in (100, 1000):
    assert apart("frozen, new averages", "frozen base", steps) < 1
cost = results["frozen base", 1000][:, 1] - results["frozen, new averages", 1000][:, 1]
assert 0 < cost.mean() < 2.5

# Five pictures: the three are alike after 1,000 steps.
of_five = {}
for name in ("frozen base", "all fine-tuned", "from scratch"):
    begin, layers, rate = ways[name]
    of_five[name] = []
    for seed in seeds:
        begin(seed)
        reader.train(reader.few(seed, 5), layers, rate, 1_000, seed)
        if layers is everything:
            reader.train(reader.few(seed, 5), everything, 0.0, 300, seed)
        of_five[name].append(measure(seed)[0])
for first, second in itertools.combinations(of_five.values(), 2):
    assert verdict(np.subtract(first, second)) == "not clear"

# The heads' rate is no worse than a higher one, which stood outside of those first offered.
for begin in (trained_base, random_base):
    read_at = {rate: [] for rate in (0.03, 0.1)}
    for rate, found in read_at.items():
        for seed in seeds:
            begin(seed)
            reader.train(reader.few(seed, 40), everything[-1:], rate, 100, seed)
            found.append(measure(seed)[0])
    assert np.mean(read_at[0.03]) > np.mean(read_at[0.1])


def mean(name, column, steps=1000):
    """A mean over the seeds after so many steps on forty pictures."""
    return results[name, steps][:, column].mean()


# What the old digits pay.
for steps in (100, 1000):
    assert 1 < np.mean(accuracy) - mean("all fine-tuned", 1, steps) < 9
    assert mean("all fine-tuned", 2, steps) > 10
    assert mean("all fine-tuned", 3, steps) == len(old_labels)
    assert (results["frozen base", steps][:, 2:] == 0).all()
    for name in ("from scratch", "frozen random base"):
        assert 10 < mean(name, 1, steps) < 28
for column, least, most in ((1, -25, -8), (0, -3, 5)):
    assert (
        least < mean("all, higher rate", column, 100) - mean("all fine-tuned", column, 100) < most
    )
assert abs(mean("head first", 1) - mean("all fine-tuned", 1)) < 2

# The second layer and the head keep more than all layers at the same rate, and learn about as much.
middle = []
for seed in seeds:
    trained_base(seed)
    reader.train(reader.few(seed, 40), [everything[2], head], 0.003, 100, seed)
    middle.append(measure(seed)[:2])
new, old = np.mean(middle, axis=0)
assert old > mean("all fine-tuned", 1, 100) + 0.5
assert abs(new - mean("all fine-tuned", 0, 100)) < 3

# The two corners of the form, and how they are reached.


def reach(numbers, rate):
    """Train these of the five layers by the form."""
    for number, box in enumerate(corner.ticks.values()):
        box.value = number in numbers
    corner.rate.value = rate
    return corner.train()


both = reach([2, 4], 0.003), reach([2, 3, 4], 0.003)
assert all(new >= 75 and old >= 96 for new, old in both) and len(corner.reached) == 1
assert reach([0, 1, 2, 3, 4], 0.003)[1] < min(old for _, old in both)
reach([0, 4], 0.03)
assert len(corner.reached) == 2

# A flag that says `True` already is not passed on.
reader.model.trainable = True
for layer, flag in zip(everything, (True, False, True, False, True)):
    layer.trainable = flag
reader.model.trainable = True
assert [layer.trainable for layer in everything] == [True, False, True, False, True]

# So a loaded Sequential base, whose layers are frozen, stays so.
with tempfile.TemporaryDirectory() as folder:
    inner = keras.Sequential([keras.Input((2,)), keras.layers.Dense(2)], name="base")
    outer = keras.Sequential([inner, keras.layers.Dense(1)])
    inner.trainable = False
    outer.save(f"{folder}/model.keras")
    again = keras.models.load_model(f"{folder}/model.keras").get_layer("base")
assert again.trainable and not again.trainable_variables
again.trainable = True
assert not again.trainable_variables
