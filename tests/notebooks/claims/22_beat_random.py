"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

# The best of the five rates is none at an end.
for mask in (rivals["random"], tried["random with ink"]):
    assert 0.01 < reader.first_kernel(mask, [0.01, 0.03, 0.1, 0.3, 1.0])[0] < 1

# The contest can be won by thinking, and Fisher is a poor hint.
reads = {name: np.mean(each) for name, each in judged.items()}
assert reads["random with ink"] > max(reads[name] for name in rivals) + 1
assert reads["6 columns"] < reads["the 3 rows with most ink"] < reads["random"] - 5
assert reads["Fisher"] < reads["random"] - 10
assert abs(reads["3 diagonals"] - reads["random"]) < 4
assert abs(reads["largest"] - reads["random"]) < 5
assert (~rivals["Fisher"]).any(axis=0).sum() < 128 / 3
assert (pictures.max(axis=0) == 0).sum() == 13
assert all((~mask).sum() == contest.budget for mask in tried.values())
assert max(ours, key=lambda name: np.mean(ours[name])) == "random with ink"
assert all((inky - plain).min() > 0 for plain, inky in tested.values())

# More than a quarter of the plain random cells have no ink, and the 18 rows are 28 % of the kernel.
assert 0.25 < (~rivals["random"])[from_empty[:18]].sum() / 384 < 0.33
assert round(100 * 18 / 64) == 28

# Two trainings of one mask differ by up to five points.
assert 3 < np.ptp(contest.scores["random"]) < 9

# Fisher's cells crowd in columns, and then in rows: either costs.
as_is, three, nine = spread.values()
fishers = [reader.information(seed)[0] for seed in seeds]
assert all((~highest_within(f, *each)).sum() == 384 for f in fishers for each in limits.values())
assert all(np.array_equal(highest_within(f, 64, 128), highest(f)) for f in fishers)
assert np.mean([(~highest(f)).any(axis=0).sum() / 128 for f in fishers]) < 0.3
in_rows = [np.sort((~highest_within(f, 3, 128)).sum(axis=1)) for f in fishers]
assert 0.5 < np.mean([each[-3:].sum() / 384 for each in in_rows]) < 0.65
assert 14 < (three - as_is).mean() < 26 and (three - as_is).min() > 0
assert (nine - three).min() > 0
assert nine.mean() > tested[100][0].mean() + 1

# In the whole network the empty pixels do not decide, and each rate has others on both sides.
for apart in compared.values():
    assert abs(apart.mean()) < 2.5
assert {verdict(apart) for apart in compared.values()} != {"ahead"}
assert min(plain_rate, inky_rate) > 0.01 and max(plain_rate, inky_rate) < 0.3
cells = [np.zeros(w.shape) for w in reader.weights(0)]
cells[0][from_empty[:18]] = 1
assert 0.08 < sum(c.sum() for c in cells) / reader.size < 0.095

# A reader's way to win: the preset that freezes 90 % at random, then the darkest rows by hand.
by_hand = masks.random((64, 128), 0.9, 1)
for row in from_empty:
    if (~by_hand).sum() > contest.budget:
        by_hand[row] = True
assert np.mean(judge(by_hand)) > reads["random"] + 1

# To take home: the cells of inputs in use read more.
assert not frozen.all() and (~frozen).sum() == 3 * 64 and (in_use > 0).any(axis=1).sum() == 20
