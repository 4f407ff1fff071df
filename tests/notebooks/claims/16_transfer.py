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

# The frozen base is nowhere ahead of fine-tuning, nor anything with five pictures; old training
# helps fine-tuning with ten.
assert all(verdict(each) != "ahead" for each in (read["frozen base"] - read["all fine-tuned"]).T)
for first, second in pairs:
    assert abs((read[first] - read[second])[:, 0].mean()) < 4
helped = read["all fine-tuned"] - read["from scratch"]
assert (helped[:, 1] > 0).sum() >= len(seeds) - 1 and helped[:, 1].mean() > 0.3

# Without settled averages fine-tuning would seem to be ahead of training from scratch.
tuned, scratch_read = (
    run(name, 100, settle=0)[:, 0] for name in ("all fine-tuned", "from scratch")
)
assert 4 < (tuned - scratch_read).mean() < 16
assert 7 < results["from scratch", 100][:, 0].mean() - scratch_read.mean() < 14

# Not the averages are the reason, nor is the old training in vain; a head alone is too little.
new = {name: found[:, 0] for name, found in after.items()}
old = {name: found[:, 1] for name, found in after.items()}
assert (new["frozen, new averages"] - new["frozen base"]).mean() < 1
assert 1 < (new["frozen base"] - new["frozen random base"]).mean() < 10
assert ((new["frozen base"] - new["frozen random base"]) > 0).sum() >= len(seeds) - 1
missing = (new["all fine-tuned"] - new["frozen base"]).mean()
for name in ("first layer, too", "second layer, too"):
    assert (new[name] - new["frozen base"]).mean() > 0.6 * missing > 2
assert 1 < (old["frozen base"] - old["second layer, too"]).mean() < 4
assert 8 < (old["frozen base"] - old["first layer, too"]).mean() < 25
lost = {name: (old["frozen base"] - old[name]).mean() for name in old}
for name in ("first two, too", "first, then averages"):
    assert 0.2 < lost[name] / lost["first layer, too"] < 0.45
assert abs((new["first two, too"] - new["first layer, too"]).mean()) < 3

# What the old digits pay.
assert (after["frozen base"][:, 2:] == 0).all()
assert 0 < (old["frozen base"] - old["frozen, new averages"]).mean() < 2.5
for name in ("first two, too", "all fine-tuned"):
    assert 1 < (np.mean(accuracy) - old[name]).mean() < 9
    assert after[name][:, 2].mean() > 10 and (after[name][:, 3] == len(old_labels)).all()
assert old["frozen random base"].mean() < 28

# The heads' rate is no worse than a higher one, which stood outside of those first offered.
for begin in (trained_base, random_base):
    read_at = {rate: [] for rate in (0.03, 0.1)}
    for rate, found in read_at.items():
        for seed in seeds:
            begin(seed)
            reader.train(reader.few(seed, 40), everything[-1:], rate, 100, seed)
            found.append(measure(seed)[0])
    assert np.mean(read_at[0.03]) > np.mean(read_at[0.1])

# After 100 steps the second layer and the head keep more than all layers, and learn about as much.
middle, whole = (run(name, 100).mean(axis=0) for name in ("second layer, too", "all fine-tuned"))
assert middle[1] > whole[1] + 0.5 and abs(middle[0] - whole[0]) < 3

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
