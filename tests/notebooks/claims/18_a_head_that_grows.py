"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

assert before > 95

# A frozen number is not a kept answer; the paint saves some all the same.
assert lab.leaks().sum() == 0
assert 60 < read(painted, "0 to 4") < 90 and read(painted, "fives") > 60
assert read(unpainted, "0 to 4") < read(painted, "0 to 4") - 3
lab.close()

# Dragged far enough, the bias keeps what is wanted, and loses fives.
assert with_bias(0)["old digits"] < 88 and with_bias(-6)["old digits"] > 92
assert with_bias(-4)["fives"] < with_bias(0)["fives"] - 30


def grown_to(shown, trains, steps, part="0 to 4"):
    """How many of a part are read, on average over the seeds."""
    return np.mean(in_each((shown, trains, steps), part))


# With fives alone old digits are lost, the more the longer; old pictures keep them.
for steps in (100, 1000):
    assert grown_to("fives alone", "all", steps) + 4 < grown_to("fives alone", "new", steps) < 90
    for trains in ("all", "new"):
        assert 90 < grown_to("all digits", trains, steps) < 98
        fives = [grown_to(shown, trains, steps, "fives") for shown in ("all digits", "fives alone")]
        assert fives[0] < fives[1] - 5
    assert abs(grown_to("all digits", "new", steps) - grown_to("all digits", "all", steps)) < 2.5
for trains in ("all", "new"):
    assert grown_to("fives alone", trains, 1000) < grown_to("fives alone", trains, 100)
    assert 45 < grown_to("all digits", trains, 1000, "fives") < 68
    # Fives that are shown more often are read more often, and old digits less often.
    for part, sign in (("fives", 1), ("0 to 4", -1)):
        often, once = (
            grown_to(shown, trains, 1000, part) for shown in ("fives often", "all digits")
        )
        assert sign * (often - once) > 0.5

# Where fives are shown often, the freeze clearly loses old digits, and wins some fives.
new, six = (
    [in_each(("fives often", trains, 1000), part) for part in ("0 to 4", "fives")]
    for trains in ("new", "all")
)
assert np.subtract(new[0], six[0]).max() < 0
assert np.mean(new[1]) > np.mean(six[1]) + 1
# At as many old digits no head of six columns that has seen old pictures is clearly behind one of
# old columns frozen, nor clearly ahead.
for shown in ("all digits", "fives often"):
    apart = as_good[f"{shown}, six columns"] - as_good[f"{shown}, new column"]
    assert apart.min() < 0 < apart.max()
assert as_good["fives often, new column"].mean() < as_good["all digits, new column"].mean() - 1
# Ten seeds do not make it clear either, and the mean of five was no more than chance.
for apart in ahead.values():
    assert len(apart) == 10 and min(apart) < 0 < max(apart)
    assert abs(np.mean(apart)) < 8

# The more old pictures, the more old digits are read, and the fewer fives. Eight are enough.
few, four, some, many = (with_old_pictures(count) for count in (0, 4, 8, 40))
assert max(with_old_pictures(2)["old digits"], four["old digits"]) < 72
assert some["old digits"] > 78 and 70 < some["fives"] < 80
assert few["old digits"] + 5 < some["old digits"] < many["old digits"] - 3
assert few["fives"] - 3 > some["fives"] > many["fives"]

# The figures that the bet on the bias gives away.
assert 89 < grown_to("all digits", "new", 1000) < 95
assert 45 < grown_to("all digits", "new", 1000, "fives") < 65

# No bias does as well as old pictures, and the longer training alone is, the worse it gets.
for steps in (100, 1000):
    found = as_good[f"fives alone, {steps:,} steps"]
    apart = as_good["all digits, new column"] - found
    assert apart.min() > 0 and apart.mean() > 8
assert as_good["fives alone, 1,000 steps"].mean() < as_good["fives alone, 100 steps"].mean() - 1
assert 22 < as_good["fives alone, 100 steps"].mean() < 42
late = [in_each(("fives alone", "new", 1000), "0 to 4", shift) for shift in shifts]
assert np.min(late[0]) > 93, "a low bias keeps any number of old digits"
for least in (80, 85, 90):
    fives = {}
    for steps in (100, 1000):
        of = ("fives alone", "new", steps)
        shift = max(s for s in shifts if np.mean(in_each(of, "0 to 4", s)) >= least)
        fives[steps] = np.mean(in_each(of, "fives", shift))
    assert fives[1000] < fives[100]


# With old pictures a bias trades one for the other: the share of right answers gains nothing.
def of_all(shift):
    """Right answers over six classes of equal size, at this bias, in %."""
    run = "all digits", "new", 1000
    return (5 * np.mean(in_each(run, "0 to 4", shift)) + np.mean(in_each(run, "fives", shift))) / 6


assert max(of_all(shift) for shift in shifts) < of_all(0) + 1.5


def fives_at(least, *run):
    """How many fives are read at a bias that keeps at least so many old digits."""
    enough = [s for s in shifts if np.mean(in_each(run, "0 to 4", s)) >= least]
    return np.mean(in_each(run, "fives", max(enough))) if enough else 0


for least in (80, 85, 90):
    both = [fives_at(least, shown, "new", 1000) for shown in ("fives alone", "all digits")]
    assert both[1] > both[0] + 10

# The 3s that are drawn have larger leads than the fives.
first_leads = {}
for part, digit in (("0 to 4", 3), ("fives", 5)):
    of_digit = first_seed[part][growing.tests[part][1] == digit]
    first_leads[digit] = np.unique(of_digit[:, 5] - of_digit[:, :5].max(axis=1))
assert first_leads[3][-3] > first_leads[5][2] + 2


# The take-home's weights are loaded into a head that is widened from the same old one. Widened from
# another one, it puts that one's columns over them. With `use_ema` the old numbers move.
def moved_after(old_head, **options):
    """How many old numbers are other than in the accepted head, after loading and one epoch."""
    again = widened(old_head, 1)
    again.set_weights(wide.get_weights())
    network = keras.Sequential([base, again])
    network.compile(keras.optimizers.AdamW(0.01, **options), loss)
    network.fit(x, y, epochs=1, verbose=0)
    pairs = zip(again.get_weights(), head.get_weights())
    return sum((now[..., :5] != before).sum() for now, before in pairs)


another = keras.layers.Dense(5)
another.build((None, 24))
assert moved_after(head) == 0
assert moved_after(another) > 100
assert moved_after(head, use_ema=True) > 100
