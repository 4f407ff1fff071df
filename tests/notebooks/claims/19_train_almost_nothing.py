"""What notebook 14 says of its figures, in its order; `margins.py` runs it behind the notebook."""

assert upright > 93
assert turned < 35

# At one rate for all Fisher leads clearly; it favours the last layer, and the largest the first.
assert winner == "Fisher"
assert first_lead > 5
assert (~choose("Fisher", seeds[0], 586)[4]).sum() > 586 / 3
assert (~choose("largest", seeds[0], 586)[0]).sum() > 586 / 2
assert same

# At a rate of its own for each, nothing is left of the lead.
assert apart.mean() < 1
assert (apart > 0).sum() <= 1

# The sum over its free cells is larger, and the others nearly catch up in time, at 0.1 quite.
for kind in ("largest", "random"):
    assert np.mean(sums["Fisher"]) > 3 * np.mean(sums[kind])
    assert abs(np.mean(late["Fisher"]) - np.mean(late[kind])) < 4
assert np.mean(late["Fisher"]) > np.mean(late["random"]) - 1


def after_1000(kind, rate):
    """The mean over the seeds after 1,000 steps with 586 cells."""
    found = []
    for seed in seeds:
        reader.adapt(seed, choose(kind, seed, 586), rate, steps=1000)
        found.append(reader.right())
    return np.mean(found)


assert abs(after_1000("Fisher", 0.1) - after_1000("random", 0.1)) < 2.5

# The largest gradients have the largest sum, and read fewer digits in the end.
seed = seeds[0]
steepest = masks.all_but_largest([np.abs(g) for g in reader.gradient(seed)], 586 / reader.size)
assert pull(seed, steepest) > sums["Fisher"][0]
reader.adapt(seed, steepest, rate=0.01)
assert reader.right() < same_rate["Fisher"][0]


def mean(kind, number):
    return np.mean(by_count[kind][number])


def wins(some, others):
    """In how many seeds the first are ahead."""
    return (np.array(some) > np.array(others)).sum()


# From one percent on chosen cells are no better than random ones, and one can choose badly.
for number in (1, 2, 3):
    several = [mean(kind, number) for kind in kinds]
    assert max(several) - min(several) < 8
for number in (2, 3):
    assert mean("random", number) > mean("Fisher", number)
    assert wins(by_count["Fisher"][number], by_count["random"][number]) <= 1
    assert abs(mean("random", number) - mean("largest", number)) < 4
least = others["least Fisher", 586]
assert upright > np.mean(least) > turned + 25
assert np.mean(least) < mean("random", 2) - 8

# With 52 cells Fisher is ahead of a random choice, and as many at random in its layers do as well.
assert mean("Fisher", 0) > mean("random", 0)
near = others["random in Fisher's layers", 52]
assert np.mean(near) > mean("Fisher", 0) - 1
assert np.mean(near) > mean("random", 0) + 5
assert wins(near, by_count["random"][0]) == len(seeds)
in_last_kernel = [(~choose("Fisher", seed, 52)[4]).sum() for seed in seeds]
assert np.mean(in_last_kernel) > 45

# What kind of numbers is trained.
assert np.mean(others["biases", 266]) < mean("random", 1) - 10
last = others["last layer", 1290]
assert 1 < mean("random", 3) - np.mean(last) < 9
assert wins(last, by_count["random"][3]) == 0
last_slower = on_test(last_layer, 0.03)
assert 88 < last_slower.mean() < mean("random", 3)
assert wins(last_slower, by_count["random"][3]) <= 1
assert 1 < mean("random", 2) - np.mean(others["low rank", 586]) < 10
assert wins(others["low rank", 586], by_count["random"][2]) == 0
assert abs(np.mean(whole) - mean("random", 3)) < 3

# A rate above 0.3 for all that are best at it, and one below 0.03 for those that are best at that.
edge = [masked(kind, 52) for kind in kinds]
edge += [masked("largest", 266), masked("random", 266), masked("random", 586)]
for way in edge:
    at_highest, above = on_validation(way, [0.3, 1.0])
    assert above < at_highest
