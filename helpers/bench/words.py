"""What training a table of words holds: the peaks of memory, over the size of the table.

Nothing is frozen, or 99 % are: by mask, by compact slots, as rows that are split off, or as all but
the free values, which train as a vector. *Set up* is the peak while the optimizer is built and gets
its mask, or the layer is changed; *steps* is that of training steps with Adam. Under Linux alone.
"""

import itertools
import math
import sys

from tqdm import tqdm

from helpers.bench.options import count
from helpers.studies import peaks

COMPILED = "graph", "jit"


def add_arguments(parser):
    """Say what can be asked for on the command line."""
    parser.add_argument("--words", type=count, default=300_000, help="rows of the table")
    parser.add_argument("--compiled", choices=COMPILED, nargs="+", default=COMPILED)


def measure(arguments):
    """Return the rows of the table: frozen how, compiled how, and the peaks."""
    cases = list(itertools.product(peaks.WAYS, arguments.compiled))
    return [_row(*case, arguments.words) for case in tqdm(cases, desc="words")]


def _row(way, compiled, words):
    (set_up, steps), *_ = peaks.of([way], words, compiled == "jit").values()
    if math.isnan(steps):
        sys.exit("This bench reads the memory of a process from /proc, as Linux has it.")
    found = {"set up / table": f"{set_up:.2f}", "steps / table": f"{steps:.2f}"}
    return {"99 % frozen": way, "compiled": compiled, **found}
