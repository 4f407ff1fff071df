"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

assert before > 95

# A frozen number is not a kept answer; the paint saves some all the same.
assert lab.leaks().sum() == 0
assert 60 < read(painted, "0 to 4") < 90 and read(painted, "fives") > 60
assert read(unpainted, "0 to 4") < read(painted, "0 to 4") - 3
lab.close()

# Dragged far enough, the bias keeps what is wanted, and loses fives.
assert with_bias(0)["old digits"] < 70 and with_bias(-16)["old digits"] > 92
assert with_bias(-10)["fives"] < with_bias(0)["fives"] - 30


def grown_to(shown, trains, steps, part="0 to 4"):
    """How many of a part are read, on average over the seeds."""
    return np.mean(in_each((shown, trains, steps), part))


# With fives alone old digits are lost, the more the longer; old pictures keep them.
for steps in (100, 1000):
    assert grown_to("fives", "all", steps) + 4 < grown_to("fives", "new", steps) < 90
    for trains in ("all", "new"):
        assert 90 < grown_to("all", trains, steps) < 98
        fives = [grown_to(shown, trains, steps, "fives") for shown in ("all", "fives")]
        assert fives[0] < fives[1] - 5
    assert abs(grown_to("all", "new", steps) - grown_to("all", "all", steps)) < 2.5
for trains in ("all", "new"):
    assert grown_to("fives", trains, 1000) < grown_to("fives", trains, 100)

# The figures that the bet on the bias gives away.
assert 89 < grown_to("all", "new", 1000) < 95 and 45 < grown_to("all", "new", 1000, "fives") < 65

# No bias does as well as old pictures, and the longer training alone is, the worse it gets.
for steps, found in as_good.items():
    apart = np.subtract(in_each(("all", "new", steps), "fives"), found)
    assert apart.min() > 0 and apart.mean() > 8
late = [in_each(("fives", "new", 1000), "0 to 4", shift) for shift in shifts]
assert np.min(late[0]) > 93, "a low bias keeps any number of old digits"
for least in (80, 85, 90):
    fives = {}
    for steps in (100, 1000):
        of = ("fives", "new", steps)
        shift = max(s for s in shifts if np.mean(in_each(of, "0 to 4", s)) >= least)
        fives[steps] = np.mean(in_each(of, "fives", shift))
    assert fives[1000] < fives[100]


# With old pictures a bias trades one for the other: the share of right answers gains nothing.
def of_all(shift):
    """Right answers over six classes of equal size, at this bias, in %."""
    run = "all", "new", 1000
    return (5 * np.mean(in_each(run, "0 to 4", shift)) + np.mean(in_each(run, "fives", shift))) / 6


assert max(of_all(shift) for shift in shifts) < of_all(0) + 1.5
for least in (80, 85, 90):
    best = {}
    for shown in ("fives", "all"):
        of = (shown, "new", 1000)
        shift = max(s for s in shifts if np.mean(in_each(of, "0 to 4", s)) >= least)
        best[shown] = np.mean(in_each(of, "fives", shift))
    assert best["all"] > best["fives"] + 10
