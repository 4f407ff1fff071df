"""What the page says of a leak and of a thaw; `margins.py` runs it behind the notebook."""

# The weight at the top: one free step, fifty more while frozen, each a tenth shorter.
assert (~frozen[200:]).sum() == 1 and (frozen & changed).sum() >= 50
assert 13 < distance.max() / rate < 14

# In the tenth step each memory is ahead once, and the old one is never the worst.
for losses, wanted in ((by_momentum, "up to date"), (by_adam, "empty"), (at_twice, "old")):
    means = {name: each.mean() for name, each in losses.items()}
    assert min(means, key=means.get) == wanted
    assert max(means, key=means.get) != "old"

# At twice the rate, the loss of an empty memory jumps, and has come back in the tenth step.
losses = thawing.compare_memories(adam, learning_rate=0.02)["reset"].mean(axis=0)
before = losses[thawing.BEFORE - 1]
assert losses[thawing.BEFORE :].max() > 3 * before
assert losses[thawing.BEFORE - 1 + tenth] < before
