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
assert study.gain("first layer frozen", "lower rate").mean() < 0
assert study.gain("lower rate", "nothing done").mean() > 5
at_lower = np.mean([learn_all(freeze_first, s, 0.0001, 0)[:-1] for s in seeds])
assert 12 < study.older("last layer frozen").mean() - at_lower < 26  # at 0.0001, too
# At the same rate no freeze keeps more: at 0.0001, and at 0.0003.
assert study.older("lower rate").mean() > at_lower + 3
at_0003 = np.mean([learn_all(nothing, s, 0.0003, 0)[:-1] for s in seeds])
assert at_0003 > study.older("first layer frozen").mean() + 3
slower = study.newest("lower rate") - study.newest("last layer frozen")
assert 0.5 < slower.mean() < 3.5
last = study.gain("last layer frozen", "first layer frozen")
assert last.min() > 0 and last.mean() > 15
assert 1 < study.gain("last layer frozen", "lower rate").mean() < 10
newest = [study.newest(name).mean() for name in ("nothing done", "lower rate")]
assert 6 < newest[0] - newest[1] < 14

# Springs: which weight is tied is what counts; a number a row and a number a column will do.
for other in ("springs, shuffled", "springs, alike", "lower rate"):
    assert study.gain("springs by Fisher", other).min() > 0
    assert study.gain("springs by Fisher", other).mean() > 12
    assert 8 < (study.every("springs by Fisher") - study.every(other)).mean() < 17
for other in ("springs, shuffled", "springs, alike"):
    assert abs(study.gain(other, "lower rate").mean()) < 6
assert abs(study.gain("springs by Fisher", "springs by row and column").mean()) < 4
assert abs((study.every("springs by Fisher") - study.every("springs by row and column")).mean()) < 4

# On the slider: weak springs forget, strong ones do not learn, and the middle is best of all three.
weak, middle, strong = map(at_strength, (0, 100, 10_000))
assert weak["older two"] < middle["older two"] - 10 and strong["newest"] < middle["newest"] - 5
assert middle["all three"] > max(weak["all three"], strong["all three"])

# Old answers, old pictures.
assert study.gain("replay, 5 per digit", "springs by Fisher").min() > 0
assert (study.newest("replay, 5 per digit") - study.newest("springs by Fisher")).min() > 0
assert study.older("replay, all").mean() > 95
assert abs(study.gain("distillation", "lower rate").mean()) < 4

# The settings are those that the choice gives, and none is at the end of what was offered.
OFFERED = [[0.00005, 0.0001, 0.0003], [0.0001, 0.0003, 0.001], [0.001, 0.003, 0.01]]
for way, rate, strength in [
    (nothing, 0.0001, 0),
    (freeze_first, 0.0003, 0),
    (freeze_last, 0.0001, 0),
    (tie_alike, 0.0003, 30),
    (tie_shuffled, 0.0003, 100),
    (tie_by_both, 0.0003, 100),
    (tie, 0.0003, 100),
    (replay, 0.003, 0),
]:
    rates = next(each for each in OFFERED if each[1] == rate)
    strengths_offered = [strength / 10, strength, strength * 10] if strength else [0]
    assert study.choose(way, rates, strengths_offered) == (rate, strength)
assert study.choose(distil, OFFERED[0], [0.03, 0.1, 0.3]) == (0.0001, 0.1)
