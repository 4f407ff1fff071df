"""What *Train almost nothing* says of its figures, in its order; `margins.py` runs it behind the
notebook."""

assert upright > 93
assert turned < 35

# Which cells are free: Fisher's are in few units of the first kernel, and mostly in the last layer;
# the largest are mostly in the first kernel, and in nearly all of its units.
for seed in seeds:
    free = {kind: [~mask for mask in choose(kind, 586, seed)] for kind in kinds}
    assert all(sum(mask.sum() for mask in of_kind) == 586 for of_kind in free.values())
    assert free["Fisher"][0].any(axis=0).sum() < 40 < 90 < free["random"][0].any(axis=0).sum()
    assert sum(mask.sum() for mask in free["Fisher"][4:]) > 586 / 2
    assert free["largest"][0].sum() > 0.6 * 586
    assert free["largest"][0].any(axis=0).sum() > 110

# At one low rate for all Fisher leads clearly.
for kind in ("largest", "random"):
    assert (same_rate["Fisher"] - same_rate[kind]).min() > 0
# Most of it comes from how many cells are free in each array: over half are in the last layer.
for seed in seeds:
    like, fisher = (choose(kind, 586, seed) for kind in ("random like Fisher", "Fisher"))
    counts = [[(~mask).sum() for mask in of_kind] for of_kind in (like, fisher)]
    assert counts[0] == counts[1]
by_layers = same_rate["random like Fisher"] - same_rate["random"]
assert by_layers.min() > 0
assert by_layers.mean() > (same_rate["Fisher"] - same_rate["random"]).mean() / 2

# With a rate for each, nothing is left of the lead: Fisher reads no more than random cells.
assert -8 < apart.mean() < 1
gains = {kind: own_rate[kind].mean() - same_rate[kind].mean() for kind in kinds}
assert min(gains.values()) > 5

# With fewer cells less is read, and from 260 on the choice matters little.
with_counts = {count: with_count(count) for count in (26, 260, 586, 1_300, 2_600)}
assert max(with_counts[26].values()) < 48
assert max(with_counts[260].values()) < 83 and min(with_counts[586].values()) > 80
spreads = [np.ptp(list(with_counts[count].values())) for count in (260, 586, 1_300, 2_600)]
assert max(spreads) < (4.5 if seeds == [0, 1, 2, 3, 4] else 9), spreads


def wins(way, rival, steps):
    """In how many seeds a way is ahead."""
    return (results[steps][way] > results[steps][rival]).sum()


def lead(way, rival, steps):
    return (results[steps][way] - results[steps][rival]).mean()


# The verdicts that are told of both lengths.
for steps in (100, 1000):
    assert wins("Fisher, 586", "random, 586", steps) < len(seeds)
    assert (results[steps]["all, 26,122"] - results[steps]["random, 586"]).min() > 0
    # The last layer is behind as many random cells, and BitFit is not ahead of fewer.
    assert lead("random, 1,290", "last layer, 1,290", steps) > 0
    assert wins("BitFit, 1,546", "random, 1,290", steps) < len(seeds)
    assert lead("random, 586", "low rank, 586", steps) > 1
assert sum(wins("largest, 586", "random, 586", steps) for steps in (100, 1000)) < 2 * len(seeds)
assert lead("random, 586", "all, 26,122", 100) < lead("random, 586", "all, 26,122", 1000) + 2

# And of one: the last layer is clearly behind after 100 steps, and BitFit in the mean,
assert wins("last layer, 1,290", "random, 1,290", 100) == 0
assert lead("random, 1,290", "BitFit, 1,546", 100) > 0.3
if seeds == [0, 1, 2, 3, 4]:  # clearly with these, though not with every five
    assert wins("BitFit, 1,546", "random, 1,290", 100) == 0
assert lead("random, 1,290", "last layer, 1,290", 100) > 1.5
# and low rank is behind in nearly all seeds after 100 steps, and never clearly ahead.
assert wins("random, 586", "low rank, 586", 100) >= len(seeds) - 1
assert all(wins("low rank, 586", "random, 586", steps) < len(seeds) for steps in results)

# Rates within what is offered do, and that of the whole network is the lowest.
for kind, count, some_rates in ways:
    way = f"{kind}, {count:,}"
    for steps in results:
        tried = {rate: on_validation(kind, count, rate, steps) for rate in some_rates}
        # The search upwards finds what reads as much as any of them.
        assert tried[best_rates[way, steps]] > max(tried.values()) - 1.5
        inner = max(tried[rate] for rate in some_rates[1:-1])
        assert inner > max(tried[some_rates[0]], tried[some_rates[-1]]) - 3
        assert best_rates[way, steps] >= best_rates["all, 26,122", steps]
# That of few weights is several times as high, though how many times differs with the seeds.
for steps in (100, 1000):
    assert best_rates["random, 586", steps] / best_rates["all, 26,122", steps] > 2.9
# The ways that are no scores of single cells: all of the last layer, and all biases, too.
assert [(~mask).sum() for mask in choose("BitFit", 1_546, 0)] == [0, 128, 0, 128, 1_280, 10]
assert [(~mask).sum() for mask in choose("last layer", 1_290, 0)] == [0, 0, 0, 0, 1_280, 10]
assert not any(mask.any() for mask in choose("all", 26_122, 0))

# The patch is the adapted network.
assert sum(differ) == 0 and all(map(np.array_equal, machine, trained))
# In float32 a patch is as large as the table says: the last layer's is half as large again as that
# of random cells with their places, which two bytes can count.
assert sum(places.nbytes for places, _ in patch) == 2 * 586
assert max(w.size for w in base) <= 65_536
assert sum(values.astype("float32").nbytes for _, values in patch) == 4 * 586
assert sum(w.size for w in base[-2:]) == 1_290 and reader.size == 26_122
assert reader.adapt_low_rank(0, 1, 0.01, steps=0) == 586
sizes = {name: size for name, (_, size) in patches.items()}
assert 1.4 < sizes["last layer"] / sizes["random cells, with places"] < 1.6
assert 19 < reader.size / 1_290 < 21
assert sizes["random cells, drawn again"] == sizes["low rank"]
# Low rank changes nearly all weights of the kernels, and no bias.
for seed in seeds:
    reader.adapt_low_rank(seed, 1, best_rates["low rank, 586", 1000], steps=1000)
    adapted = reader._low_rank(1)[0].layers
    moved = [(layer.lora_kernel_a @ layer.lora_kernel_b).numpy() != 0 for layer in adapted]
    assert sum(m.sum() for m in moved) > 0.85 * sum(m.size for m in moved)
    biases_after = [layer.bias.numpy() for layer in adapted]
    assert all(map(np.array_equal, biases_after, reader.weights(seed)[1::2]))

# What random cells reach, and the last layer alone.
assert 85 < results[100]["random, 586"].mean() < 90
assert abs(lead("last layer, 1,290", "random, 586", 1000)) < 4
assert 44 < reader.size / 586 < 45
assert 1.19 < 1_546 / 1_290 < 1.21
