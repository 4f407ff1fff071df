"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

# At one rate either can be ahead: the frozen model bears a rate that is too high for the free one.
of_free, of_frozen = [found.mean(axis=0) for found in at_rates.values()]
assert min((of_free - of_frozen)[2:4]) > 30 and 5 < of_free.max() - of_frozen.max() < 11
assert of_frozen[7] > of_free[7] + 15

# What is read before anything is learnt.
first = {d: np.mean([reader.judged("free", 0, 0, s, 50, d)[1] for s in seeds]) for d in (15, 45)}
assert 20 < first[45] < 30 and 75 < first[15] < 87

# Each at its own rate, the frozen one is ahead at no number of steps.
assert ahead.mean(axis=0).max() < 0
assert best_rates["frozen"][2] >= 3 * best_rates["free"][2]

# At 45 degrees two frozen layers cost five points and nine, at 15 less than two.
cost = {name: -each.mean() for name, each in accuracy.items()}
assert 4 < cost["45°, 300 images"] < cost["45°, 50 images"] - 1 < 11
assert 0.5 < cost["15°, 300 images"] < 2.5 and -0.5 < cost["15°, 50 images"] < 2

# The farther the digits are turned, the more the freeze costs; upright ones cost nothing.
by_angle = {at: at_angle(at)["lost by freezing"] for at in (0, 15, 45, 90)}
assert abs(by_angle[0]) < 0.7 < by_angle[15] < by_angle[45] - 2 < by_angle[90]

# To choose the rate costs the frozen model two points after 100 steps.
assert best_rates["frozen"][2] == 0.3 and rates[of_frozen.argmax()] == 0.1
assert 1 < of_frozen.max() - by_length["frozen"][:, 2].mean() < 3.5

# The last layer alone learns nearly all by heart, and the gap is what is missing on new images.
for degrees, images in cases:
    for kind in kinds:
        assert at_own_rate(kind, 400, images, degrees)[1][:, 2].mean() > 94
for name in ("45°, 300 images", "45°, 50 images", "15°, 300 images"):
    assert gap[name].mean() > -0.3 and abs(gap[name].mean() - cost[name]) < 3.5
assert gap["45°, 300 images"].mean() > 1
assert -4 < gap["15°, 50 images"].mean() < 1

# The reviewer's sentences: the share of seeds with which each is true.
sooner, dearer, less = counts / len(seeds)
assert sooner.mean() < 0.35 and sooner[:2].max() < 0.3
assert dearer[:2].min() >= 0.8 and dearer[2] > 0.7
assert less.mean() < 0.35 and less[:3].max() < 0.5 and 0.1 < less[3] < 0.9

# A rate below all that were tried, which few images at 15 degrees would have chosen, is no better.
lowest = [
    results("free", rate, 400, [100, 101, 102], 50, 15)[:, 0].mean() for rate in (0.00003, 0.0001)
]
assert lowest[0] < lowest[1]

# The code to take home.
assert (read["free"] - read["frozen"]).min() > 0.03
