"""What *What saves time and memory* says of its figures, in its order; `margins.py` runs it behind
the notebook.

Of times it holds only what a noisy minute leaves standing.
"""

# The knob: bytes are counted; compact slots are a mask where more than a sixth is free.
for number, share in enumerate(shares):
    picked = 6 * share <= 1
    wanted = {"mask": 1.125, "rows split off": share, "free values": 3.5 * share}
    wanted["compact"] = 2 * share if picked else 1.125
    for way in ways:
        assert abs(memory[way][number] - wanted[way]) < 0.005
assert 600 * 600 > 2**18
assert min(ways, key=lambda way: memory[way][0]) == "rows split off"

# Time: rows save most; compact slots and free values save with few free, and not with many.
middle = {way: [median for _, median, _ in bars] for way, bars in time.items()}
assert middle["free values"][-1] > 1.25
assert middle["free values"][0] < 0.9
assert 1 / 3 < middle["compact"][0] < 1
for of_rows, of_mask in zip(middle["rows split off"], middle["mask"]):
    assert of_rows < of_mask
assert middle["rows split off"][0] < middle["compact"][0]
assert 0.9**600 < 1e-20

# The gradient of the free values, and of compact slots, is that of all cells first.
counted = {}
for way in ("compact", "free values", "rows split off"):
    operations = step_of(way, 0.1).graph.get_operations()
    counted[way] = [each for each in operations if each.type == "MatMul"]
assert len(counted["compact"]) == len(counted["free values"]) == 2
assert len(counted["rows split off"]) == 3  # two forward, in parts, and one back, for the free part

# Compact slots save up to a half, in a large matrix up to a sixth; free values up to 2/7.
for side, share, least, most in (
    (400, 0.4, 0.7, 0.9),
    (600, 0.16, 0.3, 0.4),
    (600, 0.17, 1.1, 1.2),
):
    one = costs.network(side, 1, activation=None)
    compact = freezable(Adam, compact=True)(1e-4)
    compact.build(one.trainable_variables)
    compact.freeze_cells(one.layers[0].kernel, masks.random((side, side), 1 - share, seed=0))
    assert least < compact.bytes_kept() / (2 * 4 * one.count_params()) < most

# Peaks, where the system tells them.
steps_of = {way: found[1] for way, found in at_peak.items()}
if not np.isnan(plain_step):
    assert steps_of["rows split off"] < min(steps_of["compact slots"], steps_of["free values"])
    assert max(steps_of["compact slots"], steps_of["free values"]) < 0.75 * steps_of["nothing"]
    assert steps_of["rows split off"] < 1.6 and 4.5 < plain_step < 5.6
    for way, share in (("compact slots", 0.33), ("free values", 0.5), ("rows split off", 0.25)):
        assert abs(steps_of[way] / plain_step - share) < 0.08
    for way in ("compact slots", "free values", "rows split off"):
        assert at_peak[way][0] > steps_of["nothing"]
    assert loaded["rows split off"] < 0.9 * steps_of["nothing"]
    assert loaded["free values"] < steps_of["nothing"]

# On a GPU compact slots save under XLA alone; split rows save without it.
for few in ("compact, 10 % free", "compact, 1 % free"):
    (_, without, _), (_, with_xla, _) = over_plain[few]
    assert 1.7 < without < 2.1 and with_xla < 0.95
assert over_plain["rows split off, 10 % free"][0][1] < 0.85
