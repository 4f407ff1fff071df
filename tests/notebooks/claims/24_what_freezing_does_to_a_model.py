"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

# At one rate either can be ahead: the frozen model bears a rate that is too high for the free one.
of_rates = [found.mean(axis=0) for found in at_rates.values()]
assert of_rates[0][0] > of_rates[1][0] + 15
assert of_rates[1][4] > of_rates[0][4] + 15

# Each at its own rate, the frozen one is ahead at no number of steps.
assert ahead.mean(axis=0).max() < 0
assert best_rates["hidden layers"][2] >= 3 * best_rates["nothing"][2]

# Two frozen layers cost some five points and the first alone one or two; no gap is clearly smaller.
for images in ("300", "1,047"):
    assert 3 < -accuracy[f"45°, {images} images, hidden layers frozen"].mean() < 8.5
    assert -0.5 < -accuracy[f"45°, {images} images, first layer frozen"].mean() < 3
assert abs(accuracy["15°, 50 images, hidden layers frozen"].mean()) < 2.5
for larger in gap.values():
    assert larger.mean() > 0
assert gap["45°, 300 images, hidden layers frozen"].mean() > 1

# Trained hidden layers are worth nearly nothing at 45 degrees, and much at 15: most of few images.
means = {name: each.mean() for name, each in gained.items()}
assert abs(means["45 degrees, 300 images"]) < 3
assert -6 < means["45 degrees, 50 images"] < 0
assert 1.5 < means["15 degrees, 300 images"] < means["15 degrees, 50 images"] - 3
assert gained["15 degrees, 50 images"].min() > 3

# The reviewer's sentences.
sooner, dearer, less = counts.sum(axis=1)
assert sooner < 10 and dearer > 25 and 4 < less < 20
for steps in (100, 400):
    for images in (300, 1_047):
        assert -frozen_minus_free("hidden layers", steps, images)[0].mean() > 3.5
    assert 0 < -frozen_minus_free("hidden layers", steps, 50, 15)[0].mean() < 2

# The angle decides, and not the number of images.
for images in (50, 300):
    assert -frozen_minus_free("hidden layers", 400, images, 45)[0].mean() > 4
    assert 0 < -frozen_minus_free("hidden layers", 400, images, 15)[0].mean() < 2.5

# At Adam's own rate the freeze costs nothing of the digits that are like the old ones.
usual = [
    np.mean([reader.judged(kind, 0.001, 400, s, 50, 15)[1] for s in seeds])
    for kind in ("nothing", "hidden layers")
]
assert abs(usual[0] - usual[1]) < 1

# The code to take home.
assert (read["free"] - read["frozen"]).min() > 0.03
