"""What training steps took on a GPU: one NVIDIA H200 with TensorFlow 2.21, for who has none.

The files beside this one are what `bench device --optimizers Adam` and `bench compact` wrote there
with `--json`. A step of such a size is over in a millisecond on it, so builds of the same step can
differ by a fifth where XLA does not compile them.
"""

import json
import pathlib

FOLDER = pathlib.Path(__file__).parent


def over_plain():
    """Return how long a step took, as a multiple of the plain step: a dict from a way to freeze to
    two medians, without XLA and with it, or None where it was not timed. The files have the range
    of each."""
    steps = {row["frozen"]: row["over plain"] for row in _read("device")}
    picked = {(row["frozen"], row["compiled"]): row["compact / plain"] for row in _read("compact")}
    told = {
        "mask, nothing frozen": [steps[f"4096 Adam {how} none"] for how in ("graph", "jit")],
        "mask, half frozen": [steps[f"4096 Adam {how} half"] for how in ("graph", "jit")],
        "compact, 90 % frozen": [picked["90%", how] for how in ("graph", "jit")],
        "compact, 99 % frozen": [picked["99%", how] for how in ("graph", "jit")],
        "90 % of the rows split off": [steps["90% of 4096×4096: rows split"], None],
        "first half of eight layers": [steps["8 layers of 1024: the first half"], None],
        "last half of eight layers": [steps["8 layers of 1024: the last half"], None],
    }
    return {way: tuple(map(_median, texts)) for way, texts in told.items()}


def _median(text):
    """Return the number before a range, such as 1.215 of "1.215 (1.187–1.244)"."""
    return text and float(text.split()[0])


def _read(bench):
    return json.loads((FOLDER / f"h200_{bench}.json").read_text())
