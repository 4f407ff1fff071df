"""What training a table of words holds: the peaks of memory, over the size of the table.

Nothing is frozen, or 99 % are: by mask, by compact slots, or as rows that are split off. Each case
runs in a process of its own. *Set up* is the peak while the optimizer is built and gets its mask,
or the rows are split off; *steps* is that of training steps with Adam. Under Linux alone, which
tells the most memory that a process has taken, and forgets it when it is asked to.

On processors with instructions for neural networks TensorFlow computes by oneDNN, whose allocator
keeps what is freed: a process then stays at the peak of setting up. It is switched off here, so
that the steps show what they need, on every processor the same.
"""

import ctypes
import gc
import itertools
import os
import pathlib
import subprocess
import sys

import numpy as np
from tqdm import tqdm

from helpers import ROOT
from helpers.bench.options import count
from helpers.device import keras, tf
from helpers.freezing import freezable
from helpers.studies.split import split_rows

WAYS = {  # how it is frozen -> the optimizer class that does it
    "nothing": lambda Adam: Adam,
    "by mask": freezable,
    "compact slots": lambda Adam: freezable(Adam, compact=True),
    "rows split off": lambda Adam: Adam,
}
COMPILED = "graph", "jit"
COLUMNS, BATCH = 100, (32, 20)  # of the table; words
PROCESS = pathlib.Path("/proc/self")
GIVES_BACK = {"TF_ENABLE_ONEDNN_OPTS": "0"}


def add_arguments(parser):
    """Say what can be asked for on the command line."""
    parser.add_argument("--words", type=count, default=300_000, help="rows of the table")
    parser.add_argument("--compiled", choices=COMPILED, nargs="+", default=COMPILED)


def measure(arguments):
    """Return the rows of the table: frozen how, compiled how, and the peaks."""
    if not (PROCESS / "clear_refs").exists():
        sys.exit("This bench reads the memory of a process from /proc, as Linux has it.")
    cases = list(itertools.product(WAYS, arguments.compiled))
    return [_row(*case, arguments.words) for case in tqdm(cases, desc="words")]


def _row(way, compiled, words):
    command = [sys.executable, "-m", "helpers.bench.words", way, compiled, str(words)]
    printed = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=ROOT,
        env=os.environ | GIVES_BACK,
    ).stdout
    set_up, steps = (int(peak) / (4 * words * COLUMNS) for peak in printed.split()[-2:])
    peaks = {"set up / table": f"{set_up:.2f}", "steps / table": f"{steps:.2f}"}
    return {"99 % frozen": way, "compiled": compiled, **peaks}


def peaks(way, compiled, words):
    """In this process: bytes at the peak of setting up, and of the steps, over those before."""
    _step(*_ready(way, _table(100)), compiled)()  # loads what every process has to load
    before = _forget_peak()
    table = _table(words)
    _forget_peak()
    model, optimizer = _ready(way, table)
    set_up = _memory("VmHWM") - before
    del table
    _forget_peak()
    step = _step(model, optimizer, compiled)
    for _ in range(4):
        step().numpy()
    return set_up, _memory("VmHWM") - before


def _table(words):
    table = keras.layers.Embedding(words, COLUMNS)
    table.build(None)
    return table


def _ready(way, table):
    """Return the model and its optimizer; one in a hundred cells is free, or the last 1 % of the
    words."""
    words, optimizer = table.input_dim, WAYS[way](keras.optimizers.Adam)(1e-3)
    if way == "rows split off":
        table = split_rows(table, np.arange(words) < words * 99 // 100)
    model = keras.Sequential([keras.Input(BATCH[1:], dtype="int32"), table])
    optimizer.build(model.trainable_variables)
    if way in ("by mask", "compact slots"):
        frozen = np.ones((words, COLUMNS), bool)
        for row in range(words):
            frozen[row, row * 7 % COLUMNS] = False
        optimizer.freeze_cells(model.trainable_variables[0], frozen)
    return model, optimizer


def _step(model, optimizer, compiled):
    words = tf.random.stateless_uniform(BATCH, (0, 0), 0, 100, tf.int32)
    variables = model.trainable_variables

    def step():
        with tf.GradientTape() as tape:  # whose gradient stays a list of rows; ours are whole
            loss = tf.reduce_mean(tf.square(model(words) - 1))
        gradients = tape.gradient(loss, [variable.value for variable in variables])
        optimizer.apply(gradients, variables)
        return loss

    return tf.function(step, jit_compile=compiled == "jit", autograph=False)


def _memory(name):
    """Return a line of the process's status, in bytes."""
    lines = (PROCESS / "status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


def _forget_peak():
    """Give free memory back to the system, and let the peak begin at what is left: its bytes."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    (PROCESS / "clear_refs").write_text("5")
    return _memory("VmRSS")


if __name__ == "__main__":
    _, way, compiled, words = sys.argv
    print(*peaks(way, compiled, int(words)))
