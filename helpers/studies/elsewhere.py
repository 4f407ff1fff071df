"""What training steps took on two other machines, with TensorFlow 2.21: on a GPU, an NVIDIA H200,
for who has none, and on a CPU with two cores, to compare it with.

The files beside this one are what `bench device --optimizers Adam` and `bench compact` wrote there
with `--json`. On the GPU a step of such a size is over in a millisecond, so builds of the same step
can differ by a fifth where XLA does not compile them.
"""

import json
import pathlib
import re

import numpy as np

FOLDER = pathlib.Path(__file__).parent
COMPILED = "graph", "jit"  # without XLA, and with it


def over_plain():
    """Return how long a step took on the GPU, as a multiple of the plain step beside it: a dict
    from a way to freeze to two bars, without XLA and with it, or None where it was not
    timed. A bar is (low, median, high): of the three layers, the range in which the median lies
    with 95 % certainty; of rows and halves, the quartiles of all rounds."""
    steps = {row["frozen"]: row["over plain"] for row in _read("h200", "device")}
    told = {
        "mask, half of three layers": [steps[f"4096 Adam {how} half"] for how in COMPILED],
        "rows split off, 10 % free": [steps["90% of 4096×4096: rows split"], None],
        "first half of eight layers": [steps["8 layers of 1024: the first half"], None],
        "last half of eight layers": [steps["8 layers of 1024: the last half"], None],
    }
    return {way: tuple(map(_bar, texts)) for way, texts in told.items()}


def compact(machine):
    """Return how long a step with compact slots took, for one layer of 4096 × 4096 cells at a batch
    of 32: a dict from "plain" and from two ways to two bars, without XLA and with it. All are
    multiples of the plain step without XLA.

    A bar is (low, median, high): the range in which the median lies with 95 % certainty. `machine`
    is "h200" or "two_cores".
    """
    rows = {(row["frozen"], row["compiled"]): row for row in _read(machine, "compact")}
    shares = {10: "90%", 1: "99%"}
    plain = [plain_ms(machine, how) for how in COMPILED]
    told = {"plain": [np.ones(3), np.ones(3)]}
    for free, frozen in shares.items():
        told[f"compact, {free} % free"] = [
            np.array(_bar(rows[frozen, how]["compact / plain"])) for how in COMPILED
        ]
    over_first = np.divide(plain, plain[0])
    return {way: [bar * over for bar, over in zip(bars, over_first)] for way, bars in told.items()}


def plain_ms(machine, how="graph"):
    """Return how long a plain step of the layer of `compact` took there, in milliseconds: the mean
    of the two that its ways were timed beside. `how` is one of COMPILED."""
    rows = _read(machine, "compact")
    beside = [row for row in rows if row["compiled"] == how and row["frozen"] in ("90%", "99%")]
    return np.mean([float(row["plain"].removesuffix(" ms")) for row in beside])


def _bar(text):
    """Return the numbers of a text such as "1.215 (1.187–1.244)" in order, the median second."""
    if text is None:
        return None
    median, low, high = map(float, re.findall(r"\d+\.\d+", text))
    return low, median, high


def _read(machine, bench):
    return json.loads((FOLDER / f"{machine}_{bench}.json").read_text())
