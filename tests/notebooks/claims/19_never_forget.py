"""What Never forget says of its figures, in its order; `margins.py` runs it behind the notebook."""

# It forgets; and the teacher of distillation has hardly read camera 2.
assert curves[9, 0] > 85
assert 10 < curves[29, 0] < 45
assert curves[9, 1] < 50

# By hand: as many cells at random keep almost nothing, and those by Fisher most of camera 1.
at_random, by_fisher = read["40 % at random"], read["40 % by Fisher"]
assert at_random[0] < read["nothing frozen"][0] + 12
assert by_fisher[0] > 75
assert by_fisher[1] > 70
assert 4 < (by_fisher - at_random).mean() < 20
assert by_fisher.mean() > 80  # the goal can be reached
assert at_random.mean() + 6 < read["40 % with most ink"].mean() < by_fisher.mean() + 4

# Advice.
for steps in (100, 1000):
    assert study.gain("first layer frozen", "lower rate")[steps].mean() < 0
    assert study.gain("lower rate", "nothing done")[steps].mean() > 5
worse = study.gain("first layer frozen", "nothing done")
assert worse[100].mean() < 0 < worse[1000].mean()
at_lower = np.mean([learn_all(freeze_first, s, 0.001, 0, 100)[:-1] for s in seeds])
assert 40 < at_lower < study.older("lower rate", 100).mean() - 5
assert 14 < study.older("last layer frozen", 100).mean() - at_lower < 26  # at 0.001, too
last = study.gain("last layer frozen", "first layer frozen")
assert min(each.mean() for each in last.values()) > 20
for steps in (100, 1000):
    assert 1 < study.gain("last layer frozen", "lower rate")[steps].mean() < 10
assert 52 < study.older("lower rate", 1000).mean() < 68
newest = [study.newest(name, 1000).mean() for name in ("nothing done", "lower rate")]
assert 6 < newest[0] - newest[1] < 14

# Springs: which weight is tied is what counts.
for steps in (100, 1000):
    for other in ("springs, shuffled", "lower rate"):
        assert study.gain("springs by Fisher", other)[steps].min() > 0
    # By pixel: nearly as much of the older two, and far less of the newest.
    assert study.gain("springs by Fisher", "springs by pixel")[steps].mean() < 7
    of_newest = [study.newest(f"springs by {by}", steps) for by in ("Fisher", "pixel")]
    assert (of_newest[0] - of_newest[1]).mean() > 10
for steps in (100, 1000):
    assert abs(study.gain("springs, shuffled", "lower rate")[steps].mean()) < 5
    assert 12 < study.gain("springs by Fisher", "lower rate")[steps].mean() < 24
for steps in (100, 1000):
    tied, slow = (study.newest(name, steps) for name in ("springs by Fisher", "lower rate"))
    assert tied.mean() < slow.mean()

# On the slider: weak springs forget, strong ones do not learn, and the middle is best of all three.
weak, middle, strong = map(at_strength, (0, 100, 10_000))
assert weak["older two"] < middle["older two"] - 10 and strong["newest"] < middle["newest"] - 5
assert middle["all three"] > max(weak["all three"], strong["all three"])

# Old answers, old pictures.
assert study.gain("replay, 5 a digit", "springs by Fisher")[100].mean() > 2
assert study.gain("replay, 5 a digit", "springs by Fisher")[1000].min() > 0
assert study.newest("replay, 5 a digit", 1000).mean() > 94
assert study.older("replay, all", 1000).mean() > 95
for steps in (100, 1000):
    assert abs(study.gain("distillation", "lower rate")[steps].mean()) < 4


# Over all three cameras Fisher is ahead of a lower rate, and replay of Fisher.
def all_three(name, steps):
    """What is read of all three cameras, on average."""
    return (2 * study.older(name, steps).mean() + study.newest(name, steps).mean()) / 3


for steps in (100, 1000):
    assert 8 < all_three("springs by Fisher", steps) - all_three("lower rate", steps) < 15
    assert all_three("springs by Fisher", steps) - all_three("springs by pixel", steps) > 4
    assert all_three("replay, 5 a digit", steps) > all_three("springs by Fisher", steps)
    lost = study.newest("nothing done", steps) - study.newest("replay, 5 a digit", steps)
    assert lost.mean() < 4

# The settings are those that the choice gives, and none is at the end of what was offered.
RATES = {100: [0.001, 0.003, 0.01], 1000: [0.0001, 0.0003, 0.001]}
LOWER = {100: [0.0003, 0.001, 0.003], 1000: [0.00005, 0.0001, 0.0003]}
BY_PIXEL = {100: [0.001, 0.003, 0.01], 1000: [0.0003, 0.001, 0.003]}
HIGHER = {100: [0.003, 0.01, 0.03], 1000: [0.001, 0.003, 0.01]}
for way, rates, strengths_offered in [
    (nothing, LOWER, [0]),
    (freeze_first, RATES, [0]),
    (freeze_last, LOWER, [0]),
    (tie_by_pixel, BY_PIXEL, [10, 100, 1000]),
    (tie_shuffled, RATES, [10, 100, 1000]),
    (tie, RATES, [10, 100, 1000]),
    (distil, LOWER, [0.03, 0.1, 0.3]),
    (replay, HIGHER, [0]),
]:
    middle = strengths_offered[len(strengths_offered) // 2]
    assert study.choose(way, 100, rates[100], strengths_offered) == (rates[100][1], middle)
    assert study.choose(way, 1000, rates[1000], [middle]) == (rates[1000][1], middle)

# Five pictures a digit keep more than springs on average, and clearly with 1,000 steps.
over_springs = study.gain("replay, 5 a digit", "springs by Fisher")
assert min(each.mean() for each in over_springs.values()) > 0
assert over_springs[1000].min() > 0
