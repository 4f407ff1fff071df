"""What training steps took on a GPU: one NVIDIA H200 with TensorFlow 2.21, for who has none.

The files beside this one are what `bench device --optimizers Adam` and `bench compact` wrote there
with `--json`. A step of such a size is over in a millisecond on it, so builds of the same step can
differ by a fifth where XLA does not compile them.
"""

import json
import pathlib
import re

FOLDER = pathlib.Path(__file__).parent


def over_plain():
    """Return how long a step took, as a multiple of the plain step beside it: a dict from a way to
    freeze to two bars, without XLA and with it, or None where it was not timed. A bar is (low,
    median, high): of `bench compact`, and of the three layers, the range in which the median lies
    with 95 % certainty; of rows and halves, the quartiles of all rounds."""
    steps = {row["frozen"]: row["over plain"] for row in _read("device")}
    picked = {(row["frozen"], row["compiled"]): row for row in _read("compact")}

    def at(share, column):
        return [picked[share, how][column] for how in ("graph", "jit")]

    told = {
        "plain, again": at("99%", "plain / plain"),
        "compact, 10 % free": at("90%", "compact / plain"),
        "compact, 1 % free": at("99%", "compact / plain"),
        "mask, half of three layers": [steps[f"4096 Adam {h} half"] for h in ("graph", "jit")],
        "rows split off, 10 % free": [steps["90% of 4096×4096: rows split"], None],
        "first half of eight layers": [steps["8 layers of 1024: the first half"], None],
        "last half of eight layers": [steps["8 layers of 1024: the last half"], None],
    }
    return {way: tuple(map(_bar, texts)) for way, texts in told.items()}


def plain_ms():
    """Return what a plain step of `bench compact` took, in ms, to a tenth: without XLA, and with
    it; the mean over its rows."""
    took = {"graph": [], "jit": []}
    for row in _read("compact"):
        took[row["compiled"]].append(float(row["plain"].removesuffix(" ms")))
    return tuple(sum(each) / len(each) for each in took.values())


def _bar(text):
    """Return the numbers of a text such as "1.215 (1.187–1.244)" in order, the median second."""
    if text is None:
        return None
    median, low, high = map(float, re.findall(r"\d+\.\d+", text))
    return low, median, high


def _read(bench):
    return json.loads((FOLDER / f"h200_{bench}.json").read_text())
