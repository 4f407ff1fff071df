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


def points_ahead(results, pairs):
    """Return a table: by how many points each way is ahead of its rival in the mean, and the
    verdict, in a column for each number of steps.

    results  steps -> name of a way -> an array of numbers, one a seed
    pairs    (way, rival), in the order of the lines
    """
    heads = "".join(f"{f'{steps:,} steps':19}" for steps in results)
    lines = [f"{'points ahead, and verdict':42}{heads}"]
    for way, rival in pairs:
        line = f"{way} against {rival}".ljust(42)
        for found in results.values():
            apart = found[way] - found[rival]
            points = f"{round(np.mean(apart)):+}".replace("+0", "0")
            line += f"{points:>3} {verdict(apart):15}"
        lines.append(line)
    return "\n".join(line.rstrip() for line in lines)
