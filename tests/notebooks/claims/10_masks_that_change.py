"""What the page says of a leak and of a thaw; `margins.py` runs it behind the notebook."""

# The weight at the top: one free step, fifty more while frozen, each a tenth shorter.
assert (~frozen[200:]).sum() == 1 and (frozen & changed).sum() >= 50
assert 13 < distance.max() / rate < 14

# Each memory has a rate at which it comes down farthest, and one from which on its loss jumps.
rates_that_suit = {"up to date": [8], "old": [2, 4], "empty": [1]}
jumps_from = {"up to date": 16, "old": 4, "empty": 2}
lowest = {}
for name, suits in rates_that_suit.items():
    ends = {factor: found[name][:, -1].mean() for factor, found in at_factors.items()}
    assert min(ends, key=ends.get) in suits
    lowest[name] = min(ends.values())
    for factor, found in at_factors.items():
        loss = found[name].mean(axis=0)
        jumps = factor >= jumps_from[name]
        assert (loss.max() > 1.1 * loss[0]) == jumps
assert max(lowest.values()) < 0.005 < 0.1 * at_factors[1]["old"][:, 0].mean()

# The first gradients were larger than those at the thaw.
run = thawing._ThawedReader(freezable(keras.optimizers.Adam)(0.01))


def size_of_gradient(pictures):
    with tf.GradientTape() as tape:
        loss = cross_entropy(run.labels, run.model(pictures))
    return np.sqrt(np.mean(tape.gradient(loss, run.kernel.value).numpy() ** 2))


for seed in range(thawing.SEEDS):
    run.start(seed)
    at_first = size_of_gradient(run.upright)
    run.train(run.upright, thawing.WARM)
    run.freeze_kernel("keep")
    run.train(run.mirrored, thawing.FROZEN)
    assert at_first > 3 * size_of_gradient(run.mirrored)
    run.thaw_kernel("keep")

# Which memory is best at which rate.
assert best == ["empty", "empty", "old", "old", "up to date", "up to date"]
assert factors == [0.5, 1, 2, 4, 8, 16] and min(lowest, key=lowest.get) == "up to date"

# Long are steps after a freeze that came early and lasted long.
of_old = [max(step_lengths(25, thawed_at)) for thawed_at in (26, 125, 1_000)]
assert of_old[0] < 1.1 < 1.8 < of_old[1] < of_old[2]
assert max(step_lengths(1_000, 1_100)) < 1.1 and max(step_lengths(300, 300)) < 1.01
