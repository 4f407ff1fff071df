"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

# The frozen model is ahead at no number of steps, and as far behind early as late.
assert ahead.mean(axis=0).max() < 0
assert ahead[:, 2].max() < 0
assert ahead[:, 3].max() < 0
assert abs((ahead[:, 2] - ahead[:, 3]).mean()) < 3
assert 3 < -ahead[:, 2].mean() < 8
# Its seeds lie further apart; it bears a rate that is too high for the free one, and none too low.
assert apart["hidden layers"][2] > apart["nothing"][2]
assert apart["hidden layers"][3] > apart["nothing"][3]
assert own["hidden layers"][2] == 10 * own["nothing"][2]
of_rates = {kind: np.mean(values, axis=0) for kind, values in at_rates.items()}
assert of_rates["nothing"][3] < of_rates["nothing"].max() - 15
assert of_rates["hidden layers"][4] > of_rates["hidden layers"].max() - 6
assert of_rates["hidden layers"][0] < of_rates["hidden layers"].max() - 15
# Random hidden layers, frozen, cost about as much as those that were trained on upright digits.
_, untrained = compared("random layers", 1_000)
_, of_trained = compared("hidden layers", 1_000)
assert abs(untrained[:, 1].mean() - of_trained[:, 1].mean()) < 3
assert untrained[:, 1].mean() < compared("nothing", 1_000)[1][:, 1].mean() - 2
# The table.
assert ahead[:, 0].max() < 0 and ahead[:, 1].mean() < 0
for steps in (100, 1_000):
    assert minus[50, "hidden layers", steps][:, 1].max() < 0
    assert minus[1_047, "hidden layers", steps][:, 1].max() < 0
assert -3 < minus[1_047, "first layer", 1_000][:, 1].mean() < 1
for images in (50, 1_047):  # of the calibration there is no verdict
    for steps in (100, 1_000):
        assert -2 < minus[images, "hidden layers", steps][:, 2].mean() < 8

# The code to take home.
for both in [[found[k, n, best[k, n], :, 1] for k in (0, 1)] for n in (0, 1)]:
    assert (both[0] - both[1]).min() > 5
