"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""


def cost(rate, norm):
    """Points that the epoch costs against the head alone, on average over the seeds."""
    return np.mean(before) - np.mean(results[rate, norm])


# At the small rate the epoch changes next to nothing; at the large one it costs some points.
for norm in ("frozen", "trains"):
    assert abs(cost(0.001, norm)) < 2
assert cost(0.01, "frozen") > 0.5
assert cost(0.01, "trains") > 2

# A frozen normalisation lessens the loss at the large rate; the small rate lessens it more.
assert cost(0.01, "frozen") < cost(0.01, "trains")
assert cost(0.01, "frozen") > cost(0.001, "trains")
assert cost(0.001, "trains") - cost(0.001, "frozen") < 1

# `fit` overrules the functional model, and not the class.
assert "moving_mean" in functional and "moving_mean" not in own_class
