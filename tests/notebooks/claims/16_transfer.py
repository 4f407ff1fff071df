"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

import tempfile

# The old task.
assert np.mean(accuracy) > 95 and len(old_labels) == 904


def apart(first, second, steps):
    """By how many points the first way reads more new digits than the second."""
    return ahead(first, second, steps).mean()


def is_clear(differences):
    """Whether all seeds agree on the sign."""
    return abs(np.sign(differences).sum()) == len(seeds)


# Forty pictures: a head alone is behind fine-tuning and behind training from scratch, by as much.
for steps in (100, 1000):
    for name in ("all fine-tuned", "from scratch"):
        assert is_clear(ahead("frozen base", name, steps))
        assert apart(name, "frozen base", steps) > 3
    assert abs(apart("all fine-tuned", "from scratch", steps)) < 4
    assert verdict(ahead("all fine-tuned", "from scratch", steps)) != "ahead"

# The frozen base is nowhere clearly ahead of fine-tuning, nor anything with five pictures; old
# training helps fine-tuning with ten.
assert all(verdict(each) != "ahead" for each in (read["frozen base"] - read["all fine-tuned"]).T)
for first, second in pairs:
    assert abs((read[first] - read[second])[:, 0].mean()) < 4
helped = read["all fine-tuned"] - read["from scratch"]
assert (helped[:, 1] > 0).sum() >= len(seeds) - 1 and helped[:, 1].mean() > 0.3


def begun(name, seed, steps):
    """Train one way, and leave its averages as they are."""
    begin, layers, rate = ways[name]
    begin(seed)
    reader.train(reader.few(seed, 40), layers, rate, steps, seed)


def settle(pictures, layers):
    reader.train(pictures, layers, 0.0, 300, 0)


# Without settled averages fine-tuning would seem to be ahead of training from scratch.
unsettled = {}
for name in ("all fine-tuned", "from scratch"):
    unsettled[name] = []
    for seed in seeds:
        begun(name, seed, 100)
        unsettled[name].append(measure(seed)[0])
tuned, scratch_read = map(np.array, unsettled.values())
assert 4 < (tuned - scratch_read).mean() < 16 and 0.36 < 0.99**100 < 0.375
assert 7 < results["from scratch", 100][:, 0].mean() - scratch_read.mean() < 14
assert 0.9**100 < 0.001

# Not the averages are the reason why the frozen base is behind, nor is the old training in vain.
frozen = results["frozen base", 1000]
others = {"new averages": [], "random": []}
for seed in seeds:
    few = reader.few(seed, 40)
    trained_base(seed)
    settle(few, everything)
    reader.train(few, [head], 0.03, 1000, seed)
    others["new averages"].append(measure(seed)[0])
    reader.model.set_weights(reader.settled(seed))
    reader.train(few, [head], 0.03, 1000, seed)
    others["random"].append(measure(seed)[0])
assert np.mean(others["new averages"] - frozen[:, 0]) < 1
assert 1 < np.mean(frozen[:, 0] - others["random"]) < 10

# The frozen base keeps every old answer, and each score to the bit.
assert (frozen[:, 2] == 0).all()
for seed in seeds:
    begun("frozen base", seed, 100)
    scores = reader.answers(old_pictures, reader.weights(seed)[-2:])
    assert scores.tobytes() == scores_at_first[seed].tobytes()

# A head alone is too little, and one layer more is enough; the first one costs most of the old.
new = {name: found[:, 0] for name, found in after.items()}
old = {name: found[:, 1] for name, found in after.items()}
lost = {name: (old["frozen base"] - old[name]).mean() for name in old}
missing = (new["all fine-tuned"] - new["frozen base"]).mean()
for name in ("first layer and head", "second layer and head"):
    assert (new[name] - new["frozen base"]).mean() > 0.6 * missing > 2
assert 1 < lost["second layer and head"] < 4.5
assert 8 < lost["first layer and head"] < 25
assert lost["first layer and head"] > 2 * lost["all fine-tuned"] > 2

# Head first, then all: between the frozen base and fine-tuning.
between = new["head first, then all"].mean()
assert new["frozen base"].mean() + 1 < between < new["all fine-tuned"].mean() - 1
assert 0.3 < lost["head first, then all"] < lost["all fine-tuned"]

# Two thirds of the loss are of the averages; then it is about as with all; the second layer's
# normalisation matters little.
moved = ("first layer, then averages", "first layer and normalisation")
for name in moved:
    assert 0.2 < lost[name] / lost["first layer and head"] < 0.45
assert abs((new[moved[1]] - new["first layer and head"]).mean()) < 3
assert abs((old[moved[1]] - old["all fine-tuned"]).mean()) < 4
assert verdict(old[moved[1]] - old["all fine-tuned"]) == "not clear"
ways["second two"] = (trained_base, [*everything[2:4], head], 0.003)
second = []
for seed in seeds:
    begun("second two", seed, 1000)
    settle(reader.few(seed, 40), ways["second two"][1])
    second.append(measure(seed)[1])
assert abs(np.mean(second - old["second layer and head"])) < 3

# The head's rate is no worse than a higher one, which stood outside of those first offered.
read_at = {rate: [] for rate in (0.03, 0.1)}
for rate, found in read_at.items():
    for seed in seeds:
        trained_base(seed)
        reader.train(reader.few(seed, 40), [head], rate, 100, seed)
        found.append(measure(seed)[0])
assert np.mean(read_at[0.03]) > np.mean(read_at[0.1])

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
again.trainable = False
again.trainable = True
assert len(again.trainable_variables) == 2
