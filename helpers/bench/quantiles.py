"""Measured values as cells of a table: how long it mostly takes, and how long at the worst."""

import math

import numpy as np


def quantiles(values):
    """Return the cells "median", "p95" and "n" of some values; NaN where there are none."""
    median, p95 = np.percentile(values, [50, 95]) if len(values) else (math.nan, math.nan)
    return {"median": f"{median:.3g}", "p95": f"{p95:.3g}", "n": len(values)}
