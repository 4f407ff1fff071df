"""How times and their ratios stand in the cells of a table."""

import numpy as np

from helpers import costs


def milliseconds(seconds, which):
    """The median time of one of the functions: "12.3 ms"."""
    return f"{np.median(seconds[:, which]) * 1000:.1f} ms"


def spread(seconds, which, base=0):
    """Median and quartiles of `which` over `base`, round by round: "1.020 (1.010–1.040)"."""
    low, median, high = costs.ratio(seconds, which, base)
    return f"{median:.3f} ({low:.3f}–{high:.3f})"
