"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

import tempfile

from helpers.studies.tables import verdict

# The old task.
assert np.mean(accuracy) > 95 and len(old_labels) == 904


def ahead(first, second, steps):
    """By how many points the first way reads more new digits than the second, for each seed."""
    return (results[first, steps] - results[second, steps])[:, 0]


def points(first, second, steps):
    """The mean of these points."""
    return ahead(first, second, steps).mean()


def is_clear(differences):
    """Whether all seeds agree on the sign."""
    return abs(np.sign(differences).sum()) == len(seeds)


# Forty pictures: a head alone is behind fine-tuning and behind training from scratch, by as much.
for steps in (100, 1000):
    for name in ("all fine-tuned", "from scratch"):
        assert is_clear(ahead("frozen base", name, steps))
        assert points(name, "frozen base", steps) > 3
        assert results["frozen base", steps][:, 0].max() < results[name, steps][:, 0].min()
    assert abs(points("all fine-tuned", "from scratch", steps)) < 4
    assert verdict(ahead("all fine-tuned", "from scratch", steps)) != "ahead"

# The old training is of use to a frozen base.
assert 2.5 < by_training.mean() < 7.5

# With five pictures the seeds disagree, after 1,000 steps, too.
assert verdict(apart) == "not clear" and abs(apart.mean()) < 4
longer = [run(name, 1000, 5, ten_seeds)[:, 0] for name in ("frozen base", "all fine-tuned")]
assert verdict(longer[0] - longer[1]) == "not clear"


def begun(name, seed, steps):
    """Train one way, and leave its averages as they are."""
    begin, layers, rate = ways[name]
    begin(seed)
    reader.train(reader.few(seed, 40), layers, rate, steps, seed)


frozen = results["frozen base", 1000]

# The frozen base keeps every old answer, and each score to the bit.
assert (frozen[:, 2] == 0).all()
for seed in seeds:
    begun("frozen base", seed, 100)
    scores = reader.answers(old_pictures, reader.weights(seed)[-2:])
    assert scores.tobytes() == scores_at_first[seed].tobytes()

# A head alone is too little, and one layer more is enough; the first one costs most of the old.
new = {name: found[:, 0] for name, found in after.items()}
old_of = {name: found[:, 1] for name, found in after.items()}
lost = {name: (old_of["frozen base"] - old_of[name]).mean() for name in old_of}
missing = (new["all fine-tuned"] - new["frozen base"]).mean()
for name in ("first layer and head", "second layer and head"):
    assert (new[name] - new["frozen base"]).mean() > 0.6 * missing > 2
assert 1 < lost["second layer and head"] < 4.5
assert 8 < lost["first layer and head"] < 25
assert lost["first layer and head"] > 2 * lost["all fine-tuned"] > 2

# New averages alone undo most of the loss, and cost some new digits.
renewed = "first layer, averages renewed"
in_all = lost["first layer and head"]
assert lost[renewed] < 0.45 * in_all
assert 0.3 < (new["first layer and head"] - new[renewed]).mean() < 6

# With its normalisation, the first layer costs about a third, and as many new digits are read.
both = "first layer, normalisation, head"
assert 0.2 < lost[both] / in_all < 0.45
assert abs((new[both] - new["first layer and head"]).mean()) < 3
assert abs((old_of[both] - old_of["all fine-tuned"]).mean()) < 4

# The control: the second layer keeps as many without its normalisation, and learns as many.
with_its = after["second layer, normalisation, head"]
for column in (0, 1):
    assert abs((with_its - after["second layer and head"])[:, column].mean()) < 2
for name in ("second layer and head", "second layer, normalisation, head"):
    assert lost[name] < lost[both] - 1

# How far the means behind a layer move: behind the first one by half a spread, alike for old digits
# and new ones, and behind the second by less than half of that.
far = {}
for number, name in [(0, "first layer and head"), (2, "second layer and head")]:
    for seed in seeds:
        of_old, of_new = (shift(name, number, each, seed) for each in (old_pictures, new_pictures))
        if number == 0:
            assert np.corrcoef(of_old, of_new)[0, 1] > 0.95
        far.setdefault(number, []).append([np.abs(each).mean() for each in (of_old, of_new)])
of_first, of_second = np.mean(far[0], axis=0), np.mean(far[2], axis=0)
assert of_first.min() > 0.4 and of_first.max() < 0.66 and abs(of_first[0] - of_first[1]) < 0.06
assert (of_second < 0.5 * of_first).all()

# New averages give the second layer nothing.
lost_more = []
for seed in seeds:
    reader.model.set_weights(weights_after["second layer and head", seed])
    reader.settle(reader.few(seed, 40), [everything[3]])
    lost_more.append(measure(seed)[1])
assert abs((old_of["second layer and head"] - lost_more).mean()) < 1.5

# The frozen base reads no more at rates that are higher than those first offered.
for steps in (100, 1000):
    read_at = {rate: [] for rate in (0.03, 0.1, 0.3)}
    for rate, found in read_at.items():
        for seed in seeds:
            trained_base(seed)
            reader.train(reader.few(seed, 40), [head], rate, steps, seed)
            found.append(measure(seed)[0])
    assert max(np.mean(read_at[0.1]), np.mean(read_at[0.3])) < np.mean(read_at[0.03]) + 0.3

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
assert reach([0, 4], 0.003)[1] + 6 < reach([0, 1, 4], 0.003)[1]
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
again.trainable = False
again.trainable = True
assert len(again.trainable_variables) == 2
