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
assert (pictures.max(axis=0) == 0).sum() == 13 and len(empty) == 18
assert inked[empty].max() <= 0.02 and np.delete(inked, empty).min() > 0.4
assert all((~mask).sum() == contest.budget for mask in tried.values())
assert max(reads, key=reads.get) == "random with ink"
assert (kernel_inky - kernel_plain).min() > 0 or seeds != [0, 1, 2, 3, 4]

# More than a quarter of the plain random cells have no ink, and the 18 rows are 28 % of the kernel.
assert 0.25 < (~rivals["random"])[empty].sum() / 384 < 0.33
assert 384 - (~rivals["random"])[empty].sum() == 272
assert round(100 * 18 / 64) == 28

# As many cells with ink as are of use in a plain draw read as much; and where all begin and end.
fewer, largest, of_gradient, none, whole_kernel, *_ = list(on_test.values())[2:]
assert abs((fewer - kernel_plain).mean()) < 2.5 and (kernel_inky - fewer).mean() > 2
assert abs((largest - kernel_plain).mean()) < 3 and verdict(largest - kernel_plain) == "not clear"
assert (kernel_plain - of_gradient).min() > 15
assert np.mean([(~mask).any(axis=0).sum() / 128 for mask in chosen["highest gradient"]]) < 0.4
assert 20 < none.mean() < 30 and 93 < whole_kernel.mean() < 97

# Other draws: ahead in the mean, and for one of them a reader gains nothing.
others = []
for draw in (200, 600):
    pair = [
        on_five([highest(random_scores(s + draw, left)) for s in seeds]) for left in ([], empty)
    ]
    others.append(pair[1] - pair[0])
assert min(other.mean() for other in others) > 1.5
assert min(other.min() for other in others) <= 0 or seeds != [0, 1, 2, 3, 4]

# Three trainings of one mask differ by up to eight points.
assert round(max(np.ptp(each) for each in contest.scores.values())) == 8

# In three diagonals two units share their three pixels, and no other unit has one of them.
pairs = (~tried["3 diagonals"]).reshape(64, 64, 2)
assert (pairs[:, :, 0] == pairs[:, :, 1]).all()
assert (pairs[:, :, 0].sum(axis=0) == 3).all() and (pairs[:, :, 0].sum(axis=1) == 3).all()

# Fisher's cells crowd in columns, and then in rows: either costs.
as_is, three, nine, inky_spread = spread.values()
points = [reader.information(seed)[0] for seed in seeds]
assert all((~mask).sum() == 384 for each in masks_of.values() for mask in each)
whole = zip(masks_of["Fisher, as it is"], points)
assert all(np.array_equal(mask, highest(each)) for mask, each in whole)
assert np.mean([(~highest(each)).any(axis=0).sum() / 128 for each in points]) < 0.3
assert 0.5 < fullest < 0.65
assert 14 < (three - as_is).mean() < 26 and (three - as_is).min() > 0
assert (nine - three).min() > 0
assert nine.mean() > kernel_plain.mean() + 1

# Within both limits they are not clearly ahead of random cells with ink, and none in the mean.
assert verdict(nine - kernel_inky) == "not clear"
assert kernel_inky.mean() - 3 < nine.mean() < kernel_inky.mean()
assert (inky_spread - nine).mean() > 0.8 and (inky_spread - kernel_inky).mean() > -0.5

# The few that are in empty rows are of units without any score, which hardly a picture sets off.
for seed, each, mask in zip(seeds, points, masks_of["Fisher, at most 3 in a column"]):
    units = np.flatnonzero((~mask)[empty].any(axis=0))
    kernel, bias = reader.weights(seed)[:2]
    assert 0 < len(units) < 20 and each[:, units].max() == 0
    assert ((pictures @ kernel + bias)[:, units] > 0).mean() < 0.01

# In the whole network the empty pixels do not decide, and each rate has others on both sides.
for apart in compared.values():
    assert abs(apart.mean()) < 2.5
assert {verdict(apart) for apart in compared.values()} != {"ahead"}
assert min(plain_rate, inky_rate) > 0.01 and max(plain_rate, inky_rate) < 0.3
cells = [np.zeros(w.shape) for w in reader.weights(0)]
cells[0][empty] = 1
assert 0.08 < sum(c.sum() for c in cells) / reader.size < 0.095

# A reader's way to win: the preset that freezes 90 % at random, then the darkest rows by hand.
by_hand = masks.random((64, 128), 0.9, 1)
for row in np.argsort(ink, kind="stable"):  # the emptiest pixel first
    if (~by_hand).sum() > contest.budget:
        by_hand[row] = True
assert np.mean(judge(by_hand)) > reads["random"] + 1

# To take home: the cells of inputs in use read more.
assert not frozen.all() and (~frozen).sum() == 3 * 64 and (in_use > 0).any(axis=1).sum() == 20
