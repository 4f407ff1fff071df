"""What the page says of a thaw, at two rates; `margins.py` runs it behind the notebook."""

# In the tenth step each memory is ahead once, and the old one is never the worst.
assert min(by_momentum, key=by_momentum.get) == "up to date"
assert min(by_adam, key=by_adam.get) == "empty"
assert min(at_twice, key=at_twice.get) == "old"
for means in (by_momentum, by_adam, at_twice):
    assert max(means, key=means.get) != "old"

# At twice the rate, the loss of an empty memory jumps, and has come back in the tenth step.
losses = thawing.compare_memories(adam, learning_rate=0.02)["reset"].mean(axis=0)
before = losses[thawing.BEFORE - 1]
assert losses[thawing.BEFORE :].max() > 3 * before
assert losses[thawing.BEFORE - 1 + tenth] < before
