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
for left_out in (18, 32):
    assert (tested[left_out] - tested[0]).min() > 0
assert np.subtract(late[18], late[0]).min() > 0
assert abs(tested[32].mean() - tested[18].mean()) < 3
assert (tested[48] - tested[18]).max() < 0

# As few cells with ink as the plain random ones have there do as well, and all of them better.
plain, few = wasted.values()
assert abs(np.mean(few) - np.mean(plain)) < 4
assert tested[18].mean() > np.mean(few)

# Two trainings of one mask differ by up to five points.
assert 3 < np.ptp(contest.scores["random"]) < 9

# Fisher's cells crowd in columns, and then in rows: either costs, and nothing else.
assert (~rivals["Fisher"]).any(axis=0).sum() < 128 / 3
assert all((~highest_within(scores, *each)).sum() == 384 for each in limits)
assert np.array_equal(highest_within(fisher, (~highest(fisher)).sum(axis=0), 128), highest(fisher))
found = {(how, name): np.mean(each) for how in by_crowd for name, each in by_crowd[how].items()}
for name in choices:
    assert 10 < found[titles[1], name] - found[titles[0], name] < 28
assert 0.5 < np.mean(in_three) < 0.65
assert 0.5 < np.mean(in_ten) < 0.65
# With Fisher's columns all stay behind plain random cells, and Fisher is last, whose rows crowd.
for name in choices:
    assert found[titles[0], name] < np.mean(plain) - 3
assert found[titles[0], "by Fisher"] < min(found[titles[0], name] for name in list(choices)[1:])
for seed in seeds:
    crowd = (~highest(reader.information(seed)[0])).sum(axis=0)
    drawn_rows = (~highest_within(drawn_without(from_empty[:18], seed), crowd, 128)).sum(axis=1)
    assert np.sort(drawn_rows)[-10:].sum() / 384 < 0.4
# An almost even spread: little choice of rows is left, and each score is ahead of plain random
# cells in the mean.
assert -(-384 // 9) == 43 and (inked > 0.1).sum() == 46
assert np.subtract(both, even).min() > 0
for name in choices:
    assert -5 < found[titles[2], name] - found[titles[2], "random with ink"] < 3
    assert found[titles[2], name] > np.mean(plain) + 1

# In the whole network the empty pixels do not decide, and each rate has others on both sides.
for apart in compared.values():
    assert abs(apart.mean()) < 2.5
assert {verdict(apart) for apart in compared.values()} != {"ahead"}
assert min(plain_rate, ink_rate) > 0.01 and max(plain_rate, ink_rate) < 0.3
cells = [np.zeros(w.shape) for w in reader.weights(0)]
cells[0][from_empty[:18]] = 1
assert 0.08 < sum(c.sum() for c in cells) / reader.size < 0.095

# A reader's way to win: the preset that freezes 90 % at random, then the darkest rows by hand.
by_hand = masks.random((64, 128), 0.9, 1)
for row in from_empty:
    if (~by_hand).sum() > contest.budget:
        by_hand[row] = True
assert np.mean(judge(by_hand)) > reads["random"] + 1
