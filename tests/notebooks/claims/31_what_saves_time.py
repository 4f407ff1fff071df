"""What *What saves time* says of its figures, in its order; `margins.py` runs it behind it.

Of times it holds only what a noisy minute leaves standing.
"""

# The parts: both products grow with the batch, and the update does not.
few, many = shares_of_a_step(8), shares_of_a_step(2_048)
assert few["update"] > 33 > 16 > many["update"]
assert 35 < shares_of_a_step(32)["update"] < 80
assert 70 < shares_of_a_step(32, width=4_096)["update"] < 90
assert many["outputs"] + many["gradient"] > 80
smallest = shares_of_a_step(32, width=200)
assert max(smallest, key=smallest.get) == "start" and smallest["start"] > 35
assert min(small, default=2_048) == 2_048

# Rows save most; compact slots and free values save with few free, and not with many.
raced = [rivals, *(race(600, 32, percent_free) for percent_free in (15, 30))]
without_xla = {way: [each[way][0][1] for each in raced] for way in ways}
assert without_xla["free values"][0] < 1 and without_xla["free values"][2] > 1.1
assert without_xla["free values"][1] > 0.9 and 0.7 < without_xla["compact"][1] < 1.3
assert 1 / 3 < without_xla["compact"][0] < 0.9
assert max(without_xla["rows split off"]) < 0.8 and max(without_xla["rows split off"][:2]) < 0.66
assert without_xla["rows split off"][0] < without_xla["compact"][0]

# The gradient of the free values, and of compact slots, is that of all cells first.
counted = {}
for way in ("compact", "free values", "rows split off"):
    operations = step_of(way, 0.1).graph.get_operations()
    counted[way] = [each for each in operations if each.type == "MatMul"]
assert len(counted["compact"]) == len(counted["free values"]) == 2
assert len(counted["rows split off"]) == 3  # two forward, in parts, and one back, for the free part

# Adam goes through all cells in twelve operations, of which three assign.
passes = [
    each.type
    for each in step_of("plain").graph.get_operations()
    if any(
        value.shape == (600, 600)
        for value in (each.inputs if "Assign" in each.type else each.outputs)
    )
    and each.type not in ("ReadVariableOp", "MatMul", "Identity", "IdentityN")
]
assert len(passes) == 12 and sum("Assign" in each for each in passes) == 3

# XLA saves with nothing frozen, and beside it each way a little more.
medians = {way: [median for _, median, _ in pair] for way, pair in rivals.items()}
alone = medians["plain"][1]
assert 0.5 < alone < 0.95
assert all(0.4 < medians[way][1] / alone < 1.15 for way in ways)
assert all(abs(alone - medians[way][0]) < 0.3 for way in ("compact", "free values"))
assert 0.7 < alone / medians["compact"][0] < 1.4

# In a layer so small that starting operations takes longest, compact slots save nothing.
tiny = {way: [median for _, median, _ in pair] for way, pair in race(200, 32, 1).items()}
assert tiny["compact"][0] > 0.9 and tiny["plain"][1] > 0.75
large = race(1_200, 32, 1)
assert min(bar[1] for pair in large.values() for bar in pair) < 0.4
assert min(bar[1] for bar in large["rows split off"]) < min(bar[1] for bar in large["compact"])

# With half free, compact slots have become a mask.
half = step_of("compact", 0.5).optimizer
assert half.bytes_kept() > 8 * 600 * 600

# The milliseconds of a plain step, on the CPU and on the GPU.
assert [round(elsewhere.plain_ms(it), 1) for it in ("two_cores", "h200")] == [59.3, 1.2]
assert abs(on_h200["plain"][1][1] - 0.29) < 0.006
assert abs(on_h200["compact, 1 % free"][1][1] - 0.23) < 0.006

# Compact slots save on a CPU, and on a GPU under XLA alone.
fifth, hardly = on_h200["compact, 1 % free"], on_h200["compact, 10 % free"]
under_xla = on_h200["plain"][1][1]
assert 1.7 < fifth[0][1] < 2.1 and 1.7 < hardly[0][1] < 2.1 and 3 < 1 / under_xla < 4
without, with_xla = [[way[xla][1] for way in (fifth, hardly)] for xla in (0, 1)]
assert np.allclose(without, [1.75, 1.99], atol=0.006)
assert np.allclose(np.divide(with_xla, under_xla), [0.79, 0.94], atol=0.006)
assert abs(on_cpu["plain"][1][1] - 0.43) < 0.006
assert 0.75 < fifth[1][1] / under_xla < 0.85 and 0.9 < hardly[1][1] / under_xla < 1
assert 0.28 < on_cpu["compact, 1 % free"][0][1] < 0.38 and 1 / on_cpu["plain"][1][1] > 2
assert np.allclose(
    [on_cpu[f"compact, {n} % free"][0][1] for n in (1, 10)], [0.32, 0.47], atol=0.006
)
for free in (1, 10):  # beside compact slots XLA saves nothing
    assert np.diff(on_cpu[f"compact, {free} % free"], axis=0)[0, 1] > -0.005
rows_on_gpu, _ = elsewhere.over_plain()["rows split off, 10 % free"]
assert [round(each, 2) for each in rows_on_gpu] == [0.72, 0.84, 0.98]

# The code to take home measures what the page measures.
assert 0.25 < shares[3] < 0.8
