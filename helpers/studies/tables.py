"""Results as text, for a table that is printed."""

import numpy as np


def mean_and_range(values):
    """Return the mean of some numbers, one a seed, with the least and the greatest of them."""
    return f"{np.mean(values):5.1f} ({np.min(values):.1f} to {np.max(values):.1f})"
