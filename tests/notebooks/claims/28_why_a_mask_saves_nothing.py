"""What *Why a mask saves nothing* says of its figures, in its order; `margins.py` runs it behind
the notebook.

Of times it holds only what a noisy minute leaves standing.
"""

from helpers.device import tf

# One bad round spoils the totals, and not the median.
assert total[1] / total[0] < 0.2
assert np.median([2 / 1, 2 / 1, 2 / 100, 2 / 1, 2 / 1]) == 2

# The loop on the page does what `costs.times` does.
calls = []
assert in_turn([lambda: calls.append("a"), lambda: calls.append("b")], 1).shape == (1, 2)
assert "".join(calls) == "baabbaab"
assert np.allclose(
    quartiles(np.array([[1.0, 2.0], [10.0, 40.0], [100.0, 300.0]]))[1], [2.5, 3, 3.5]
)

# The table: a step takes several times as long with ten times the words.
again, *masked, short = [bar for bar, _ in timed.values()]
assert short[1] < 1 / 4
# A mask: no shorter, an eighth more memory whatever the share, and as many products.
for low, median, high in masked:
    assert verdicts.verdict((low, high), again[[0, 2]]) != "shorter"
    assert median > 0.7
assert with_batch(32)[1, 1] > 0.95 and with_batch(2_048)[1, 1] < 1.2
((all_bytes, with_mask),) = {both for name, (_, both) in timed.items() if "mask" in name}
assert abs(with_mask / all_bytes - 1.125) < 0.002
rows = costs.Step(
    keras.Sequential([keras.Input((), dtype="int32"), keras.layers.Embedding(9, 3)]),
    Adam(),
    inputs=np.array([4]),
)
assert products(rows) == 0
assert [products(each) for each in (plain_step, masked_step)] == [2, 2]
# Adam moves the words of an earlier batch, too.
words = keras.layers.Embedding(50, 3)
small = keras.Sequential([keras.Input((), dtype="int32"), words])
costs.Step(small, adam := Adam(0.1), inputs=np.array([4]))()
earlier = words.embeddings.numpy()
adam.apply([tf.IndexedSlices(tf.ones((1, 3)), [7], (50, 3))], [words.embeddings])
assert (words.embeddings.numpy() != earlier).any(axis=1).nonzero()[0].tolist() == [4, 7]

# The peak, where the system tells it.
for each in (plain_peak, masked_peak):
    assert np.isnan(each) or each > 4
assert np.isnan(plain_peak) or (0.8 * plain_peak < 4.5 and round(plain_peak) == 5)
assert np.isnan(plain_peak) or 1 < masked_peak / plain_peak < 1.25
# In a larger table: 20 GB for one of 4 GB, and 21 with the mask.
large_peaks = peaks.of(ways, words=500_000)
plain_of_large, masked_of_large = [large_peaks[way][1] for way in ways]
assert np.isnan(plain_of_large) or round(4 * plain_of_large) == 20
assert np.isnan(masked_of_large) or round(4 * masked_of_large) == 21
