"""What notebook 14 says of its figures, in its order; `margins.py` runs it behind the notebook."""

assert upright > 93
assert turned < 35

# At one rate for all Fisher leads clearly; it likes the last layer, and the largest the first.
assert winner == "Fisher"
assert clear
assert (~choose("Fisher", seeds[0], 586)[4]).sum() > 586 / 3
assert (~choose("largest", seeds[0], 586)[0]).sum() > 586 / 2

# At a rate of its own for each, nothing is left of the lead.
assert ahead < 2


def mean(kind, number):
    return np.mean(by_count[kind][number])


# With 52 cells it matters, from one percent on hardly.
assert mean("Fisher", 0) > mean("random", 0) + 2
for number in (1, 2, 3):
    several = [mean(kind, number) for kind in kinds]
    assert max(several) - min(several) < 8

# What kind of numbers train.
assert np.mean(others["266 biases"]) < mean("random", 1) - 10
assert abs(np.mean(others["last layer, 1,290"]) - mean("random", 3)) < 8
assert mean("random", 2) - 10 < np.mean(others["586 of low rank"]) < mean("random", 2)
assert abs(np.mean(whole) - mean("random", 3)) < 4

# The patch is the adapted network, and compact takes the same steps with a small memory.
assert sum(changed_bits(a, b).sum() for a, b in zip(patched, adapted)) == 0
assert sum(differing) == 0
assert kept_compact < 0.04 * kept_masked

# The ticket.
assert five and not more
assert lead(0.05, 2) < lead(0.05, 1)
assert abs(lead(0.37, 2)) < 4
assert races[0.37]["ticket"][:, 0].mean() > 40

# Never trained.
assert np.mean(chosen) > 90
assert np.mean(trained) - 5 < np.mean(chosen) < np.mean(trained)
assert sum(changed) == 0
