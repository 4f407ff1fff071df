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
assert best_rates["frozen"][1] >= 3 * best_rates["free"][1]

# The farther the digits are turned, the more the freeze costs; upright ones cost nothing.
by_angle = {at: at_angle(at)["mean"] for at in (0, 15, 45, 90)}
assert abs(by_angle[0]) < 1 and 0.5 < by_angle[15] < by_angle[45] - 2 < by_angle[90]

# To choose the rate costs the frozen model two points after 100 steps.
assert best_rates["frozen"][1] == 0.3 and rates[of_frozen.argmax()] == 0.1
assert 1 < of_frozen.max() - by_length["frozen"][:, 1].mean() < 5

# Ten seeds that choose would have chosen that, too.
validated = [results("frozen", rate, 100, range(100, 110))[:, 0].mean() for rate in rates]
assert rates[np.argmax(validated)] == 0.1

# Wrong labels: in 400 steps the frozen model learns fewer of three hundred at any rate; where each
# has its own rate, both learn hardly any, and the free one is ahead. At its own rate, too, it
# learns more and more, and the free one all of them, though it still reads more new digits.
most = {
    kind: max(results(kind, rate, 400, seeds, 300, 45, 0.2)[:, 2].mean() for rate in rates)
    for kind in kinds
}
assert 55 < most["free"] < 75 and 15 < most["frozen"] < 32
(_, of_free), (_, of_frozen) = (own[kind] for kind in kinds)
assert max(of_free[:, 2].mean(), of_frozen[:, 2].mean()) < 10
assert 3 < (of_free - of_frozen)[:, 1].mean() < 9
(free_early, free_late), (early, late) = (
    [results(kind, own[kind][0], n, seeds[:3], 300, 45, 0.2).mean(axis=0) for n in (400, 6_000)]
    for kind in kinds
)
assert own["frozen"][0] == 0.01 and early[2] < 10
assert late[2] > 35 and late[1] < early[1] - 5
assert free_late[2] > 95 and late[1] + 1 < free_late[1] < free_early[1] - 5
assert early[1] - late[1] > 0.6 * (free_early[1] - free_late[1])  # nearly as much is lost
free_middle, middle = (
    results(kind, own[kind][0], 2_000, seeds[:3], 300, 45, 0.2).mean(axis=0) for kind in kinds
)
assert early[2] + 5 < middle[2] < late[2] - 5 and middle[2] < free_middle[2] - 20

# It goes on: after many more steps it has learnt most of them.
assert results("frozen", 0.01, 40_000, seeds[:3], 300, 45, 0.2)[:, 2].mean() > 60

# Of fifty images both learn all wrong labels, each at some rates.
for kind, at in (("free", rates[2:6]), ("frozen", rates[5:])):
    assert all(results(kind, rate, 400, seeds, 50, 45, 0.2)[:, 2].mean() > 95 for rate in at)

# The code to take home: each has its best rate within those that are offered.
assert -20 < apart.mean() < -8 and best == 1 and apart.max() < 0
