"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""

# In points of old digits: hardly anything, about two, about ten, and most.
coasting, decay, penalty, alone = (points.mean() for points in lost.values())
assert -1.5 < coasting < 0.5
assert -3 < decay < -1
assert -14 < penalty < -8
assert lost["penalty"].min() > -18 and lost["penalty"].max() < -3
assert alone < 1.5 * penalty

# At three times the rate the penalty costs more than the last run does here.
fast = keras.optimizers.Adam(0.03), keras.optimizers.Adam(0.03)
both = zip(("stop_gradient", "exact"), fast)
olds = [learn_two_more(TECHNIQUES[t], make, penalty=0.001)[1].mean() for t, make in both]
assert -46 < 100 * (olds[0] - olds[1]) < -36

default = keras.optimizers.AdamW
assert adamw().weight_decay == 25 * default().weight_decay

# The last run of the loop is without old digits.
assert not exact[0].any() and exact[1].mean() < 0.333
assert leak[1].mean() < exact[1].mean() / 2

# Under the penalty more pictures are taken for an 8 or a 9, and so more of these are read.
penalized = {"penalty": 0.001}
news = [learn_two_more(TECHNIQUES[t], adam(), **penalized)[2] for t in ("stop_gradient", "exact")]
assert news[0].mean() - news[1].mean() > 0.01

# The table: where restoring fails, and the row that is read in the text.
failing = {(v.technique, v.situation, v.optimizer) for v in verdicts if not v.holds}
assert {s for t, s, _ in failing if t == "restore"} == {"EMA", "clipping", "thaw"}
assert {o for t, s, o in failing if (t, s) == ("where_gradient", "warm")} == {"adam", "adamw"}
assert not {s for t, s, _ in failing if t == "exact"}
