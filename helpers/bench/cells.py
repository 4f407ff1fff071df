"""How times and their ratios stand in the cells of a table."""

import numpy as np

from helpers.studies import costs


def milliseconds(seconds, which):
    """Return the median time of one of the functions: "12.3 ms"."""
    return f"{np.median(seconds[:, which]) * 1000:.1f} ms"


def spread(seconds, which):
    """Median and quartiles of `which` over the first, round by round: "1.020 (1.010–1.040)"."""
    low, median, high = costs.ratio(seconds, which, 0)
    return f"{median:.3f} ({low:.3f}–{high:.3f})"


def certain(seconds, which, base=0):
    """Median of `which` over `base`, round by round, and where the true one lies with 95 %
    certainty: "1.002 (0.997–1.008)". Between order statistics, in the normal approximation:
    Conover, Practical Nonparametric Statistics, 3rd ed. (1999), section 3.2."""
    reach = 98 / np.sqrt(len(seconds))  # 1.96 standard deviations of a rank, in per cent
    ranks = np.clip([50 - reach, 50, 50 + reach], 0, 100)
    low, median, high = np.percentile(seconds[:, which] / seconds[:, base], ranks)
    return f"{median:.3f} ({low:.3f}–{high:.3f})"
