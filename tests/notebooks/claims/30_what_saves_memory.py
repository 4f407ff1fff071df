"""What *What saves memory* says of its figures, in its order; `margins.py` runs it behind it."""

from helpers import masks
from helpers.device import keras
from helpers.freezing import freezable
from helpers.studies import costs
from helpers.studies.fits import parts

Adam = keras.optimizers.Adam

# What fits into 16 GB; where the system does not tell its peaks, of the computed ones.
fits.table.value, fits.memory.value = 4, 16
fitting = {}
for share in (1, 10, 20):
    fits.free.value = share
    fitting[share] = [way for way in frozen_ways if fits.trains(way)]
assert fitting == {1: frozen_ways, 10: frozen_ways, 20: ["compact slots", "rows split off"]}
assert not fits.trains("nothing")
fits.table.value = 3
assert fits.trains("nothing")

# The goals, and the settings that the page tells.
settings = {"8 GB": (8, 16, 1), "10 %": (8, 24, 10), "3 GB": (3, 16, 1)}
for goal, setting in settings.items():
    fits.table.value, fits.memory.value, fits.free.value = setting
    (reached,) = [each for each in fits.goals if goal in each]
    assert reached in fits.reached, goal
    assert "compact slots" in fits.able and ("free values" in fits.able) == (goal == "3 GB")

fits.table.value, fits.memory.value, fits.free.value = 4, 16, 20
assert "free values" not in fits.able
fits.steps_alone.value = True
assert "free values" in fits.able
fits.free.value = 1  # of the steps alone, those of rows split off take least
assert min(fits.peak(way) for way in frozen_ways) == fits.peak("rows split off")
fits.steps_alone.value = False

# A mask of more than a third free takes more than plain Adam.
fits.free.value = 40
assert fits.peak("compact slots")[0] > fits.peak("nothing")[0]

# Peaks, where the system tells them.
plain_step = one_free["nothing"][1]
if not np.isnan(plain_step):
    one, tenth, fifth = [at_peak[share] for share in (1, 10, 20)]
    assert 4.9 < plain_step < 5.2
    told = {"compact slots": (1.3, 1.3), "free values": (2.8, 2.1), "rows split off": (2.1, 1.2)}
    for way, wanted in told.items():
        assert np.allclose(one[way], wanted, atol=0.12), (way, one[way])
    # Free values and rows split off take more while they are set up, and plain Adam in a step.
    measured = {share: at_peak[share] for share in (1, 10, 20)}
    for share, ways in measured.items():
        fits.free.value = share
        when = {way: fits.peak(way)[1] for way in ways if way != "compact slots"}
        assert when == {
            "nothing": "in a step",
            **dict.fromkeys(frozen_ways[1:], "set up"),
        }
    # The formulas of the page.
    for share, ways in measured.items():
        s = share / 100
        told = (1.25 + 5 * s, 1 + 8 * s), (2.75 + 9 * s, 2 + 8 * s), (2 + 2 * s, 1 + 4 * s)
        for way, formulas in zip(frozen_ways, told):
            computed = [sum(each.values()) for each in parts(way, s).values()]
            assert np.allclose(computed, formulas)
            assert -0.03 < max(ways[way]) - max(formulas) < 0.27, (way, share)
    for share in (0.3, 0.5, 0.8):  # where more than half of the rows are free, a step takes more
        computed = [sum(each.values()) for each in parts("rows split off", share).values()]
        assert np.allclose(computed, (2 + 2 * share, 1 + 4 * share))
    told = {"compact slots": 2.6, "free values": 4.55, "rows split off": 2.4}
    for way, tables in told.items():
        assert abs(max(sum(each.values()) for each in parts(way, 0.2).values()) - tables) < 1e-6
    assert abs(max(tenth["compact slots"]) - 1.95) < 0.1
    assert 0.85 * plain_step < max(fifth["free values"]) < 0.95 * plain_step
    assert 2.55 < max(fifth["compact slots"]) < 2.9
    assert abs(max(fifth["rows split off"]) - 2.4) < 0.1

    # The parts are nearly all that is measured.
    for share, ways in measured.items():
        for way, pair in ways.items():
            sums = [sum(each.values()) for each in parts(way, share / 100).values()]
            assert all(-0.02 < at - of < 0.25 for at, of in zip(pair, sums)), (way, share)
    assert abs(fifth["free values"][0] - 2.75 - 1.8) < 0.05
    assert abs(fifth["compact slots"][0] - 1.25 - 1) < 0.1
    # In a step free values take two tables, and the others little more than one.
    assert all(1 < one[way][1] < 1.45 for way in ("compact slots", "rows split off"))

    # The white of compact slots is as many bytes in a smaller table.
    for size, at in (
        (100, one["compact slots"][1]),
        (40, peaks.of(["compact slots"])["compact slots"][1]),
    ):
        assert 14 < size * (at - 1.08) < 28

    # The gradient of a Dense kernel is another table.
    dense_ways = ["nothing", "compact slots", "free values"]
    of_kernel = peaks.at_shares(dense_ways, [1], words, layer="dense")[1]
    for way, tables in zip(dense_ways, (6, 2.2, 2.8)):
        assert abs(max(of_kernel[way]) - tables) < 0.12, way

# With XLA a step of free values saves less, and one with rows split off as much.
by_xla = peaks.of(["nothing", *frozen_ways], words, jit=True)
with_xla = {way: at for way, (_, at) in by_xla.items()}
if not np.isnan(plain_step):
    told = {"nothing": 6.2, "free values": 3.2, "compact slots": 1.7, "rows split off": 1.3}
    assert all(abs(with_xla[way] - tables) < 0.15 for way, tables in told.items()), with_xla

# Compact slots save up to a half in a small matrix, and in a large one up to a third.
for side, share, least, most in (
    (400, 0.4, 0.7, 0.9),
    (600, 0.33, 0.6, 0.75),
    (600, 0.34, 1.1, 1.2),
):
    one = costs.network(side, 1, activation=None)
    compact = freezable(Adam, compact=True)(1e-4)
    compact.build(one.trainable_variables)
    compact.freeze_cells(one.layers[0].kernel, masks.random((side, side), 1 - share, seed=0))
    assert least < compact.bytes_kept() / (2 * 4 * one.count_params()) < most

# The free cells of the program that stay are of words that no text has.
again = np.random.default_rng(0)
in_texts, _ = again.integers(0, 2_000, size=(512, 20)), again.integers(0, 4, size=512)
absent = ~np.isin(np.arange(2_000), in_texts)
assert (again.random((2_000, 100))[absent] >= 0.99).sum() == 14
