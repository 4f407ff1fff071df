"""What the page says of masks that change under SGD and Adam; `margins.py` runs it behind it."""

# Under plain SGD each mask holds; the exact freeze holds under Adam, and the gradient's mask not.
assert moving == 0 and trained.sum() > 205
assert (held > 0).sum() == 0 and far > 3

# By hand: row 2 holds if it has never trained, and one free step is enough to make most leak.
assert leaks[0] == 0 and leaks[1] > 4

# The weight in the picture: one free step, fifty more while frozen, each a tenth shorter.
assert (~frozen[200:]).sum() == (~frozen).sum() == 1 and (frozen & changed).sum() >= 50
assert 13 < distance.max() / rate < 14
coasting = np.diff(path)[frozen & changed]
assert (np.abs(coasting[1:] / coasting[:-1] - 0.9) < 0.01).all()

# In the last epoch two thirds of the frozen weights are thawed.
assert prune.plan[-1] * 3 == prune.plan[-2]