at_highest, above = on_validation(in_fishers_layers(52), [0.3, 1.0])
assert 0 < above - at_highest < 5
assert np.argmax(on_validation(biases, [0.1, 0.3])) == 0
assert np.argmax(on_validation(masked("Fisher", 1290), [0.01, *high])) == 1
assert np.argmax(on_validation(low_rank, [0.01, *high])) == 1

# The patch is the adapted network, and compact takes the same steps with a small memory.
assert patched_differs == 0
assert undone_differs == 0
seed, frozen = 0, choose("random", 0, 586)
model = networks.dense(0, dtype="float64")
model.set_weights(reader.weights(seed))
compact = freezable(keras.optimizers.Adam, compact=True)(best_rate["random"])
trial = trials.Trial(model, compact, jit_compile=True)  # as the reader, which rounds so
for variable, mask in zip(trial.variables, frozen):
    trial.optimizer.freeze_cells(variable, mask)
trial.train(*reader.turned.part["train"], 100, seed)
assert count_differing(model.get_weights(), adapted) == 0
assert trial.optimizer.bytes_kept() == kept_compact
assert kept_compact < 0.04 * kept_masked
assert kept_compact == 587 * (2 * 8 + 8 + 4) + 6 * 4 + 1
assert kept_masked == reader.size * (2 * 8 + 1)

# A gradient of zero holds as well, as long as the optimizer is fresh and nothing decays.
for rule, steps_before, holds in (("Adam", 0, True), ("Adam", 5, False), ("AdamW", 0, False)):
    model.set_weights(reader.weights(seed))
    plain = getattr(keras.optimizers, rule)(0.3)
    for step in range(steps_before + 5):
        if step == steps_before:
            began = model.get_weights()
        with tf.GradientTape() as tape:
            cost = networks.cross_entropy(labels, model(pictures))
        slope = tape.gradient(cost, model.trainable_variables)
        if step >= steps_before:
            slope = [tf.where(mask, tf.zeros_like(g), g) for mask, g in zip(frozen, slope)]
        plain.apply(slope, model.trainable_variables)
    after = zip(began, model.get_weights(), frozen)
    moved = sum(changed_bits(a, b)[mask].sum() for a, b, mask in after)
    assert (moved == 0) == holds

# The contest: Fisher comes last, and its cells stand close together, which is not the reason.
found = {name: np.mean(each) for name, each in contest.scores.items()}
assert found["Fisher"] < min(found["largest"], found["random"]) - 5
assert 1.5 < found["random, with ink"] - found["random"] < 4.5
assert abs(found["random, with ink"] - found["largest"]) < 2.5
assert (~has_ink).sum() == 13
rows, columns = (~rivals["Fisher"]).any(axis=1), (~rivals["Fisher"]).any(axis=0)
assert rows.sum() == 31
assert columns.sum() == 35
nearby = np.where(np.outer(rows, columns), drawn, 0)
assert np.mean(judge(masks.all_but_largest([nearby], share)[0])) > found["Fisher"] + 10
for number in (0, 1, 2):
    lots = np.random.default_rng(50 + number).random(drawn.shape)
    with_ink = masks.all_but_largest([np.where(has_ink[:, None], lots, 0)], share)[0]
    gain = np.mean(judge(with_ink)) - np.mean(judge(masks.all_but_largest([lots], share)[0]))
    assert 0.5 < gain < 4.5


def in_first_kernel(seed, scores, rates, steps=100, orders=5):
    """The best of the rates on validation, as `judge` does it for the first reader."""
    held = [np.ones(w.shape, bool) for w in reader.weights(seed)]
    held[0] = masks.all_but_largest([scores], share)[0]
    by_rate = []
    for rate in rates:
        each = []
        for order in range(orders):
            reader.train(reader.weights(seed), held, rate, order, reader.turned, steps)
            each.append(reader.right("validation"))
        by_rate.append(np.mean(each))
    return max(by_rate)


assert in_first_kernel(0, scores["Fisher"], [0.01]) < found["Fisher"] - 5
for seed in (1, 2):
    lots = np.random.default_rng(seed).random(drawn.shape)
    by_fisher = in_first_kernel(seed, reader.information(seed)[0], [0.03, 0.1])
    at_random = in_first_kernel(seed, lots, [0.1, 0.3])
    assert at_random > by_fisher + 5
