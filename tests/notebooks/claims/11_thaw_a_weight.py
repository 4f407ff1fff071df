"""What the page says of three memories at a thaw; `margins.py` runs it behind the notebook."""

# The emptier the memory, the farther the thawed row goes.
assert moved["up to date"] < moved["old"] < moved["empty"]
# The code does as the grid does, for which its text names three ways to freeze.
lab = Playground("digits", "adam", page="3")
ways = {"up to date": "restore", "old": "exact", "empty": "free_values"}
for memory, technique in ways.items():
    lab.reset()
    lab.use(technique)
    for freezes, steps in [(False, 25), (True, 100), (False, 40)]:
        lab.paint(2, slice(None), frozen=freezes)
        before = lab.weights[2]
        lab.train(steps)
    assert np.allclose(np.abs(lab.weights[2] - before).mean(), moved[memory], rtol=1e-3)

# After the early freeze, at the old rate and at half of it, the emptier memory has the lower loss.
assert factors == [0.5, 1, 2, 4]
up, old, emptied = (early[memory] for memory in ["up to date", "old", "empty"])
assert (emptied < old)[:, :2].all() and (old < up)[:, :2].all()
# The old rate is too low: a kernel that was never frozen has its lowest loss at a higher one.
means = {memory: each.mean(axis=0) for memory, each in early.items()}
assert means["never frozen"].argmin() >= 2 and np.diff(means["never frozen"]).max() < 0
# After the late freeze the empty one is not clearly ahead, and what was put back is behind both.
assert lower.sum() == 2 and len(lower) == 5
assert (np.maximum(late["old"], late["empty"]) < late["up to date"])[:, 1].all()
# Stars at the old rate: the empty one has it after both, the old one after the late freeze alone.
for losses, wanted in ((early, ["empty"]), (late, ["old", "empty"])):
    mean = {memory: each.mean(axis=0) for memory, each in losses.items()}
    assert [name for name, each in mean.items() if each[1] < 1.1 * each.min()] == wanted
    assert mean["up to date"].argmin() >= 2
# Before the late freeze the gradients were small: v, as Adam takes it, is much smaller than after
# the early one, and than with the gradients of mirrored pictures.
(_, old_early), (now_late, old_late) = v[25], v[1_000]
assert 10 < old_early / old_late < 18 and now_late > 2 * old_late

# Of the three in the picture: the old one takes about twice the usual steps at first.
first, longest = (
    [f(step_lengths(seen, 125)) for seen in (125, 25, 0)] for f in (lambda x: x[0], max)
)
assert abs(first[0] - 1) < 0.01 and 1.9 < first[1] < 2.2 and longest[2] > longest[1]
# In the table, ten steps later: how full the old one is, and how full Adam believes it to be.
assert round(1 - 0.999**35, 3) == 0.034 and round(believed, 3) == 0.126
assert 3.5 < believed / (1 - 0.999**35) < 4 and 1.8 < step_lengths(25, 125)[9] < 2
# The empty one takes shorter steps at first, and its longest when m has filled.
assert first[2] < first[1] and 8 < np.argmax(step_lengths(0, 125)) < 20

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

# The exercise's example.
v, m = ((1 - beta**26) / (1 - beta**126) for beta in (0.999, 0.9))
assert round(0.01 * v**0.5 / m, 3) == 0.005
