"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""


def mean(rate, keep_averages):
    """Per cent of the new scanner's digits that are read after the epoch, over the seeds."""
    return np.mean(results[rate, keep_averages])


# The rate decides: the small one harms nothing, whatever the averages do.
assert mean(0.001, False) > mean(0.01, True)
assert abs(mean(0.001, False) - np.mean(before)) < 2
assert abs(mean(0.001, True) - np.mean(before)) < 2

# The averages: kept ones help at the large rate alone.
assert mean(0.01, True) - mean(0.01, False) > 0
assert abs(mean(0.001, True) - mean(0.001, False)) < 2
