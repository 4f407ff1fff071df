"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

# The old task.
assert np.mean(accuracy) > 95 and len(old_labels) == 904


def apart(first, second, *setting):
    """By how many points the first way reads more new digits than the second."""
    return ahead(first, second, *setting)[0]


# Forty pictures: a head alone is behind fine-tuning; from scratch overtakes it with more steps.
for steps in (100, 1000):
    assert ahead("frozen base", "all fine-tuned", 40, steps)[1] == "all fine-tuned"
    assert apart("all fine-tuned", "frozen base", 40, steps) > 3
assert ahead("frozen base", "from scratch", 40, 1000)[1] == "from scratch"
assert apart("from scratch", "frozen base", 40, 1000) > 3
assert apart("frozen base", "from scratch", 40, 100) > 0

# Five pictures: the three are alike after 1,000 steps.
for pair in (("frozen base", "all fine-tuned"), ("frozen base", "from scratch")):
    assert ahead(*pair, 5, 1000)[1] == "no clear difference"
    assert abs(apart(*pair, 5, 1000)) < 4

# The head first gains nothing clear: with forty pictures it reads fewer, on average.
for steps in (100, 1000):
    assert apart("all fine-tuned", "head first", 40, steps) > 0
    assert ahead("all fine-tuned", "head first", 5, steps)[1] == "no clear difference"

# What the old task has taught; a start from it learns sooner.
for setting in settings:
    assert 1 < apart("frozen base", "frozen random base", *setting) < 10
for count in (40, 5):
    assert apart("all fine-tuned", "from scratch", count, 100) > 2
    assert ahead("all fine-tuned", "from scratch", count, 1000)[1] == "no clear difference"


def mean(name, column, steps=1000):
    """A mean over the seeds after so many steps on forty pictures."""
    return results[name, 40, steps][:, column].mean()


# What the old digits pay.
for steps in (100, 1000):
    assert 1 < np.mean(accuracy) - mean("all fine-tuned", 1, steps) < 9
    assert 0 < np.mean(accuracy) - mean("head first", 1, steps) < 12
    assert mean("all fine-tuned", 2, steps) > 10
    assert mean("all fine-tuned", 3, steps) == len(old_labels)
    assert (results["frozen base", 40, steps][:, 2:] == 0).all()
    for name in ("from scratch", "frozen random base"):
        assert 10 < mean(name, 1, steps) < 28
assert mean("all, higher rate", 1, 100) < mean("all fine-tuned", 1, 100) - 8
assert abs(mean("all, higher rate", 0, 100) - mean("all fine-tuned", 0, 100)) < 4

# The list: the averages alone change; with the other scanner that costs many.
assert changed_by["flag"] == []
assert all("moving" in name for name in changed_by["list"]) and len(changed_by["list"]) == 4
assert np.mean(accuracy) - averages["list", "same"][:, 1].mean() < 3
assert np.mean(accuracy) - averages["list", "other"][:, 1].mean() > 12
assert (averages["flag", "other"][:, 2:] == 0).all()

# A frozen number is not a kept answer; the paint saves some all the same.
assert lab.leaks().sum() == 0
assert 60 < read("0 to 4") < 90 and read("fives") > 60
painted = read("0 to 4")
lab.reset()
lab.frozen = np.zeros((24, 6), bool)
lab.train(200)
assert read("0 to 4") < painted - 3
lab.close()


def grown_to(column, shown, kept, steps):
    """A mean over the seeds: old digits read, fives read, whether old scores have changed."""
    return growth[kept, shown][:, [100, 1000].index(steps), column].mean()


for steps in (100, 1000):
    frozen_alone = grown_to(0, "fives alone", "old frozen", steps)
    assert grown_to(0, "fives alone", "all train", steps) + 4 < frozen_alone < 90
    for kept in ("all train", "old frozen"):
        assert 91 < grown_to(0, "old ones, too", kept, steps) < 98
    assert grown_to(0, "old ones, too", "old frozen", steps) < 96.5
    for shown in ("fives alone", "old ones, too"):
        assert grown_to(2, shown, "old frozen", steps) == 0
        assert grown_to(2, shown, "all train", steps) == 1
for kept in ("all train", "old frozen"):
    longer = grown_to(0, "fives alone", kept, 1000)
    assert longer < grown_to(0, "fives alone", kept, 100)

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
