"""What training steps took on a GPU: one NVIDIA H200 with TensorFlow 2.21, for who has none.

The files beside this one are what `bench device --optimizers Adam` and `bench compact` wrote there
with `--json`. A step of such a size is over in a millisecond on it, so builds of the same step can
differ by a fifth where XLA does not compile them.
"""

import json
import pathlib

FOLDER = pathlib.Path(__file__).parent
NOT_TIMED = "not timed"


def over_plain():
    """Return how long a step took, as a multiple of the plain step: a dict from a way to freeze to
    two texts, without XLA and with it, such as "1.215 (1.187–1.244)". In brackets is the range in
    which the true median lies with 95 % certainty; in the last three lines, the quartiles."""
    steps = {row["frozen"]: row["over plain"] for row in _read("device")}
    picked = {(row["frozen"], row["compiled"]): row["compact / plain"] for row in _read("compact")}
    return {
        "a mask that freezes nothing": tuple(
            steps[f"4096 Adam {how} none"] for how in ("graph", "jit")
        ),
        "mask, half frozen": tuple(steps[f"4096 Adam {how} half"] for how in ("graph", "jit")),
        "compact, 90 % frozen": (picked["90%", "graph"], picked["90%", "jit"]),
        "compact, 99 % frozen": (picked["99%", "graph"], picked["99%", "jit"]),
        "90 % of the rows split off": (steps["90% of 4096×4096: rows split"], NOT_TIMED),
        "first half of eight layers": (steps["8 layers of 1024: the first half"], NOT_TIMED),
        "last half of eight layers": (steps["8 layers of 1024: the last half"], NOT_TIMED),
    }


def _read(bench):
    return json.loads((FOLDER / f"h200_{bench}.json").read_text())
