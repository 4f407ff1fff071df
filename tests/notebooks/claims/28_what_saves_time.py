"""What *What saves time* says of its figures, in its order; `margins.py` runs it behind it.

Of times it holds only what a noisy minute leaves standing.
"""

import os
import subprocess
import sys

from helpers import ROOT

# The parts: both products grow with the batch, and the update does not.
few, many = shares_of_a_step(8), shares_of_a_step(2_048)
assert few["update"] > 33 > 20 > many["update"]
assert 35 < shares_of_a_step(32)["update"] < 60
assert many["outputs"] + many["gradient"] > 80

# Rows save most; compact slots and free values save with few free, and not with many.
middle = {way: [median for _, median, _ in each] for way, each in taken.items()}
assert middle["free values"][-1] > 1.25
assert middle["free values"][0] < 1
assert middle["free values"][2] > 1.1 and 0.7 < middle["compact"][2] < 1.3
assert 1 / 3 < middle["compact"][0] < 1
assert max(middle["rows split off"]) < 1.1 and max(middle["rows split off"][:3]) < 0.66
assert middle["rows split off"][0] < middle["compact"][0]
assert 0.9**600 < 1e-20

# The gradient of the free values, and of compact slots, is that of all cells first.
counted = {}
for way in ("compact", "free values", "rows split off"):
    operations = step_of(way, 0.1).graph.get_operations()
    counted[way] = [each for each in operations if each.type == "MatMul"]
assert len(counted["compact"]) == len(counted["free values"]) == 2
assert len(counted["rows split off"]) == 3  # two forward, in parts, and one back, for the free part

# XLA saves with nothing frozen, and beside it each way a little more.
medians = {way: [median for _, median, _ in pair] for way, pair in rivals.items()}
alone = medians["plain"][1]
assert alone < 0.95
assert all(0.4 < medians[way][1] / alone < 1.15 for way in ways)
assert all(abs(alone - medians[way][0]) < 0.3 for way in ("compact", "free values"))

# With half free, compact slots have become a mask.
half = step_of("compact", 0.5).optimizer
assert half.bytes_kept() > 8 * 600 * 600

# The last of two layers: one product of five is left out. On one thread the step is shorter by
# what it took; with more threads by less.
two_layers = """
import numpy as np
from helpers.device import keras
from helpers.studies import costs
from helpers.studies.split import split_rows

steps = []
for split in (False, True):
    first, last = costs.network(600, 2, activation=None).layers
    if split:
        last = split_rows(last, np.arange(600) < 594)
    model = keras.Sequential([keras.Input((600,)), first, last])
    steps.append(costs.Step(model, keras.optimizers.Adam(1e-4), batch=32))
for step in steps:
    print(sum(each.type == "MatMul" for each in step.graph.get_operations()))
seconds = costs.times(steps, rounds=60)
print(np.median(seconds[:, 1] / seconds[:, 0]))
"""
over_plain = {}
for threads in (0, 1):  # 0: as many as the processor has
    of_tf = {f"TF_NUM_{kind}_THREADS": str(threads) for kind in ("INTEROP", "INTRAOP")}
    env = os.environ | of_tf | {"PYTHONPATH": str(ROOT)}
    command = dict(env=env, check=True, text=True, stdout=subprocess.PIPE)
    ran = subprocess.run([sys.executable, "-c", two_layers], **command)
    whole, in_parts, over_plain[threads] = map(float, ran.stdout.split())
    assert whole == 5 and in_parts == 7  # outputs and gradient of the inputs are in two parts
assert 0.4 < over_plain[1] < over_plain[0] < 1.05 or os.cpu_count() == 1
# By the parts of one layer's step about a third would be left out.
assert 0.25 < left_out / plain < 0.42

# Compact slots save on a CPU, and on a GPU under XLA alone.
fifth, hardly = on_h200["compact, 1 % free"], on_h200["compact, 10 % free"]
under_xla = on_h200["plain"][1][1]
assert 1.7 < fifth[0][1] < 2.1 and 1.7 < hardly[0][1] < 2.1 and 3.5 < 1 / under_xla < 4.5
assert 0.75 < fifth[1][1] / under_xla < 0.85 and 0.9 < hardly[1][1] / under_xla < 1
assert 0.28 < on_cpu["compact, 1 % free"][0][1] < 0.38 and 1 / on_cpu["plain"][1][1] > 2
assert 0.7 < on_cpu["compact, 1 % free"][1][1] / on_cpu["plain"][1][1] < 0.8
assert on_cpu["compact, 10 % free"][1][1] > 1.1 * on_cpu["plain"][1][1]
rows_on_gpu, _ = elsewhere.over_plain()["rows split off, 10 % free"]
assert [round(each, 2) for each in rows_on_gpu] == [0.72, 0.84, 0.98]

# The code to take home measures what the page measures.
assert 0.25 < shares[3] < 0.7
