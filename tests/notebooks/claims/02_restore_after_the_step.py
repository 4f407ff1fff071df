"""What *Restore after the step* says of its scenes; `margins.py` runs it behind the notebook."""

# The first step after the thaw, by restore and by the exact freeze.
after = list(traces["restore"]["step"]).index(55)
first = {name: np.diff(trace["weight"])[after] for name, trace in traces.items()}
assert 7 < first["restore"] / first["exact freeze"] < 9

# Clipped gradients of a constant size: Adam's step is as long as without.


class AdamBack(keras.optimizers.Adam):
    """What the page does with SGD."""

    freeze_cells = WeightsBack.freeze_cells


path = neighbour(AdamBack)
assert 0.099 < path[0] - path[1] < 0.1
