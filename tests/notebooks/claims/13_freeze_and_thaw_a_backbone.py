"""What the page says of its figures, in its order; `margins.py` runs it behind the notebook."""


def cost(rate, norm):
    """Points that the epoch costs against the head alone, on average over the seeds."""
    return np.mean(before) - np.mean(results[rate, norm])


# None gains, and at the small rate hardly anything is lost.
for way in ways:
    assert cost(*way) > -2
assert max(cost(0.001, "frozen"), cost(0.001, "trains")) < 2
assert cost(0.01, "frozen") > cost(0.001, "trains")

# At the large rate a frozen normalisation costs less; gamma and beta make no difference.
assert cost(0.01, "trains") > 2
assert cost(0.01, "averages follow") > cost(0.01, "frozen")
assert abs(cost(0.01, "averages follow") - cost(0.01, "trains")) < 1.5
