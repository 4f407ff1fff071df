"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

# At one rate either can be ahead: the frozen model bears a rate that is too high for the free one.
of_free, of_frozen = [found.mean(axis=0) for found in at_rates.values()]
assert min((of_free - of_frozen)[2:4]) > 30 and 5 < of_free.max() - of_frozen.max() < 11
assert of_frozen[7] > of_free[7] + 15

# How much is right before anything is learnt.
first = {d: np.mean([reader.judged("free", 0, 0, s, 50, d)[1] for s in seeds]) for d in (15, 45)}
assert 20 < first[45] < 30 and 75 < first[15] < 87

# Each at its own rate, the frozen one is ahead at no number of steps.
assert ahead.mean(axis=0).max() < 0
assert best_rates["frozen"][2] >= 3 * best_rates["free"][2]

# The farther the digits are turned, the more the freeze costs; upright ones cost nothing.
by_angle = {at: at_angle(at)["mean"] for at in (0, 15, 45, 90)}
assert all(at_angle(at)["least"] < 0 for at in (0, 15)) and at_angle(45)["least"] > 0
assert abs(by_angle[0]) < 0.7 < by_angle[15] < by_angle[45] - 2 < by_angle[90]

# To choose the rate costs the frozen model two points after 100 steps.
assert best_rates["frozen"][2] == 0.3 and rates[of_frozen.argmax()] == 0.1
assert 1 < of_frozen.max() - by_length["frozen"][:, 2].mean() < 3.5

# Wrong labels: three hundred images are too many for the frozen model to learn them, fifty are not;
# where each has its own rate, the free one learns few of them as well, and is ahead or alike.
own = {}
for images, degrees in [(300, 45), (300, 15), (50, 45), (50, 15)]:
    case = images, degrees, 0.2
    learnt = {
        kind: max(results(kind, rate, 400, seeds, *case)[:, 2].mean() for rate in rates)
        for kind in kinds
    }
    own[images, degrees] = {kind: at_own_rate(kind, 400, *case)[1].mean(axis=0) for kind in kinds}
    if images == 50:
        assert min(learnt.values()) > 97
    else:
        assert learnt["free"] > 55 and 12 < learnt["frozen"] < 30
for degrees, least, most in [(45, 3, 7), (15, -1.5, 1.5)]:
    found = own[300, degrees]
    assert max(each[2] for each in found.values()) < 12
    assert least < found["free"][1] - found["frozen"][1] < most

# The code to take home: each has its best rate within those that are offered.
assert -20 < apart.mean() < -8 and best == 1
