"""What *Train almost nothing* says of its figures, in its order; `margins.py` runs it behind the
notebook."""

assert upright > 93
assert turned < 35

# At one low rate for all Fisher leads clearly.
for way in ("largest, 586", "random, 586"):
    assert (same_rate["Fisher, 586"] - same_rate[way]).min() > 0

# With a rate for each, nothing is left of the lead: Fisher reads no more than random cells.
assert apart.mean() < 1
assert all(own_rate[way].mean() - same_rate[way].mean() > 5 for way in same_rate)
gains = {way: own_rate[way].mean() - same_rate[way].mean() for way in same_rate}
assert min(gains, key=gains.get) == "Fisher, 586"


def wins(way, rival, steps):
    """In how many seeds a way is ahead."""
    return (results[steps][way] > results[steps][rival]).sum()


def lead(way, rival, steps):
    return (results[steps][way] - results[steps][rival]).mean()


# The verdicts that are told of both lengths.
for steps in (100, 1000):
    assert wins("Fisher, 586", "random, 586", steps) < len(seeds)
    assert (results[steps]["all, 26,122"] - results[steps]["random, 586"]).min() > 0
    assert (results[steps]["random, 266"] - results[steps]["biases, 266"]).min() > 0
    assert lead("random, 586", "low rank, 586", steps) > 1
assert sum(wins("largest, 586", "random, 586", steps) for steps in (100, 1000)) < 2 * len(seeds)
assert lead("random, 586", "all, 26,122", 100) < lead("random, 586", "all, 26,122", 1000) + 2
assert np.mean(results[1000]["biases, 266"]) < np.mean(results[100]["biases, 266"]) + 12

# And of one: low rank is behind in nearly all seeds after 100 steps, and never clearly ahead.
assert wins("random, 586", "low rank, 586", 100) >= len(seeds) - 1
assert all(wins("low rank, 586", "random, 586", steps) < len(seeds) for steps in results)

# Rates within what is offered do, and that of the whole network is the lowest.
for way, some in (few | others).items():
    for steps in results:
        at = {rate: on_validation(way, rate, steps) for rate in some}
        assert max(at[rate] for rate in some[1:-1]) > max(at[some[0]], at[some[-1]]) - 2
        assert best_rates[way, steps] >= best_rates["all, 26,122", steps]
# Some of few weights have one many times as high: 33 times on the page, and other seeds 100.
assert 10 < best_rates["random, 586", 1000] / best_rates["all, 26,122", 1000] < 101

# The patch is the adapted network; a sum is not undone by a difference.
assert differing(machine, base) == 0
apply_patch(machine, patch)
assert differing(machine, trained) == 0
draw = np.random.default_rng(0)
product = draw.normal(size=(64, 1)) @ draw.normal(size=(1, 128)) / 10
assert 0 < changed_bits(base[0], (base[0] + product) - product).sum() < 8192
# In float32 a patch is as large as the table says: the last layer's is hardly larger than that of
# random cells with their places, and the seed in place of the places makes it half as large.
assert sum(places.nbytes for places, _ in patch) == 4 * 586
assert sum(values.astype("float32").nbytes for _, values in patch) == 4 * 586
assert sum(w.size for w in base[-2:]) == 1_290 and reader.size == 26_122
assert reader.adapt_low_rank(0, 1, 0.01, steps=0) == 586
sizes = {name: size for name, (_, size) in patches.items()}
assert 1 < sizes["last layer"] / sizes["random cells, with places"] < 1.15
assert sizes["random cells, drawn again"] == sizes["low rank"]
# What random cells reach, and the last layer alone.
assert 85 < results[100]["random, 586"].mean() < 90
for steps in (100, 1000):
    assert abs(lead("last layer, 1,290", "random, 586", steps)) < 4
# The dial over the number of free cells: a high rate suits few, and the lowest suits most cells.
for count, best in ((100, 0.1), (266, 0.1), (586, 0.1), (1_290, 0.1), (20_000, 0.01)):
    at_rates = with_cells(count)
    assert max(at_rates, key=at_rates.get) == f"rate {best}"
