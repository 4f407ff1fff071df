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
assert abs(together[1] - (free - without_both)[:, [3, 8]].mean(axis=1)).max() < 1e-9
# With more steps the loss of the 3 all but goes away, that of the 3 and the 8 does not.
assert alone[0].mean() > 15
assert alone[1].mean() > alone[2].mean() + 2
assert alone[2].mean() < 3
assert together[2].mean() > 35
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
