"""What each notebook takes from a reader's machine: seconds from top to bottom, and memory.

Before each run TensorFlow is imported in a process of its own, which is the yardstick: a machine
can be twice as slow as it was a minute ago.
"""

import subprocess
import sys
import time

import nbformat
import numpy as np
from tqdm import tqdm

from helpers.bench.memory import PEAK
from helpers.bench.options import count
from helpers.tools import notebooks

EXPERIMENTS = "17"  # from this page on there are some: more seconds


def add_arguments(parser):
    """Say what can be asked for on the command line."""
    parser.add_argument("names", nargs="*", help="parts of file names, such as 05; default: all")
    parser.add_argument("--rounds", type=count, default=1, help="runs of each notebook")


def measure(arguments):
    """Return a row for each notebook, each run in a fresh kernel, start and imports included."""
    chosen, rows = notebooks.named(arguments.names), []
    with tqdm(total=len(chosen) * arguments.rounds, desc="notebooks") as progress:
        for path in chosen:
            runs = [_run(path, progress.update) for _ in range(arguments.rounds)]
            seconds, megabytes, imports = np.median(runs, axis=0)
            rows.append(
                {
                    "notebook": path.stem,
                    "cells": len(notebooks.read(path).cells),
                    "seconds": f"{seconds:.1f}",
                    "goal": "≤ 45" if path.stem >= EXPERIMENTS else "≤ 30",
                    "over TensorFlow's import": f"{imports:.1f}",
                    "peak memory": f"{megabytes:.0f} MB",
                    "memory goal": "≤ 1024",
                }
            )
    return rows


def _run(path, done):
    """Seconds and peak megabytes of one run, and its seconds over those of TensorFlow's import; the
    kernel itself is asked for its memory, in a last cell."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import tensorflow"], capture_output=True, check=True)
    yardstick = time.perf_counter() - began
    notebook = notebooks.read(path)
    notebook.cells.append(nbformat.v4.new_code_cell(f"{PEAK}\nprint(peak_megabytes())"))
    began = time.perf_counter()
    notebooks.execute(notebook)
    seconds = time.perf_counter() - began
    done()
    return seconds, float(notebook.cells[-1].outputs[0].text), seconds / yardstick
