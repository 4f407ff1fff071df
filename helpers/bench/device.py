"""The tables of `freeze` and `structure` on a GPU, in absolute times.

Without a GPU it says so and measures on the CPU. The options are those of the two tables. What an
NVIDIA H200 gave stands in `helpers/studies/elsewhere.py`.
"""

import sys

from helpers.bench import freeze, structure
from helpers.device import describe, place, tf


def add_arguments(parser):
    """Say what can be asked for on the command line; --rounds is the same for both tables."""
    freeze.add_arguments(parser)
    structure.add_arguments(parser)
    parser.add_argument("--device", help='such as "/GPU:1" or "cpu"; default: the GPU, if any')


def measure(arguments):
    """Return the rows of both tables, each with the device on which it was measured."""
    device = place(arguments.device)
    if "GPU" not in device:
        print("TensorFlow sees no GPU here: these are times of the CPU.", file=sys.stderr)
    with tf.device(device):
        rows = [*freeze.measure(arguments), *structure.measure(arguments)]
    return [_row(row, describe(device)) for row in rows]


def _row(row, device):
    """Return the columns that both tables have in common."""
    names = [str(row[name]) for name in ("width", "optimizer", "compiled", "frozen") if name in row]
    step = row.get("freezable") or row["step"]
    over = row.get("freezable / plain") or row["over plain"]
    return {"device": device, "frozen": " ".join(names), "step": step, "over plain": over}
