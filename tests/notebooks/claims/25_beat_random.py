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
assert [np.mean(each) >= random_mean + 3 for each in ours.values()] == [False] * 3 + [True]
assert max(reads, key=reads.get) == "random with ink"
assert (kernel_inky - kernel_plain).min() > 0 or seeds != [0, 1, 2, 3, 4]

# More than a quarter of the plain random cells have no ink, and the 18 rows are 28 % of the kernel.
assert 0.25 < (~rivals["random"])[empty].sum() / 384 < 0.33
assert 384 - (~rivals["random"])[empty].sum() == 272
assert round(100 * 18 / 64) == 28

# As many cells with ink as are of use in a plain draw read as much; and where all begin and end.
fewer, largest, of_gradient, none, whole_kernel, *_ = list(on_test.values())[2:]
assert abs((fewer - kernel_plain).mean()) < 2.5 and (kernel_inky - fewer).mean() > 2
assert -3 < (largest - kernel_plain).mean() < 6 and verdict(largest - kernel_plain) != "behind"
assert verdict(largest - kernel_plain) == "not clear" or seeds != [0, 1, 2, 3, 4]
assert (kernel_plain - of_gradient).mean() > 15 and (kernel_plain - of_gradient).min() > 0
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

# With these readers the largest weights are ahead.
for seed in range(200, 205):
    plain = judge(highest(random_scores(seed)), "test", seed, 1)[0]
    assert judge(highest(np.abs(reader.weights(seed)[0])), "test", seed, 1)[0] > plain

# Three trainings of one mask differ by up to eight points.
assert round(max(np.ptp(each) for each in contest.scores.values())) == 8

# In three diagonals two units share their three pixels, and no other unit has one of them.
pairs = (~tried["3 diagonals"]).reshape(64, 64, 2)
assert (pairs[:, :, 0] == pairs[:, :, 1]).all()
assert (pairs[:, :, 0].sum(axis=0) == 3).all() and (pairs[:, :, 0].sum(axis=1) == 3).all()

# Fisher's cells crowd in columns; spread out, they read more for each reader.
as_is, of_fisher, of_chance = spread.values()
assert all((~mask).sum() == 384 for each in masks_of.values() for mask in each)
as_they_are = masks_of["Fisher, as it is"]
assert 0.2 < np.mean([(~mask).any(axis=0).sum() / 128 for mask in as_they_are]) < 0.3
for mask in [*masks_of["Fisher, spread out"], *masks_of["random with ink, spread out"]]:
    assert ((~mask).sum(axis=0) == 3).all() and (~mask).sum(axis=1).max() == 9
assert 25 < (of_fisher - as_is).mean() < 36 and (of_fisher - as_is).min() > 0

# Spread out, they are between the random cells, and not ahead of those that are spread out as well.
assert kernel_plain.mean() + 1 < of_fisher.mean() < kernel_inky.mean()
assert of_fisher.mean() > kernel_inky.mean() - 3
assert 0.8 < (of_chance - of_fisher).mean() < 4 and verdict(of_fisher - of_chance) != "ahead"
assert verdict(of_fisher - of_chance) == "not clear" or seeds != [0, 1, 2, 3, 4]

# The few in empty rows are of units with hardly a score, which hardly a picture sets off.
for seed, each, mask in zip(seeds, information, masks_of["Fisher, spread out"]):
    units = np.flatnonzero((~mask)[empty].any(axis=0))
    kernel, bias = reader.weights(seed)[:2]
    assert 0 < len(units) < 20 and each[:, units].mean() < each.mean() / 100
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
