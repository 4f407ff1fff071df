"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

# The best of the five rates is none at an end.
for mask in (rivals["random"], tried["random with ink"]):
    assert 0.01 < reader.first_kernel(mask, [0.01, 0.03, 0.1, 0.3, 1.0])[0] < 1

# The contest can be won by thinking, and Fisher is a poor hint.
reads = {name: np.mean(each) for name, each in judged.items()}
assert reads["random with ink"] > max(reads[name] for name in rivals) + 1
assert reads["6 columns"] < reads["the 3 brightest rows"] < reads["random"] - 5
assert reads["Fisher"] < reads["random"] - 10
assert abs(reads["3 diagonals"] - reads["random"]) < 4
assert abs(reads["largest"] - reads["random"]) < 5
assert (~rivals["Fisher"]).any(axis=0).sum() < 128 / 3
assert (pictures.max(axis=0) == 0).sum() == 13
assert all((~mask).sum() == contest.budget for mask in tried.values())
for left_out in (18, 32):
    assert (tested[left_out] - tested[0]).min() > 0
assert np.subtract(late[18], late[0]).min() > 0
assert (tested[48] - tested[0]).min() < 0
assert tested[48].mean() < tested[0].mean() + 1

# As few cells with ink as the plain random ones have there do as well, and all of them better.
plain, few = wasted.values()
assert abs(np.mean(few) - np.mean(plain)) < 4
assert tested[18].mean() > np.mean(few)

# Crowding costs, and Fisher's choice within a column as well.
found = {key: np.mean(each) for key, each in crowding.items()}
for name in ("by Fisher", "by gradient", "at random"):
    assert 10 < found[name, "spread"] - found[name, "crowded"] < 28
for how in hows:
    assert found["by Fisher", how] < min(found["by gradient", how], found["at random", how]) - 2

# In the whole network the empty pixels do not decide, and each rate has others on both sides.
for apart in compared.values():
    assert abs(apart.mean()) < 2.5
assert {verdict(apart) for apart in compared.values()} != {"ahead"}
assert min(plain_rate, ink_rate) > 0.01 and max(plain_rate, ink_rate) < 0.3
cells = [np.zeros(w.shape) for w in reader.weights(0)]
cells[0][from_dark[:18]] = 1
assert 0.08 < sum(c.sum() for c in cells) / reader.size < 0.095

# A reader's way to win: the preset that freezes 90 % at random, then the darkest rows by hand.
by_hand = masks.random((64, 128), 0.9, 1)
for row in from_dark:
    if (~by_hand).sum() > contest.budget:
        by_hand[row] = True
assert np.mean(judge(by_hand)) > reads["random"] + 1
