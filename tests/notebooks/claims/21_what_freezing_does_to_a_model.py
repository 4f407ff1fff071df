"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

# One frozen picture costs little, clearly so of the 3s.
assert 94 < free[:, 3].mean() < 98
assert 84 < without_3[:, 3].mean() < 93
assert fewer[:, 3].min() > 0
assert fewer[:, 3].mean() > np.delete(fewer, 3, axis=1).mean() + 2
# Of two, each model reads one well and the other badly; no other digit suffers.
assert abs(three - eight).mean() > 30
assert np.minimum(three, eight).mean() < 35
assert np.maximum(three, eight).mean() > 60
assert abs(others.mean() - np.delete(free, [3, 8], axis=1).mean()) < 2
assert 6 < (free - without_both).mean() < 13
# (11 - k) of ten; one costs nothing, and scattered cells far less.
assert 48 < noise[:, 5].mean() < 62
assert np.abs(noise.mean(axis=0) - line).max() < 8
assert (noise[:, 0] - noise[:, 1]).mean() < 2
assert (scattered[:, 2:] - noise[:, 2:]).min() > 0
assert (scattered[:, 5] - noise[:, 5]).mean() > 20
# So it is after a short training and after a long one.
for steps in (100, 1_000):
    reads = [reader.read(whole(*range(k)), steps=steps).mean(axis=1) for k in (0, 1, 2, 5)]
    assert (reads[0] - reads[1]).mean() < 6
    assert (reads[1] - reads[2]).min() > 0
    assert 44 < reads[3].mean() < 66
# A mask of one's own: 320 cells, and no digit below 80.
edges = np.ones((8, 8, 10), bool)
edges[1:7, 1:7] = False
edges[[1, 1, 6, 6], [1, 6, 1, 6]] = True
assert edges.sum() == 320
assert reader.read(edges.reshape(64, 10)).mean(axis=0).min() > 80

# After 100 steps: slower at its own rate, better at one that is too high for the free model.
assert ahead.min() > 0
assert at_01.min() > 0
assert rates[own["nothing"]] < 0.1
assert after_100["nothing"][:, 3, 1].mean() < best["nothing"].mean() - 15
assert abs(after_100["hidden layers"][:, 3, 1] - best["hidden layers"]).mean() < 4
# The table.
for steps in (100, 1_000):
    assert results[50, "hidden layers", steps][:, 1].max() < 0
    assert results[1_047, "hidden layers", steps][:, 1].max() < 0
assert -3 < results[1_047, "first layer", 1_000][:, 1].mean() < 1
for steps in (100, 1_000):  # of the calibration there is no verdict
    assert abs(results[1_047, "hidden layers", steps][:, 2].mean()) < 6

# The code to take home.
assert less.max() < -5
