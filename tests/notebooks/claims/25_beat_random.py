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

# More than a quarter of the plain random cells have no ink.
assert 0.25 < (~rivals["random"])[empty].sum() / 384 < 0.33
assert 384 - (~rivals["random"])[empty].sum() == 272

# Where all begin and end, and that the gradient's cells crowd.
largest, of_gradient, none, whole_kernel, *_ = list(on_test.values())[2:]
assert -3 < (largest - kernel_plain).mean() < 6 and verdict(largest - kernel_plain) != "behind"
assert verdict(largest - kernel_plain) == "not clear" or seeds != [0, 1, 2, 3, 4]
assert (kernel_plain - of_gradient).mean() > 15 and (kernel_plain - of_gradient).min() > 0
wide = {n: np.mean([(~m).any(axis=0).sum() for m in each]) for n, each in chosen.items()}
assert 15 < wide["highest mean gradient"] < 43 and wide["random"] > 115
assert round(wide["highest mean gradient"]) == 27 or seeds != [0, 1, 2, 3, 4]
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

# Fisher's cells crowd in columns, and all keep to ink and to their limits.
assert all((~mask).sum() == 384 for each in masks_of.values() for mask in each)
assert all(mask[empty].all() for each in masks_of.values() for mask in each)
assert 0.2 < np.mean([(~mask).any(axis=0).sum() / 128 for mask in masks_of["Fisher"]]) < 0.3
for limited, (in_column, in_row) in limits.items():
    for mask in masks_of["Fisher" + limited] + masks_of["random" + limited]:
        assert (~mask).sum(axis=0).max() <= in_column and (~mask).sum(axis=1).max() <= in_row
for name in ("Fisher, 3 and 9", "random, 3 and 9"):
    assert all(((~mask).sum(axis=0) == 3).all() for mask in masks_of[name])

# The tighter the limits, the more Fisher's cells read, and never more than random ones.
assert np.diff([within["Fisher" + limited].mean() for limited in limits]).min() > 0
assert max(each.mean() for each in apart.values()) < -0.5
assert verdict(apart[""]) == verdict(apart[", at most 6 and 18"]) == "behind"
assert verdict(apart[", 3 and 9"]) == "not clear" or seeds != [0, 1, 2, 3, 4]
random = zip(masks_of["random"], chosen["random with ink"])
assert all((mask == other).all() for mask, other in random)

# In the whole network the empty pixels do not decide, and each rate has others on both sides.
assert -1.5 < compared[1_000].mean() < -0.5 or seeds != [0, 1, 2, 3, 4]
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
