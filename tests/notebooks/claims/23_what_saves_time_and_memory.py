"""What *What saves time and memory* says of its figures, in its order; `margins.py` runs it behind
the notebook.

Of times it holds only what a noisy minute leaves standing.
"""

from helpers.bits import changed_bits

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
assert time["free values"][-1] > 1.25
assert time["free values"][0] < 0.9
assert 0.1 < time["compact"][0] < 0.8
assert all(time["rows split off"][number] < time["mask"][number] for number in range(len(shares)))
assert time["rows split off"][0] < time["compact"][0]
assert 0.9**600 < 1e-20

# The gradient of the free values, and of compact slots, is that of all cells first.
counted = {}
for way in ("compact", "free values", "rows split off"):
    operations = step_of(way, 0.1).graph.get_operations()
    counted[way] = [each for each in operations if each.type == "MatMul"]
assert len(counted["compact"]) == len(counted["free values"]) == 2
assert len(counted["rows split off"]) == 3  # two forward, in parts, and one back, for the free part

# Peaks, where the system tells them.
peak_of = dict(zip(tables, in_steps))
if not np.isnan(in_steps).any():
    assert peak_of["rows split off"] < min(peak_of["compact slots"], peak_of["free values"])
    assert max(peak_of["compact slots"], peak_of["free values"]) < 0.75 * peak_of["nothing"]
    assert peak_of["rows split off"] < 1.6
    assert set_up[tables.index("rows split off")] > 0.9 * peak_of["nothing"]

# Layers: counted, and both halves save.
assert list(count.values()) == [11, 7, 9]
_, last_two, first_two = bars[:, 1]
assert max(last_two, first_two) < 0.95
for layers in ([0, 1], [2, 3]):
    half = costs.Step(deep(layers), keras.optimizers.Adam(1e-4))
    assert costs.slots(half.optimizer) * 2 == costs.slots(trio[0].optimizer)

# FreezeOut: its cost; clearly behind after 100 steps, and after 1,000 in the mean.
assert round(100 * cost) == 79
assert (ahead[100] < 0).all()
assert -4 < ahead[100].mean() < -1
assert ahead[100].mean() < ahead[1000].mean() < 0
# A layer whose rate is 0 keeps every bit.
falling = rates_of("FreezeOut", 100, 0.01)
assert np.flatnonzero(falling[:, 0] == 0)[0] == 52
testing.train([*range(10)], np.stack([falling[:52]] * 10))
at_its_stop = testing.variables[0].numpy()
testing.train([*range(10)], np.stack([falling] * 10))
assert not changed_bits(at_its_stop, testing.variables[0].numpy()).any()
