"""What *What frozen layers save* says of its figures, in its order; `margins.py` runs it behind the
notebook.

Of times it holds only what a noisy minute leaves standing.
"""

import argparse
import json

from helpers.bench import freezeout

# Layers: counted; both halves save time, and the first the more.
assert list(count.values()) == [11, 7, 9]
_, last_two, first_two, stored = clocks[:, 1]
assert max(last_two, first_two) < 0.95
assert stored < first_two < last_two
assert len(costs.products(models[-1])) == 5
for layers in ([0, 1], [2, 3]):
    half = costs.Step(deep(layers), keras.optimizers.Adam(1e-4))
    assert costs.slots(half.optimizer) * 2 == costs.slots(timed[0].optimizer)
# Activations: those of the first half are not kept; without ReLUs those of neither half.
assert np.isnan(whole) or (0.65 < first_six / whole < 0.75 and 0.95 < last_six / whole < 1.05)
assert np.isnan(whole) or max(linear[1:]) < 0.7 * linear[0]
assert np.isnan(whole) or 3 < whole - 12 < 5

# FreezeOut: its cost; clearly behind after 100 steps, and after 1,000 in the mean.
rows = freezeout.measure(argparse.Namespace(steps=[100, 1000], seeds=5))
assert [row["cost"] for row in rows] == ["0.79"] * 4
assert rows[1]["beside FreezeOut"].strip() == "2.0 (0.7 to 4.7)"
assert rows[3]["beside FreezeOut"].strip() == "1.2 (-0.2 to 2.9)"

# On a GPU, without XLA: the first half as its products say, the last half below that.
assert abs(over_plain["first half of eight layers"][0][1] - 15 / 23) < 0.05
assert over_plain["last half of eight layers"][0][1] < 19 / 23 - 0.15

# The products of eight layers: two operations for each multiplication, at 67 TFLOPS.
operations = 2 * sum(costs.products(costs.network(1024, 8), batch=128))
assert len(costs.products(costs.network(1024, 8))) == 23
assert 6e9 < operations < 6.5e9 and operations / 67e12 < 0.11e-3
rows = json.loads((elsewhere.FOLDER / "h200_device.json").read_text())
assert [row["step"] for row in rows if row["frozen"] == "8 layers of 1024: nothing"] == ["5.0 ms"]
