"""The tables of `freeze` and `structure` on a GPU, in absolute times; it says so if there is none.

What follows the name goes on to neither: the sizes are those of the two tables, or small ones.
"""

import argparse
import sys

from helpers.bench import freeze, structure
from helpers.device import describe, place, tf

SMALL = {
    freeze: ["--widths", "256", "--rounds", "6"],
    structure: ["--side", "256", "--width", "128", "--rounds", "6"],
}


def add_arguments(parser):
    """Say what can be asked for on the command line."""
    parser.add_argument("--small", action="store_true", help="small sizes, to see that it runs")


def measure(arguments):
    """Return the rows of both tables, each with the device and what was measured on it."""
    device, rows = place(), []
    if "GPU" not in device:
        print("TensorFlow sees no GPU here: these are times of the CPU.", file=sys.stderr)
    with tf.device(device):
        for bench, small in SMALL.items():
            parser = argparse.ArgumentParser()
            bench.add_arguments(parser)
            rows += bench.measure(parser.parse_args(small if arguments.small else []))
    return [_row(row, describe(device)) for row in rows]


def _row(row, device):
    """The columns that both tables have in common."""
    names = [str(row[name]) for name in ("width", "optimizer", "compiled", "frozen") if name in row]
    ratio = row.get("freezable / plain") or row["over plain"]
    step = row.get("plain") or row["step"]
    return {"device": device, "frozen": " ".join(names), "step": step, "ratio": ratio}
