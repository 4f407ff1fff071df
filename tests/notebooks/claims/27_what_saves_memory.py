"""What *What saves memory* says of its figures, in its order; `margins.py` runs it behind it."""

# Peaks, where the system tells them.
if not np.isnan(plain_step):
    one, tenth, fifth = [at_peak[share] for share in (1, 10, 20)]
    assert 4.5 < plain_step < 5.6
    told = {"compact slots": (1.9, 1.3), "free values": (3.0, 2.1), "rows split off": (2.4, 1.3)}
    for way, wanted in told.items():
        assert np.allclose(one[way], wanted, atol=0.35), (way, one[way])
    # With 1 % free each way takes more while it is set up.
    assert all(one[way][0] > 1.2 * one[way][1] for way in frozen_ways)
    assert 0.8 * plain_step < max(fifth["free values"]) < plain_step
    assert 0.9 * plain_step < fifth["compact slots"][1]
    assert max(fifth["rows split off"]) < 0.6 * plain_step

    # What fits into 16 GB.
    fits.table.value, fits.memory.value = 4, 16
    fitting = {}
    for share in at_peak:
        fits.free.value = share
        fitting[share] = [way for way in frozen_ways if fits.trains(way)]
    assert fitting == {1: frozen_ways, 10: frozen_ways, 20: ["rows split off"]}
    assert not fits.trains("plain")
    fits.table.value = 3
    assert fits.trains("plain")

# With XLA a step of free values saves less, and one with rows split off as much.
by_xla = peaks.of(["nothing", *frozen_ways], jit=True)
with_xla = {way: at for way, (_, at) in by_xla.items()}
if not np.isnan(plain_step):
    assert with_xla["compact slots"] < with_xla["nothing"] / 2
    assert 0.5 < with_xla["free values"] / with_xla["nothing"] < 0.6
    assert 0.2 < with_xla["rows split off"] / with_xla["nothing"] < 0.3

# Bytes are counted; compact slots are a mask where more than a sixth is free.
plain_keeps = kept("plain", 1)
for share in (0.01, 0.05, 0.1, 0.16, 0.17, 0.2, 0.28, 0.29, 0.5):
    wanted = {"mask": 1.125, "rows split off": share + 0.00625, "free values": 3.5 * share}
    wanted["compact"] = 2 * share if 6 * share <= 1 else 1.125
    for way, each in wanted.items():
        assert abs(kept(way, share) / plain_keeps - each) < 1e-3
assert words * cells > 2**18
assert kept("free values", 0.28) < plain_keeps < kept("free values", 0.29)

# Compact slots save up to a half in a small matrix, and in a large one up to a sixth.
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

# Of whole rows, compact slots keep places for the rows alone.
table = keras.layers.Embedding(words, cells)
table.build(None)
compact = freezable(Adam, compact=True)(1e-4)
compact.build(table.trainable_variables)
compact.freeze_cells(table.embeddings, np.arange(words * cells).reshape(words, cells) < 990_000)
assert 0.014 < compact.bytes_kept() / (8 * words * cells) < 0.016

# The free cells of the program that stay are of words that no text has.
again = np.random.default_rng(0)
in_texts, _ = again.integers(0, 2_000, size=(512, 20)), again.integers(0, 4, size=512)
absent = ~np.isin(np.arange(2_000), in_texts)
assert (again.random((2_000, 100))[absent] >= 0.99).sum() == 14
