"""What the page says of a thaw, at two rates; `margins.py` runs it behind the notebook."""

# With momentum, and with Adam at twice the rate, the up-to-date memory is best; with Adam at the
# first rate it is the worst.
assert min(by_momentum, key=by_momentum.get) == "up to date"
assert max(by_adam, key=by_adam.get) == "up to date"
assert min(at_twice, key=at_twice.get) == "up to date"

# At twice the rate, the loss of an empty memory jumps.
losses = thawing.compare_memories(adam, learning_rate=0.02)["reset"]
assert losses[:, fifth].mean() > 3 * losses[:, thawing.BEFORE - 1].mean()

# The old memory is the worst in none of the three.
for means in (by_momentum, by_adam, at_twice):
    assert max(means, key=means.get) != "old"
