"""What notebook 13 says of its figures, in its order; `margins.py` runs it behind the notebook."""

# It forgets, for nothing in the new loss speaks for the old task.
assert curves[9, 0] > 90
assert curves[-1, 0] < 45

# Two pieces of advice: a few points for turned digits, harm for permuted ones, neither safe.
assert helped == []
assert older(permuted["first layer frozen"]) < older(permuted["nothing"])
assert older(turned["first layer frozen"]) < 60
assert older(turned["a tenth of the rate"]) > older(turned["nothing"]) + 8
assert turned["a tenth of the rate"][:, 2].mean() < turned["nothing"][:, 2].mean() - 5
assert older(permuted["a tenth of the rate"]) > older(permuted["nothing"]) + 8
assert permuted["a tenth of the rate"][:, 2].mean() < permuted["nothing"][:, 2].mean() - 5

# Springs keep about twice as much as doing nothing, replay more, and all at once most.
assert 1.6 < older(turned["springs (EWC)"]) / older(turned["nothing"]) < 2.4
assert older(turned["replay, 5 a digit"]) > older(turned["springs (EWC)"])
assert older(turned["all at once"]) > older(turned["replay, 5 a digit"]) + 3

# Not told: nothing is left, but by replay. Told: little is forgotten, least with frozen features.
assert older(untold["nothing"]) < 5
assert older(untold["first layer frozen"]) < 5
assert older(untold["springs (EWC)"]) < 5
assert older(untold["replay, 5 a digit"]) > 65
assert older(told["nothing"]) > 88
assert older(told["first layer frozen"]) > older(told["nothing"])

# PackNet with the exact freeze: the same answers. Thawed cells move by an old momentum alone.
assert exact[:, 0].sum() == 0
assert exact[:, 1].sum() == 0
assert moved_at_empty_pixels("keep")[0] > 100
assert moved_at_empty_pixels("reset")[0] == 0


def points_lost(way):
    return (leaks[way][:, 2] - leaks[way][:, 3]).mean()


# What a leak costs: a few points, most of what was learnt, or nothing.
assert leaks["Adam"][:, 0].mean() > 11_000
assert 0.5 < points_lost("Adam") < 8
assert leaks["Adam"][:, 1].mean() > 10
assert points_lost("Adam, remembers 100 steps") > 30
assert leaks["Adam, made new each time"][:, :2].sum() == 0
assert leaks["Adam"][:, 2].mean() < leaks["exact freeze"][:, 2].mean()
assert abs(points_lost("AdamW") - points_lost("Adam")) < 3
assert leaks["AdamW"][:, 0].mean() > 13_000

# Decay: nothing to be seen for 4,000 steps, and after 16,000 the first task is gone.
kept = np.mean(decayed, axis=0)
assert abs(kept[4] - kept[0]) < 3
assert kept[6] < 40

# What PackNet pays.
assert half[:, 2].mean() > turned["nothing"][:, 2].mean() - 5
assert greedy[:, 2].mean() < half[:, 2].mean() - 15
assert greedy[:, 0].mean() < half[:, 0].mean() + 2
assert np.mean(blind) < 60
