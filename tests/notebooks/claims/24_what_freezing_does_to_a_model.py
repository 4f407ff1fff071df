"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

# The frozen model is ahead at no number of steps, and as far behind early as late.
assert ahead.mean(axis=0).max() < 0
assert ahead[:, 2].max() < 0
assert ahead[:, 3].max() < 0
assert abs((ahead[:, 2] - ahead[:, 3]).mean()) < 3
assert 3 < -ahead[:, 2].mean() < 8
# It bears a rate that is too high for the free one, and none too low.
assert own["hidden layers"][2] == 10 * own["nothing"][2]
of_rates = {kind: np.mean(values, axis=0) for kind, values in at_rates.items()}
assert of_rates["nothing"][3] < of_rates["nothing"].max() - 15
assert of_rates["hidden layers"][4] > of_rates["hidden layers"].max() - 6
assert of_rates["hidden layers"][0] < of_rates["hidden layers"].max() - 15
# The first layer alone costs little.
assert -3 < minus[1_047, "first layer", 100].mean() < 1
assert -3 < minus[1_047, "first layer", 500].mean() < 1
# From 50 images, both read all that they learnt, and the frozen one fewer new ones.
for kind in ("hidden layers", "nothing"):
    assert compared(kind, 500, 50)[1][:, 2].min() == 100
# Random hidden layers, frozen, cost about as much as those that were trained on upright digits.
for difference in gained.values():
    assert difference.mean() < 3 and difference.min() < 0
assert abs(gained["1,047 images, 500 steps"].mean()) < 3
# The verdicts.
assert np.min(less) > 0
assert ahead[:, 0].max() < 0 and ahead[:, 1].mean() < 0
assert np.max(of_few) < 0

# The code to take home.
for epoch in (1, 4):
    assert (best["free"] - best["frozen"])[epoch - 1].min() > 3
