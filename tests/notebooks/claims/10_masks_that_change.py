"""What the page says of masks that change under SGD and Adam; `margins.py` runs it behind it."""

# Under plain SGD each mask holds; the exact freeze holds under Adam, and the gradient's mask not.
assert moving == 0 and trained.sum() > 205
assert (held > 0).sum() == 0 and far > 3
assert were_free[distance > 0].all() and were_free.sum() < 1_000

# By hand: row 2 holds if it has never trained, and one free step is enough to make most leak.
assert leaks[0] == 0 and leaks[1] > 4
# Column 0 is on a pixel with hardly any ink, and does not leak after one step.
assert 0 < (images[:, 16] > 0).mean() < 0.01
lab.reset()
for mask, steps in [(row_2, 50), (nothing, 1), (row_2, 20)]:
    lab.frozen = mask
    lab.train(steps)
assert not lab.leaks()[2, 0] and lab.leaks()[2, 1:].all()

# The weight in the picture: one free step, fifty more while frozen, each a tenth shorter.
assert (~frozen[200:]).sum() == (~frozen).sum() == 1 and (frozen & changed).sum() >= 50
assert 13 < distance.max() / rate < 14 and np.isclose(lengths[frozen].sum(), distance.max() / rate)
coasting = np.diff(path)[frozen & changed]
assert (np.abs(coasting[1:] / coasting[:-1] - 0.9) < 0.01).all()
# Its free step is as long as an empty memory makes it, which explains the rest.
count = np.flatnonzero(~frozen)[0] + 1
expected = 0.1 / (1 - 0.9**count) / np.sqrt(0.001 / (1 - 0.999**count))
assert np.isclose(lengths[~frozen][0], expected, rtol=0.01) and expected > 1
assert abs(sum(0.9**step for step in range(1, 100)) - 9) < 0.01
assert abs(lengths[frozen].sum() / lengths[~frozen][0] - 9) < 0.3

# In the last epoch two thirds of the frozen weights are thawed.
assert prune.plan[-1] * 3 == prune.plan[-2] and prune.frozen.sum() == prune.plan[-1]
