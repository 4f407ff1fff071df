"""What the page says of three memories at a thaw; `margins.py` runs it behind the notebook."""

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
assert 4.5 < (1 - 0.999**125) / (1 - 0.999**25) < 5
# The empty one takes shorter steps at first, and its longest when m has filled.
assert first[2] < first[1] and 8 < np.argmax(step_lengths(0, 125)) < 20
assert round(1 - 0.999**25, 3) == 0.025 and round(1 - 0.999**125, 2) == 0.12

# What fills m and v, as the formulas have it.
m = v = 0
for _ in range(25):
    m, v = 0.9 * m + 0.1, 0.999 * v + 0.001
assert np.allclose([m, v], [1 - 0.9**25, 1 - 0.999**25])

# The later the freeze, the shorter the steps of the old memory, the longer those of the empty one.
for seen_at, order in ((lambda at: at, -1), (lambda at: 0, 1)):
    found = [max(step_lengths(seen_at(at), at + 100)) for at in (25, 100, 300, 1_000)]
    assert (np.diff(found) * order > 0).all()
    assert found[-1] < 1.1 if order < 0 else 5 < found[-1] < 6
assert grown == ["empty"]

# To take home: emptied, the row begins with steps that get longer (the last run is "reset").
reset = held.lengths
assert max(reset[20:120]) == 0 and 0.9 < reset[19] < 1.05
assert reset[120] < 1.3 and reset[129] > 2
