"""Results as text, for a table that is printed."""

import numpy as np


def mean_and_range(values, decimals=1):
    """Return the mean of some numbers, one a seed, with the least and the greatest of them."""
    mean, least, most = (f"{f(values):.{decimals}f}" for f in (np.mean, np.min, np.max))
    return f"{mean:>5} ({least} to {most})"


def verdict(apart):
    """Return "ahead" if all of some differences, one a seed, are above 0, "behind" if all are below
    0, and "not clear" otherwise."""
    if np.min(apart) > 0:
        return "ahead"
    return "behind" if np.max(apart) < 0 else "not clear"
