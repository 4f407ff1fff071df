"""What notebook 14 says of its figures, in its order; `margins.py` runs it behind the notebook."""

assert upright > 93
assert turned < 35

# At one rate for all Fisher leads clearly; it likes the last layer, and the largest the first.
assert winner == "Fisher"
assert first_lead > 5
assert (~choose("Fisher", seeds[0], 586)[4]).sum() > 586 / 3
assert (~choose("largest", seeds[0], 586)[0]).sum() > 586 / 2

# The sum over its free cells is larger, and the others catch up in time.
sums, gaps = {}, {}
for kind in kinds:
    sums[kind], gaps[kind] = [], []
    for seed in seeds:
        frozen = choose(kind, seed, 586)
        pairs = zip(reader.gradient(seed), frozen)
        sums[kind].append(sum(np.abs(g[~mask]).sum() for g, mask in pairs))
        reader.adapt(seed, frozen, rate=0.01, steps=300)
        gaps[kind].append(reader.right())
for kind in ("largest", "random"):
    assert np.mean(sums["Fisher"]) > 3 * np.mean(sums[kind])
    assert np.mean(gaps["Fisher"]) - np.mean(gaps[kind]) < 12
    assert (
        np.mean(gaps["Fisher"]) - np.mean(gaps[kind])
        < (np.mean(same_rate["Fisher"]) - np.mean(same_rate[kind])) * 0.7
    )

# The largest gradients have the largest sum, and read fewer digits in the end; and at the same rate
# all three come to the same in time.
seed = seeds[0]
steepest = masks.all_but_largest([np.abs(g) for g in reader.gradient(seed)], 586 / reader.size)
most = sum(np.abs(g[~mask]).sum() for g, mask in zip(reader.gradient(seed), steepest))
assert most > sums["Fisher"][0]
reader.adapt(seed, steepest, rate=0.01)
assert reader.right() < same_rate["Fisher"][0]
late = []
for kind in kinds:
    reader.adapt(seed, choose(kind, seed, 586), rate=0.01, steps=2000)
    late.append(reader.right())
assert min(late) > 91 and max(late) - min(late) < 4

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
assert least[52].mean() < mean("random", 0) - 5
assert least[586].mean() < mean("random", 2) - 8

# With 52 cells Fisher is ahead of a plain draw, and as many by lot in its layers do as well.
assert mean("Fisher", 0) > mean("random", 0)
assert by_layer[52].mean() > mean("Fisher", 0) - 3
share = [(~choose("Fisher", seed, 52)[4]).sum() for seed in seeds]
assert np.mean(share) > 45

# What kind of numbers train.
assert np.mean(others["266 biases"]) < mean("random", 1) - 10
assert 1 < mean("random", 3) - np.mean(others["last layer, 1,290"]) < 9
assert 1 < mean("random", 2) - np.mean(others["586 of low rank"]) < 10
assert abs(np.mean(whole) - mean("random", 3)) < 3

# The patch is the adapted network, and compact takes the same steps with a small memory.
assert patched_differs == 0
assert undone_differs == 0
assert differing == 0
assert kept_compact < 0.04 * kept_masked

# The contest: Fisher comes last, and its cells stand close together.
scores = {name: np.mean(found) for name, found in contest.scores.items()}
assert scores["Fisher"] < min(scores["largest"], scores["random"]) - 5
assert (~rivals["Fisher"]).any(axis=0).sum() == 35
assert (~rivals["Fisher"]).any(axis=1).sum() == 31

# The ticket: as fast as the whole network at 37 %, and the best of the small ones at 5 %.
assert more and not five
for rival in ("drawn again", "random mask"):
    assert abs(lead(0.37, rival, 1)) < 5
    assert lead(0.05, rival, 1) > 5
for rival in ("whole", "drawn again", "random mask"):
    assert abs(lead(0.37, rival, 2)) < 2.5
assert races[0.37]["ticket"][:, 0].mean() > 40

# Never trained.
assert np.mean(chosen) > 90
assert np.mean(trained) - 5 < np.mean(chosen) < np.mean(trained)
assert sum(changed) == 0
