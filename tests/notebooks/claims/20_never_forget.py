"""What Never forget says of its figures, in its order; `margins.py` runs it behind the notebook."""

# It forgets; a camera that was not learnt yet is read by chance, or little.
assert curves[9, 0] > 85
assert 10 < curves[29, 0] < 45
assert abs(curves[:20, 2][:9] - 10).max() < 3
assert 20 < curves[9, 1] < 40  # the teacher of camera 2; 29 on the page

# Advice, all at one rate but for what is done first.
no_freeze, first, middle, last = "lower rate", "first frozen", "middle frozen", "last frozen"
assert lower == 0.0001 and abs(0.003 / lower - 30) < 1e-6
assert study.gain(no_freeze, "nothing done").mean() > 5
assert 6 < (study.newest("nothing done") - study.newest(no_freeze)).mean() < 14
assert study.gain(first, no_freeze).mean() < -3
assert (study.newest(first) - study.newest(no_freeze)).mean() < -5
alone, held = [np.array([learn_all(w, s, lower) for s in seeds]) for w in (nothing, freeze[0])]
assert (held.mean(axis=0) < alone.mean(axis=0) - 2).all()  # each camera
assert study.gain(last, first).min() > 0 and study.gain(last, first).mean() > 10
assert study.gain(last, no_freeze).min() > 0 and study.gain(last, no_freeze).mean() < 10
slower = study.newest(no_freeze) - study.newest(last)
assert 0.5 < slower.mean() < 3.5
assert (study.newest(last) - study.newest(middle)).mean() > 3
assert 2 < study.gain(middle, no_freeze).mean() < 8
assert 7 < (study.newest(no_freeze) - study.newest(middle)).mean() < 15
# The rate of a frozen first layer would be 0.0003; there, too, it keeps less than no freeze.
two = [np.array([learn_all(way, s, 0.0003) for s in seeds]) for way in (nothing, freeze[0])]
assert two[0][:, -1].mean() > two[1][:, -1].mean() + 3
assert two[0][:, :-1].mean() > two[1][:, :-1].mean() + 3
# Nor is a still lower rate as good as a frozen last layer.
study.learn("still lower", nothing, 0.00007)
assert study.gain(last, "still lower").mean() > 0
assert (study.newest(last) - study.newest("still lower")).mean() > 2
assert study.choose([0.0001, 0.0003, 0.001], {0: freeze[0]}) == (0.0003, 0)


# Nor does a longer first training help the frozen first layer.
def after_long(way, seed):
    """What is kept of the older two where camera 1 gets 1,000 steps."""
    reader.start(seed)
    reader.learn(cameras[0], steps=1000)
    reader.optimizer.learning_rate.assign(lower)
    for number in (1, 2):
        reader.learn(cameras[number], steps=1000, **way(cameras[:number], seed))
    return np.mean([reader.right(task) for task in cameras[:2]])


longer = [np.mean([after_long(way, s) for s in seeds]) for way in (nothing, freeze[0])]
assert longer[1] < longer[0] - 2

# Distillation: older for new, and about a point of all three at best.
at = {s: at_strength(s) for s in (0, 0.1, 0.3, 1, 3)}
for less, more in ((0, 0.1), (0.1, 0.3), (0.3, 1)):
    assert at[less]["the older two"] < at[more]["the older two"]
    assert at[less]["the newest"] > at[more]["the newest"]
assert 0 < max(each["all three"] for each in at.values()) - at[0]["all three"] < 2.5
assert at[0.1]["the older two"] < at[0]["the older two"] + 5  # the goal
assert max(at[1]["the older two"], at[3]["the older two"]) > at[0]["the older two"] + 5
assert at[3]["the newest"] < at[1]["the newest"] - 10

# Old pictures: five of each digit are enough, one is not, and the newest camera loses hardly any.
one, five = "replay of 1", "replay of 5"
assert study.older(one).mean() < 76
for other in (last, "distillation, 1"):
    assert study.gain(one, other).mean() > -3
assert abs((study.newest(one) - study.newest("nothing done")).mean()) < 1.5
assert study.older(five).mean() > 82
strengths = [f"distillation, {s}" for s in (0.1, 0.3, 1, 3)]
for other in ("nothing done", no_freeze, first, middle, last, *strengths):
    assert study.gain(five, other).min() > 0
    assert study.gain(five, other).mean() > 10
assert abs((study.newest(five) - study.newest("nothing done")).mean()) < 1.5
assert study.gain("all kept", "replay of 20").mean() > 2

# More of them: the first bring most; with 50, and not with 20, the cameras are read alike.
kept_few = {count: with_few(count) for count in (1, 2, 5, 10, 20, 50)}
rise = {count: at["the older two"] for count, at in kept_few.items()}
assert rise[5] - rise[1] > rise[50] - rise[5] + 1
apart = {count: at["the newest"] - at["the older two"] for count, at in kept_few.items()}
assert apart[20] > 2.5
assert -1 < apart[50] < 2
assert 0.4 < 50 * 10 / len(cameras[0].part["train"][1]) < 0.6

# The rates are those that the choice gives, and none is at the end of what was offered.
OFFERED = [[0.00005, 0.0001, 0.0003], [0.001, 0.003, 0.01]]
assert study.choose(OFFERED[0], {0: nothing}) == (0.0001, 0)
assert study.choose(OFFERED[0], {0: freeze[2]}) == (0.0001, 0)
assert study.choose(OFFERED[1], {0: partial(replay, count=5)}) == (0.003, 0)
distilled = {s: partial(distil, strength=s) for s in (0.1, 0.3, 1)}
assert study.choose(OFFERED[0], distilled)[0] == 0.0001

# At home: kept examples are of all classes, weights do as well as copies, and a file has none.
assert len(set(kept_labels)) == 5
model.set_weights(weights)
inputs, weighed = np.concatenate([new[train], kept]), np.repeat([1.0, 20.0], [500, 25])
model.compile(keras.optimizers.Adam(0.01), loss, metrics=["accuracy"])
both = np.concatenate([y[train], kept_labels])
model.fit(inputs, both, sample_weight=weighed, epochs=10, verbose=0)
assert model.evaluate(old[test], y[test], verbose=0)[1] > 0.6
