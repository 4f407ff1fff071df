"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""


def cost(rate, norm):
    """Points that the epoch costs against the head alone, on average over the seeds."""
    return np.mean(before) - np.mean(results[rate, norm])


# None gains, and at the small rate hardly anything is lost.
for way in ways:
    assert cost(*way) > -2
assert max(cost(0.001, "frozen"), cost(0.001, "trains")) < 2
assert cost(0.01, "frozen") > cost(0.001, "trains")

# At the large rate a normalisation that trains costs; gamma and beta make hardly a difference.
assert cost(0.01, "trains") > 2
rest = np.subtract(results[0.01, "averages follow"], results[0.01, "trains"])
assert np.abs(rest).max() < 2.5 and abs(rest.mean()) < 1.5

# All of it frozen, it costs less for some seeds, and not for others.
less = np.subtract(results[0.01, "frozen"], results[0.01, "averages follow"])
assert less.max() > 2 and less.min() < 1

# `fit` overrules the functional model, and not the class.
assert "moving_mean" in functional and "moving_mean" not in own_class
