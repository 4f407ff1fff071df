"""What *Restore after the step* says of its scenes; `margins.py` runs it behind the notebook."""

# The first step after the thaw, beside the longest one before the freeze.
trace = again.traces(1, 5)
steps, first = np.diff(trace["weight"]), list(trace["step"]).index(55)
assert 2.7 < abs(steps[first]) / np.abs(steps[:9]).max() < 3.4
assert not steps[9:first].any(), "it stays during the freeze"

# A frozen gradient of NaN goes to the neighbour by the norm.
optimizer.apply([tf.constant([np.nan, 1.0], tf.float64)], [cells])
assert cells.numpy()[0] == 0 and np.isnan(cells.numpy()[1])
