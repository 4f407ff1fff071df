"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

# The frozen model is ahead at no number of steps, and as far behind early as late.
assert ahead.mean(axis=0).max() < 0
assert ahead[:, 2].max() < 0
assert ahead[:, 3].max() < 0
assert abs((ahead[:, 2] - ahead[:, 3]).mean()) < 3
assert 3 < -ahead[:, 2].mean() < 8
# It bears a rate that is too high for the free one, and none too low.
assert best_rates["hidden layers"][2] == 10 * best_rates["nothing"][2]
of_rates = {kind: np.mean(values, axis=0) for kind, values in at_rates.items()}
assert of_rates["nothing"][3] < of_rates["nothing"].max() - 15
assert of_rates["hidden layers"][4] > of_rates["hidden layers"].max() - 6
assert of_rates["hidden layers"][0] < of_rates["hidden layers"].max() - 15
# Of 50 images, both read all that they learnt.
for kind in ("hidden layers", "nothing"):
    for steps in (100, 500):
        assert compared(kind, steps, 50)[1][:, 2].min() == 100
# Trained hidden layers are worth little more than random ones at 45 degrees, and more at 15.
for images in ("50", "1,047"):
    assert gained[f"45 degrees, {images} images"].mean() < 2.5
assert gained["15 degrees, 50 images"].mean() > 5
assert abs(gained["45 degrees, 1,047 images"].mean()) < 3
# The verdicts.
_, costs_of_many, costs_of_few, costs_at_15, of_few, of_many, at_15 = claims.values()
assert np.min(costs_of_many) > 0 and np.min(costs_of_few) > 0
assert ahead[:, 0].max() < 0 and ahead[:, 1].mean() < 0
assert np.max(of_few) < 0
assert np.min(of_many) < 0
for close in (costs_at_15, at_15):
    assert np.max(close) > 0 and np.min(close) < 0 and abs(np.mean(close)) < 3

# The code to take home.
for epoch in (1, 4):
    assert (read["free"] - read["frozen"])[epoch - 1].min() > 3
