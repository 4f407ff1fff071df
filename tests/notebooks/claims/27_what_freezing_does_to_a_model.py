"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

# How much is right before anything is learnt.
first = {d: np.mean([reader.judged("free", 0, 0, s, 50, d)[1] for s in seeds]) for d in (15, 45)}
assert 20 < first[45] < 30 and 75 < first[15] < 87

# At one rate either can be ahead: the frozen model bears a rate that is too high for the free one.
of_free, of_frozen = [found.mean(axis=0) for found in at_rates.values()]
assert min((of_free - of_frozen)[:2]) > 30
assert of_frozen[5] > of_free[5] + 15 and 1 <= (of_frozen > of_free).sum() <= 3

# Up to 60 degrees, a wider turn makes the freeze cost more; upright digits cost nothing.
cost_at = {turn: -at_angle(turn)["mean"] for turn in angles}
assert abs(cost_at[0]) < 1 and 0.5 < cost_at[15] < 2.5 and 3 < cost_at[30] < 7
assert 4 < cost_at[45] < 9 and 5.5 < cost_at[60] < 9.5 and abs(cost_at[90] - cost_at[60]) < 2.5
assert 0 < cost_at[90] - cost_at[45] < 4  # far less than twice the cost
assert cost_at[0] < cost_at[15] < cost_at[30] - 1 < cost_at[45] - 1 < cost_at[60] - 1
assert turned_by["15 degrees"].max() <= 0 and turned_by["45 degrees"].max() < 0

# The frozen model is behind at each number of steps, and clearly at the end.
assert max(found.mean() for found in after.values()) < -2
assert verdict(after["400 steps"]) == "behind"

# No rate that was chosen is an end of the six.
cases = [(10,), (100,), (400,), (400, 300, 15), (400, 300, 45, 0.2)]
chosen = [at_own_rate(kind, *case)[0] for kind in kinds for case in cases]
assert rates[0] < min(chosen) and max(chosen) < rates[-1]

# At its own rate the frozen model learns wrong labels more slowly, and still more and more of them,
# and loses about as much accuracy as the free one, only later. Without wrong labels neither does.
assert lost["frozen"].min() > 4.9 and lost["free"].min() > 2
assert 0.6 < lost["frozen"].mean() / lost["free"].mean() < 1.5
assert verdict(lost["frozen"] - lost["free"]) == "not clear"
heart = {kind: found.mean(axis=0) for kind, found in learnt.items()}
assert (heart["frozen"] < heart["free"]).all() and heart["free"][-1] > 95
assert heart["frozen"][0] < 12 and 33 < heart["frozen"][-1] < 50
means = [found.mean(axis=0) for found in accuracy.values()]
shares = [(mean[0] - mean[1]) / (mean[0] - mean[2]) for mean in means]  # lost by 1,000 steps
assert shares[0] > 0.5 > shares[1]
assert min(gained.mean() for gained in right.values()) > 0
assert all(own[kind] < at_own_rate(kind, 400)[0] for kind in kinds)

# The code to take home: each has its best rate within those that are offered.
assert -20 < apart.mean() < -8 and best == 1 and apart.max() < 0
