"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

# How much is right before anything is learnt.
first = {d: np.mean([reader.judged("free", 0, 0, s, 50, d)[1] for s in seeds]) for d in (15, 45)}
assert 20 < first[45] < 30 and 75 < first[15] < 87

# At one rate either can be ahead: the frozen model bears a rate that is too high for the free one.
of_free, of_frozen = [found.mean(axis=0) for found in at_rates.values()]
assert min((of_free - of_frozen)[:2]) > 30
assert of_frozen[5] > of_free[5] + 15 and 1 <= (of_frozen > of_free).sum() <= 3

# The farther the digits are turned, the more the freeze costs; upright ones cost nothing.
cost_at = {turn: -at_angle(turn)["mean"] for turn in (0, 15, 45, 90)}
assert abs(cost_at[0]) < 1 and 0.5 < cost_at[15] < 2.5
assert 4 < cost_at[45] < 9 and 5 < cost_at[90] < 11
assert cost_at[0] < cost_at[15] < cost_at[45] - 1 < cost_at[90]

# The frozen model is behind at each number of steps.
assert max(found.mean() for found in after.values()) < -2

# At its own rate the frozen model learns wrong labels more slowly, and still more and more of them,
# and loses about as much accuracy as the free one, only later.
assert frozen_lost > 3 and 0.6 < frozen_lost / free_lost < 1.5
heart = {kind: found.mean(axis=0) for kind, found in learnt.items()}
assert (heart["frozen"] < heart["free"]).all() and heart["free"][-1] > 95
assert heart["frozen"][0] < 12 and heart["frozen"][-1] > 34
shares = [(mean[0] - mean[1]) / (mean[0] - mean[2]) for mean in means]  # lost by 1,000 steps
assert shares[0] > 0.5 > shares[1]
assert accuracy["frozen"].mean(axis=0)[-1] < accuracy["free"].mean(axis=0)[-1]

# The code to take home: each has its best rate within those that are offered.
assert -20 < apart.mean() < -8 and best == 1 and apart.max() < 0
