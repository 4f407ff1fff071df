"""What Never forget says of its figures, in its order; `margins.py` runs it behind the notebook."""

# It forgets; and the teacher of distillation has hardly read camera 2.
assert curves[9, 0] > 85
assert 10 < curves[29, 0] < 45
assert curves[9, 1] < 50

# By hand: as many cells at random keep almost nothing, and those by Fisher most of camera 1.
at_random, by_fisher = by_hand["40 % at random"], by_hand["40 % by Fisher"]
assert at_random[0] < by_hand["nothing frozen"][0] + 12
assert by_fisher[0] > 75
assert by_fisher[1] > 70
assert 4 < (by_fisher - at_random).mean() < 20
assert by_fisher.mean() > 80  # the goal can be reached

# Advice.
for steps in (100, 1000):
    assert gain("first layer frozen", "lower rate")[steps].mean() < 0
    assert gain("lower rate", "nothing done")[steps].mean() > 5
worse = gain("first layer frozen", "nothing done")
assert worse[100].mean() < 0 < worse[1000].mean()
assert chosen["first layer frozen", 1000] == (0.0003, 0)
assert 52 < older("lower rate", 1000).mean() < 68
newest = [results[name, 1000][:, 2].mean() for name in ("nothing done", "lower rate")]
assert 6 < newest[0] - newest[1] < 14

# Springs: which weight is tied is what counts.
for steps in (100, 1000):
    for other in ("springs, all alike", "springs, shuffled", "lower rate"):
        assert gain("springs by Fisher", other)[steps].min() > 0
for steps in (100, 1000):
    for name in ("springs, all alike", "springs, shuffled"):
        assert abs(gain(name, "lower rate")[steps].mean()) < 5
    assert 12 < gain("springs by Fisher", "lower rate")[steps].mean() < 24
for steps in (100, 1000):
    tied, slow = (results[name, steps][:, 2] for name in ("springs by Fisher", "lower rate"))
    assert tied.mean() < slow.mean()

# Old answers, old pictures.
assert gain("replay, 5 a digit", "springs by Fisher")[100].mean() > 2
assert gain("replay, 5 a digit", "springs by Fisher")[1000].min() > 0
assert results["replay, 5 a digit", 1000][:, 2].mean() > 94
assert older("replay, all", 1000).mean() > 95
for steps in (100, 1000):
    assert abs(gain("distillation", "lower rate")[steps].mean()) < 4

# The end of what was offered was never chosen; and all old pictures have the rates of a few.
offered = {
    "lower rate": (LOWER, [0]),
    "first layer frozen": (RATES, [0]),
    "springs, all alike": (LOWER, [0.1, 1, 10]),
    "springs, shuffled": (RATES, [10, 100, 1000]),
    "springs by Fisher": (RATES, [10, 100, 1000]),
    "distillation": (LOWER, [0.03, 0.1, 0.3]),
    "replay, 5 a digit": (HIGHER, [0]),
}
for name, (rates, strengths_offered) in offered.items():
    for steps in (100, 1000):
        rate, strength = chosen[name, steps]
        assert min(rates[steps]) < rate < max(rates[steps])
        if len(strengths_offered) > 1:
            assert min(strengths_offered) < strength < max(strengths_offered)
for steps in (100, 1000):
    assert REPLAY[steps] == [chosen["replay, 5 a digit", steps][0]]

# Five pictures a digit keep more than springs on average, and clearly with 1,000 steps.
over_springs = gain("replay, 5 a digit", "springs by Fisher")
assert min(each.mean() for each in over_springs.values()) > 0
assert over_springs[1000].min() > 0