late_fisher = in_first_kernel(0, scores["Fisher"], [0.003, 0.01, 0.03], 1000, 3)
late_random = in_first_kernel(0, drawn, [0.03, 0.1, 0.3], 1000, 3)
assert abs(late_fisher - 86) < 2
assert abs(late_random - 93) < 2
assert late_random > late_fisher + 2


# The ticket: level with the whole network or ahead at 37 %, and the best of the small ones at 5 %.
def lead(left, rival, moment):
    return ahead(left, rival, moment)[1]


assert -1 < lead(0.37, "whole", 1) < 5
for rival in ("drawn again", "random mask"):
    assert -1 < lead(0.37, rival, 1) < 5
    assert lead(0.05, rival, 1) > 5
    beside = races[0.37][rival][:, 1].mean() - races[0.37]["whole"][:, 1].mean()
    assert abs(beside) < 3
assert lead(0.05, "whole", 1) < -2
for rival in ("whole", "drawn again", "random mask"):
    assert abs(lead(0.37, rival, 2)) < 2.5
assert races[0.37]["ticket"][:, 0].mean() > 40
assert whole_rate == 0.01
rates_on_offer = [0.003]
assert abs(run("whole", 1)[0][:, 1].mean() - whole_race[:, 1].mean()) < 1
assert run("ticket", 0.37)[0][:, 1].mean() - races[0.37]["ticket"][:, 1].mean() < 1
rates_on_offer = [0.3]
assert run("ticket", 0.05)[0][:, 1].mean() < races[0.05]["ticket"][:, 1].mean()

# The gradient passes straight through.
assert (gradient.numpy() == slopes.numpy()).all()

# Never trained.
assert np.mean(chosen) > 90
assert np.mean(trained) - 5 < np.mean(chosen) < np.mean(trained)
assert abs(np.mean(chosen) - np.mean(last_alone)) < 2
assert sum(changed) == 0


# What there is to try.
def bitfit(seed, rate):
    below = len(reader.weights(seed)) - 2
    weights = enumerate(reader.weights(seed))
    frozen = [np.full(w.shape, w.ndim > 1 and n < below) for n, w in weights]
    reader.adapt(seed, frozen, rate)


gain = on_test(bitfit, 0.03) - last_slower
assert 0 < gain.mean() < 4
slower = {"ticket": [], "drawn again": []}
in_rounds, at_once = [], []
for seed in seeds:
    pruned = small_kernel_cells(reader.weights(seed), 0.05)
    slower["ticket"].append(race(reader.fresh(seed), pruned, seed, 0.01)[1])
    slower["drawn again"].append(race(reader.fresh(seed + 100), pruned, seed, 0.01)[1])
at_low_rate = np.mean(slower["ticket"]) - np.mean(slower["drawn again"])
assert at_low_rate > lead(0.05, "drawn again", 1)
for seed in seeds[:2]:
    pruned = [np.zeros(w.shape, bool) for w in reader.fresh(seed)]
    for _ in range(13):
        start = [np.where(mask, 0, w) for w, mask in zip(reader.fresh(seed), pruned)]
        reader.train(start, pruned, 0.003, seed, reader.upright, 200)
        now = reader.model.get_weights()
        for place in (0, 2, 4):
            pruned[place] = exercise.reference(pruned[place], now[place], 0.2)
    in_rounds.append(race(reader.fresh(seed), pruned, seed, 0.03))
    for place in (0, 2, 4):
        size_of = [np.abs(reader.weights(seed)[place])]
        pruned[place] = masks.all_but_largest(size_of, (~pruned[place]).mean())[0]
    at_once.append(race(reader.fresh(seed), pruned, seed, 0.03))
in_rounds, at_once = np.mean(in_rounds, axis=0), np.mean(at_once, axis=0)
assert in_rounds[0] > at_once[0] + 30
assert in_rounds[1] > at_once[1]
assert in_rounds[1] > whole_race[:, 1].mean() - 1.5
