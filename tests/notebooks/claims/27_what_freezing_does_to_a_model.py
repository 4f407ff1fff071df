"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

# How much is right before anything is learnt.
first = {d: np.mean([reader.judged("free", 0, 0, s, 50, d)[1] for s in seeds]) for d in (15, 45)}
assert 20 < first[45] < 30 and 75 < first[15] < 87

# At one rate either can be ahead: the frozen model bears a rate that is too high for the free one.
of_free, of_frozen = [found.mean(axis=0) for found in at_rates.values()]
assert min((of_free - of_frozen)[:2]) > 30
assert of_frozen[5] > of_free[5] + 15 and of_free[5] < 13 and 1 <= (of_frozen > of_free).sum() <= 3

# Up to 60 degrees, a wider turn makes the freeze cost more, and beyond about as much.
cost_at = {turn: -at_angle(turn)["mean"] for turn in angles}
assert 0.5 < cost_at[15] < 2.5 and 3 < cost_at[30] < 7
assert 4 < cost_at[45] < 9 and 5.5 < cost_at[60] < 9.5 and abs(cost_at[90] - cost_at[60]) < 2.5
assert abs(cost_at[75] - cost_at[60]) < 2.5
assert -1 < cost_at[90] - cost_at[45] < 4  # far less than twice the cost
assert cost_at[15] < cost_at[30] - 1 < cost_at[45] - 1 < cost_at[60] - 1
assert turned_by["15 degrees"].max() <= 0 and turned_by["45 degrees"].max() < 0

# The frozen model is behind at each number of steps, and clearly at the end.
assert max(found.mean() for found in after.values()) < -2
assert verdict(after["400 steps"]) == "behind"
if len(seeds) == 10:
    assert [(found < 0).sum() for found in after.values()] == [9, 9, 10]

# For 100 steps the choice of the free model's rate was a noisy one.
if len(seeds) == 10:
    better = results("frozen", 0.1, 100, seeds) - results("free", 0.01, 100, seeds)
    assert verdict(better[:, 1]) == "behind" and verdict(after["100 steps"]) == "not clear"
assert at_own_rate("free", 100)[0] == 0.03 and at_own_rate("frozen", 100)[0] == 0.1

# No rate that was chosen is an end of those that were offered.
cases = [dict(steps=10), dict(steps=100), dict(steps=400, **case)]
cases += [dict(steps=400, degrees=turn) for turn in angles]
chosen = [at_own_rate(kind, **each)[0] for kind in kinds for each in cases]
assert rates[0] < min(chosen) and max(chosen) < rates[-1]
for kind, offered in low_rates.items():
    rate, _ = at_own_rate(kind, 3_000, offered=offered, seeds=five, **case)
    assert offered[0] < rate < offered[-1]

# With wrong labels both lose by going on at the same rate; the frozen one learns about a quarter.
less = lost["free"] - lost["frozen"]
assert 5 < lost["free"].mean() < 12 and 1.5 < lost["frozen"].mean() < 8 and less.mean() > 0
if len(seeds) == 10:
    assert verdict(less) == "not clear" and round(lost["frozen"].mean()) == 5
at_end = going_on(3_000)
assert 18 < at_end["frozen, wrong by heart"] < 36 and at_end["free, wrong by heart"] > 95

# At rates for 3,000 steps both lose little; the free model is ahead in the end, not at first.
assert lost_slowly["free"].mean() < 2.5 and lost_slowly["frozen"].mean() < 1.5
assert lost_slowly["free"].mean() < lost["frozen"].mean()
assert low_rate == {"free": 0.0003, "frozen": 0.003}
assert verdict(with_low["frozen"][:, 1] - with_low["free"][:, 1]) == "behind"
for steps in on_the_way:
    found = slowly(steps)
    first = found["frozen, right on test"] - found["free, right on test"]
    assert first > 3 if steps <= 400 else first < 0

# With right labels neither loses a point.
assert min(gained.mean() for gained in right.values()) > -1

# The code to take home: each has its best rate within those that are offered.
assert -9.4 < apart.mean() < -8.6 and best == 1 and apart.max() < -5
