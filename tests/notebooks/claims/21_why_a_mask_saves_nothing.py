"""What notebook 16 says of its figures, in its order; `margins.py` runs it behind the notebook.

Of times it holds only what a noisy minute leaves standing.
"""

# One bad round spoils the totals, and not the median.
assert total[1] / total[0] < 0.2
assert costs.ratio(np.array([[1, 2], [1, 2], [100, 2], [1, 2], [1, 2]]), 1)[1] == 2

# The scatter and the free values stand apart; with few free cells most of the scatter's is gone.
half_scattered_at = [*TECHNIQUES].index("scatter_update") + 1
half_packed_at = [*TECHNIQUES].index("free_values") + 1
half_scattered, half_packed = found_recipes[half_scattered_at], found_recipes[half_packed_at]
others = [row[1] for row in found_recipes[1:9]]
others = [time for time in others if time not in (half_scattered[1], half_packed[1])]
assert len(others) == 6
assert min(half_scattered[1], half_packed[1]) > max(others) + 0.1
assert half_scattered[1] > 1.5
assert costs.ratio(recipe_seconds, 9, base=half_scattered_at)[1] < 0.8
# Nor does it then beat the mask that does the same.
assert not faster
assert costs.ratio(recipe_seconds, 9, base=10)[1] > 0.7
assert tf.where(~masks.random((400, 400), 0.5, 0)).numpy().nbytes == 16 * 400**2 / 2

# A mask: no shorter, and an eighth more memory, whatever the share.
assert (mask_time[2:, 1] > 0.8).all()
assert len(set(mask_bytes)) == 1
assert abs(mask_bytes[0] / plain_bytes - 1.125) < 0.002

# Compact: the same training; twice the free share in memory, or the mask's; shorter, but not by 99.
assert differ == 0
assert moved_by_few[masks.random((100, 100), 0.99, seed=0)].sum() == 0
assert costs.slots(few) == 2 * 8 * 100
for share, kept in zip(compact, compact_bytes):
    wanted = 2 * (1 - share) if 6 * (1 - share) <= 1 else 1.125
    assert abs(kept / plain_bytes - wanted) < 0.005
assert 600 * 600 > 2**18 > 400 * 400
assert 0.4 < found_compact[8, 1] < 0.9
assert found_compact[8, 1] < min(found_compact[2:5, 1]) - 0.1
# In `fit`, XLA is left to Keras, which takes it where there is a GPU.
assert early.jit_compile == ("GPU" in device)

# Layers.
assert list(count.values()) == [11, 7, 9]
for frozen_layers in ([], [0, 1], [2, 3], [1], [0, 1, 2]):
    trained = [number for number in range(4) if number not in frozen_layers]
    wanted = 4 + len(trained) + 4 - (trained[0] + 1)
    assert len(costs.products(deep(frozen_layers))) == wanted
assert [len(costs.products(deep([number]))) for number in range(4)] == [9, 10, 10, 10]
assert found_halves[4, 1] < 0.95
assert found_halves[4, 1] < found_halves[2, 1]
assert halves_bytes["first"] == halves_bytes["last"] == 0.5
assert abs(halves_bytes["mask"] - 1.125) < 0.002

# Rows and columns.
assert by_lot.all(axis=1).sum() == 3
assert by_lot.all(axis=0).sum() == 0
assert agree
assert close
assert moved[upper].sum() == 0
assert abs(kept_apart - 0.54) < 0.01
assert abs(kept_at_90 - 0.2) < 0.005
assert abs(rows_bytes - 0.1) < 0.005
assert abs(columns_bytes - 0.1) < 0.005
assert network.count_params() == 2_410
assert split.layers[0].free.numpy().size == 2_048 - 1_024
assert abs(1_386 * 16 / (2_410 * 17) - kept_apart) < 0.002
mask, slots_alone, by_rows, by_columns = found_ways[2:, 1]
assert max(by_rows, by_columns) < mask - 0.1
assert min(by_rows, by_columns) < slots_alone
table_of_words = keras.layers.Embedding(100, 4)
table_of_words.build(None)
new_word = split_rows(table_of_words, np.arange(100) >= 1)
assert [variable.shape for variable in new_word.trainable_variables] == [(1, 4)]
# The gradient of an Embedding is a list of rows, and Adam moves other rows all the same.
table_of_words, words_adam = keras.layers.Embedding(100, 4), Adam(0.01)
table_of_words.build(None)
words_adam.build(table_of_words.trainable_variables)
for word in (3, 5):
    before = table_of_words.embeddings.numpy()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(table_of_words(tf.constant([word])) - 1))
    gradient = tape.gradient(loss, table_of_words.embeddings.value)
    words_adam.apply([gradient], table_of_words.trainable_variables)
    assert isinstance(gradient, tf.IndexedSlices)
words_moved = changed_bits(before, table_of_words.embeddings.numpy()).any(axis=1)
assert list(np.flatnonzero(words_moved)) == [3, 5]

# FreezeOut: behind plain training at the same cost where a third is saved; elsewhere by little.
assert 0.65 < cost_of(0.2) < 0.68
assert round(100 * cost_of(0.2)) == 67


def ahead(results, first):
    by_schedule, shortened = results[first]
    return (by_schedule - shortened).mean()


assert -4 < ahead(results_100, 0.2) < -1.5
assert (results_100[0.2][0] < results_100[0.2][1]).all()
assert -2 < ahead(results_300, 0.2) < -0.3
for results, first in ((results_100, 0.8), (results_100, 0.5), (results_300, 0.5)):
    assert -1.4 < ahead(results, first) < 0.6
    assert results[first][0].max() > results[first][1].min()
assert later == 0
assert found_stages[3, 1] < found_stages[0, 1] - 0.1

# The rate that was taken is best on validation, for all; with 300 steps, too.
for first in (1, 0.5, 0.2):
    for steps in (100, 300):
        slow, taken, fast = (
            read(first, steps, rate, [100, 101], "validation").mean()
            for rate in (0.003, 0.01, 0.03)
        )
        assert taken > slow
        assert taken > fast

# As the authors' code has it by default: ends at cubes, rates the higher, the earlier the end.
ends, cubed_cost, began = np.linspace(0.8, 1, 5) ** 3, 0, 0
for stage, end in zip(stages, ends):
    cubed_cost, began = cubed_cost + stage * (end - began) / stages[0], end
assert round(100 * cubed_cost) == 79
over = np.arange(100)[:, None] / 100
cubed_rates = 0.01 / ends / 2 * (1 + np.cos(np.pi * np.minimum(over / ends, 1)))
cubed_right = []
for seed in seeds:
    reader.train(seed, cubed_rates)
    cubed_right.append(reader.right())
assert -2 < np.mean(cubed_right) - results_100[0.5][1].mean() < 0.3

# To take home: no slots for what is frozen.
assert early_bytes == 8 * (64 * 10 + 10)
assert scattered_bytes < 0.65 * all_train
