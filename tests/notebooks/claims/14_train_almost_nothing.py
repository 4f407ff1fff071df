"""What notebook 14 says of its figures, in its order; `margins.py` runs it behind the notebook."""

assert upright > 93
assert turned < 35

# At one rate for all Fisher leads clearly; it likes the last layer, and the largest the first.
assert winner == "Fisher"
assert first_lead > 5
assert (~choose("Fisher", seeds[0], 586)[4]).sum() > 586 / 3
assert (~choose("largest", seeds[0], 586)[0]).sum() > 586 / 2

# The sum over its free cells is larger, and the others catch up in time.
for kind in ("largest", "random"):
    assert np.mean(sums["Fisher"]) > 3 * np.mean(sums[kind])
    assert np.mean(later["Fisher"]) - np.mean(later[kind]) < 12
    assert (
        np.mean(later["Fisher"]) - np.mean(later[kind])
        < (np.mean(same_rate["Fisher"]) - np.mean(same_rate[kind])) * 0.7
    )
assert max(late.values()) - min(late.values()) < 4

# The largest gradients have the largest sum, and read fewer digits in the end.
seed = seeds[0]
steepest = masks.all_but_largest([np.abs(g) for g in reader.gradient(seed)], 586 / reader.size)
assert pull(seed, steepest) > sums["Fisher"][0]
reader.adapt(seed, steepest, rate=0.01)
assert reader.right() < same_rate["Fisher"][0]

# At a rate of its own for each, nothing is left of the lead.
assert apart.mean() < 1


def mean(kind, number):
    return np.mean(by_count[kind][number])


# From one percent on chosen cells are no better than drawn ones, and one can choose badly.
for number in (1, 2, 3):
    several = [mean(kind, number) for kind in kinds]
    assert max(several) - min(several) < 8
for number in (2, 3):
    assert mean("random", number) > mean("Fisher", number)
assert np.mean(others["least Fisher", 586]) < mean("random", 2) - 8

# With 52 cells Fisher is ahead of a plain draw, and as many by lot in its layers do as well.
assert mean("Fisher", 0) > mean("random", 0)
assert np.mean(others["random in Fisher's layers", 52]) > mean("Fisher", 0) - 3
share = [(~choose("Fisher", seed, 52)[4]).sum() for seed in seeds]
assert np.mean(share) > 45

# What kind of numbers train.
assert np.mean(others["biases", 266]) < mean("random", 1) - 10
assert 1 < mean("random", 3) - np.mean(others["last layer", 1290]) < 9
assert 1 < mean("random", 2) - np.mean(others["low rank", 586]) < 10
assert abs(np.mean(whole) - mean("random", 3)) < 3

# A rate above the highest, 0.3, for all that are best at it.
edge = [masked(kind, 52) for kind in kinds]
edge += [masked("largest", 266), masked("random", 266), masked("random", 586)]
for way in edge:
    at_highest, above = on_validation(way, [0.3, 1.0])
    assert above < at_highest
at_highest, above = on_validation(fisher_layers, [0.3, 1.0])
assert 0 < above - at_highest < 5
assert np.argmax(on_validation(biases, [0.1, 0.3])) == 0

# The patch is the adapted network, and compact takes the same steps with a small memory.
assert patched_differs == 0
assert undone_differs == 0
seed, frozen = 0, choose("random", 0, 586)
model = networks.dense(0, dtype="float64")
model.set_weights(reader.weights(seed))
compact = freezable(keras.optimizers.Adam, compact=True)(0.1)
trial = trials.Trial(model, compact, jit_compile=True)  # as the reader, which rounds so
for variable, mask in zip(trial.variables, frozen):
    trial.optimizer.freeze_cells(variable, mask)
trial.train(*reader.turned.part["train"], 100, seed)
assert count_differing(model.get_weights(), adapted) == 0
assert trial.optimizer.bytes_kept() == kept_compact
assert kept_compact < 0.04 * kept_masked

# The contest: Fisher comes last, and its cells stand close together, which is not the reason.
found = {name: np.mean(each) for name, each in contest.scores.items()}
assert found["Fisher"] < min(found["largest"], found["random"]) - 5
assert 1.5 < found["random, with ink"] - found["random"] < 4.5
assert abs(found["random, with ink"] - found["largest"]) < 2.5
assert (~has_ink).sum() == 13
rows, columns = (~rivals["Fisher"]).any(axis=1), (~rivals["Fisher"]).any(axis=0)
assert rows.sum() == 31
assert columns.sum() == 35
nearby = np.where(np.outer(rows, columns), drawn, 0)
assert np.mean(judge(masks.all_but_largest([nearby], 384 / 8192)[0])) > found["Fisher"] + 10

# The ticket: as fast as the whole network at 37 %, and the best of the small ones at 5 %.
assert more and not five
for rival in ("drawn again", "random mask"):
    assert abs(lead(0.37, rival, 1)) < 5
    assert lead(0.05, rival, 1) > 5
for rival in ("whole", "drawn again", "random mask"):
    assert abs(lead(0.37, rival, 2)) < 2.5
assert races[0.37]["ticket"][:, 0].mean() > 40
for moment in (1, 2):
    slow, fast = np.array(whole_slower)[:, moment], np.array(whole_runs)[:, moment]
    assert np.mean(slow) > np.mean(fast) - 1

# The gradient passes straight through.
assert (gradient.numpy() == slopes.numpy()).all()

# Never trained.
assert np.mean(chosen) > 90
assert np.mean(trained) - 5 < np.mean(chosen) < np.mean(trained)
assert sum(changed) == 0
