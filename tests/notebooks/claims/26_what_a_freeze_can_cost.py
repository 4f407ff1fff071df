"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

# One frozen picture costs little, clearly so of the 3s.
assert 94 < free[:, 3].mean() < 98
assert 84 < without_3[:, 3].mean() < 93
assert fewer[:, 3].min() > 0
assert fewer[:, 3].mean() > np.delete(fewer, 3, axis=1).mean() + 2
# Of two, fewer than half are read, and no other digit suffers.
assert 36 < both_together.mean() < 55
assert abs(three - eight).mean() > 18
assert abs(others.mean() - np.delete(free, [3, 8], axis=1).mean()) < 2
assert 6 < (free - without_both).mean() < 13
assert abs(together[1] - (free - without_both)[:, [3, 8]].mean(axis=1)).max() < 1e-9
# The stronger the noise, the closer the two; both together stay the same.
at_noises = [at_noise(size) for size in noises]
assert (
    np.diff([found["the one read more"] - found["the one read less"] for found in at_noises]).max()
    < 0
)
for found in at_noises:
    assert 36 < found["both together"] < 56
    assert abs(found["both together"] - both_together.mean()) < 6
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
# The rim is a mask of 320 cells, with no digit below 80, and a chessboard does better than a half.
assert [pixels.sum() for pixels in halves.values()] == [32] * len(halves)
assert reader.read(np.repeat(rim.reshape(64, 1), 10, axis=1)).mean(axis=0).min() > 80
assert 88 < in_half["a chessboard"].mean() < 94
for name in ("upper", "lower", "right"):
    assert (in_half["a chessboard"] - in_half[f"the {name} half"]).min() > 2
    assert 77 < in_half[f"the {name} half"].mean() < 89
*others, second, best = sorted(of_worst.values())
assert best == of_worst["the rim"] > second + 2
# The middle costs most of the halves.
assert 56 < in_half["the middle"].mean() < 63
for name in set(halves) - {"the middle"}:
    assert (in_half[name] - in_half["the middle"]).min() > 5
# Frozen alone, the 2 loses most of all ten, and the 0 next to nothing.
*_, second, most = sorted(own_loss, key=mean_loss)
assert most == "the 2" and mean_loss("the 2") > mean_loss(second) + 1
assert 9 < mean_loss("the 2") < 13 and own_loss["the 2"].min() > 4
assert mean_loss("the 0") < 1.5
