"""What the page says of a leak and of a thaw; `margins.py` runs it behind the notebook."""

# The weight at the top: one free step, fifty more while frozen, each a tenth shorter.
assert (~frozen[200:]).sum() == 1 and (frozen & changed).sum() >= 50
assert 13 < distance.max() / rate < 14

# The emptier the memory, the farther the thawed row goes.
assert moved["up to date"] < moved["old"] < moved["empty"]

# Which memory is best at which rate, which of all, and which of the two that `freezable` has.
assert factors == [0.5, 1, 2, 4, 8, 16] and best[:3] == ["empty", "empty", "old"]
assert best[3] != "empty" and best[4:] == ["up to date", "up to date"]
lowest = min(means.values(), key=min)
assert lowest is means["up to date"] and lowest.argmin() == factors.index(8)
better = [means["empty"][i] < means["old"][i] for i in range(6)]
assert better == [True, True, False, False, False, False]

# Of the three in the picture: the old one takes about twice the usual steps at first.
first, longest = (
    [f(step_lengths(seen, 125)) for seen in (125, 25, 0)] for f in (lambda x: x[0], max)
)
assert abs(first[0] - 1) < 0.01 and 1.9 < first[1] < 2.2 and longest[2] > longest[1]
assert round(1 - 0.999**25, 3) == 0.025 and round(1 - 0.999**125, 2) == 0.12
assert round(1 - 0.999**1_000, 2) == 0.63

# The later the freeze, the shorter the steps of the old memory, the longer those of the empty one.
for seen_at, order in ((lambda at: at, -1), (lambda at: 0, 1)):
    found = [max(step_lengths(seen_at(at), at + 100)) for at in (25, 100, 300, 1_000)]
    assert (np.diff(found) * order > 0).all()
    assert found[-1] < 1.1 if order < 0 else 5 < found[-1] < 6
