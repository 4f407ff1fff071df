"""What Never forget says of its figures, in its order; `margins.py` runs it behind the notebook."""

# It forgets; and the teacher of distillation has hardly read camera 2.
assert curves[9, 0] > 85
assert 10 < curves[29, 0] < 45
assert curves[9, 1] < 50

# Advice, all at one rate but for what is done first.
no_freeze, first, last = "lower rate", "lower rate, first frozen", "lower rate, last frozen"
assert lower == 0.0001 and abs(0.003 / lower - 30) < 1e-6
assert study.gain(no_freeze, "nothing done").mean() > 5
assert study.gain(first, no_freeze).mean() < -3
assert (study.newest(first) - study.newest(no_freeze)).mean() < -5
assert study.gain(last, first).min() > 0 and study.gain(last, first).mean() > 10
assert study.gain(last, no_freeze).min() > 0 and study.gain(last, no_freeze).mean() < 10
slower = study.newest(no_freeze) - study.newest(last)
assert 0.5 < slower.mean() < 3.5
assert 6 < (study.newest("nothing done") - study.newest(no_freeze)).mean() < 14
# At 0.0003 a frozen first layer reads more of all three, and keeps less than no freeze there, too.
two = [np.array([learn_all(way, s, 0.0003) for s in seeds]) for way in (nothing, freeze_first)]
assert two[0][:, :-1].mean() > two[1][:, :-1].mean() + 3
assert study.choose([0.0001, 0.0003, 0.001], {0: freeze_first}) == (0.0003, 0)

# Old answers add a point.
assert 0 < study.gain("distillation", no_freeze).mean() < 2.5

# Old pictures: five of each digit are enough, one is not, and the newest camera loses hardly any.
one, five = "replay, 1 per digit", "replay, 5 per digit"
assert study.older(one).mean() < 76
assert study.older(five).mean() > 82
for other in ("nothing done", no_freeze, first, last, "distillation"):
    assert study.gain(five, other).min() > 10
assert abs((study.newest(five) - study.newest("nothing done")).mean()) < 1.5

# More of them: the first bring most; with 50, and not with 20, the cameras are read alike.
kept_few = {count: with_few(count) for count in (1, 2, 5, 10, 20, 50)}
rise = {count: at["the older two"] for count, at in kept_few.items()}
assert 13 < rise[5] - rise[1] < 21
assert 5 < rise[20] - rise[5] < 9
apart = {count: at["the newest"] - at["the older two"] for count, at in kept_few.items()}
assert apart[20] > 2.5
assert -1 < apart[50] < 2
assert 0.4 < 50 * 10 / len(cameras[0].part["train"][1]) < 0.6

# The settings are those that the choice gives, and none is at the end of what was offered.
OFFERED = [[0.00005, 0.0001, 0.0003], [0.001, 0.003, 0.01]]


def distilled(strength):
    """The way of the page, with the teacher's answers weighing this much."""

    def extra(pictures, logits):
        return strength / 0.1 * old_answers(pictures, logits)

    return lambda learnt, seed: distil(learnt, seed) and {"extra": extra}


assert study.choose(OFFERED[0], {0: nothing}) == (0.0001, 0)
assert study.choose(OFFERED[0], {0: freeze_last}) == (0.0001, 0)
assert study.choose(OFFERED[1], {0: partial(replay, count=5)}) == (0.003, 0)
assert study.choose(OFFERED[0], {s: distilled(s) for s in (0.03, 0.1, 0.3)}) == (0.0001, 0.1)

# At home: kept examples are of all classes, weights do as well as copies, and a file has none.
assert len(set(kept_labels)) == 5
model.set_weights(weights)
inputs, weighed = np.concatenate([new[train], kept]), np.repeat([1.0, 20.0], [500, 25])
model.compile(keras.optimizers.Adam(0.01), loss, metrics=["accuracy"])
both = np.concatenate([y[train], kept_labels])
model.fit(inputs, both, sample_weight=weighed, epochs=10, verbose=0)
assert model.evaluate(old[test], y[test], verbose=0)[1] > 0.65
