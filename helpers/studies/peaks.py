"""What training a table of words holds: its peaks of memory, as multiples of the table.

*Set up* is the peak while the optimizer is built and gets its mask, or the layer is changed;
*steps* is that of training steps with Adam. A process of its own measures them, which sees no GPU.
Only Linux tells the most memory that a process has taken, and forgets it when it is asked to.

On processors with instructions for neural networks TensorFlow computes by oneDNN, whose allocator
keeps what is freed: a process then stays at the peak of setting up. It is switched off here, so
that the steps show what they need, on every processor the same. glibc keeps arrays of up to 32 MB
once they are freed, and gives larger ones back. As those of a table that fills a machine are
larger, all of half a megabyte or more are given back here.
"""

import ctypes
import gc
import os
import pathlib
import subprocess
import sys

import numpy as np

from helpers import ROOT
from helpers.device import keras, tf
from helpers.free_values import FreeDense, FreeEmbedding
from helpers.freezing import freezable
from helpers.studies import costs
from helpers.studies.split import split_rows

WAYS = {  # how it is frozen -> the optimizer class that trains then
    "nothing": lambda Adam: Adam,
    "by mask": freezable,
    "compact slots": lambda Adam: freezable(Adam, compact=True),
    "rows split off": lambda Adam: Adam,
    "free values": lambda Adam: Adam,
}
COLUMNS, BATCH = 100, (32, 20)  # of the table; words
EXAMPLES_OF_DENSE = 2  # few: an example has as many numbers as the table has words
# Of a deep network; what a layer puts out is larger than what glibc keeps for itself once freed.
EXAMPLES, UNITS = 34_000, 256
LOADS_XLA = 3_000  # rows: a mask over so many cells is applied by XLA
PROCESS = pathlib.Path("/proc/self")
OWN = {"TF_ENABLE_ONEDNN_OPTS": "0", "CUDA_VISIBLE_DEVICES": "-1"}
GIVEN_BACK = {"MALLOC_MMAP_THRESHOLD_": "500000"}  # bytes


def of(ways, words=100_000, jit=False):
    """Return way -> (set up, steps), floats: how many times the size of the table the peaks are.

    `ways` are some of WAYS, by each of which 99 % of the cells are frozen; the table has `words`
    rows of 100 cells. With `jit`, XLA compiles the step. NaN where the system does not tell, as
    outside of Linux.
    """
    return at_shares(ways, [1], words, jit)[1]


def at_shares(ways, shares, words=100_000, jit=False, layer="embedding"):
    """Return share -> way -> (set up, steps) as `of` does, for shares of the cells that are free,
    whole per cents. With `layer="dense"` the table is the kernel of a Dense layer, whose gradient
    is as large as it is; that of an embedding is a list of rows."""
    pairs = [f"{way}, {free}" for free in shares for way in ways]
    what = layer, words, int(jit)
    found = _apart(2 * len(pairs), *what, *pairs, environment=GIVEN_BACK)
    peaks = iter([peak / (4 * words * COLUMNS) for peak in found])
    return {free: {way: (next(peaks), next(peaks)) for way in ways} for free in shares}


def of_layers(*frozen, layers=12, activation="relu"):
    """Return the peak of a training step of a deep network, as a multiple of what one layer puts
    out, over what is held between steps: one float for each of `frozen`, which are lists of the
    numbers of frozen layers, from 0. What one leaves in the process can lower the next, so the one
    that takes least comes last. Of 34,000 examples, 256 units a layer. NaN as in `of`."""
    lists = [",".join(map(str, numbers)) for numbers in frozen]
    found = _apart(len(frozen), "layers", layers, activation, *lists)
    return [peak / (4 * EXAMPLES * UNITS) for peak in found]


def _apart(count, *arguments, environment=None):
    """Return the `count` numbers that this file prints in a process of its own."""
    if not (PROCESS / "clear_refs").exists():
        return [float("nan")] * count
    command = [sys.executable, "-m", "helpers.studies.peaks", *map(str, arguments)]
    env = os.environ | OWN | (environment or {})
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT, env=env)
    return [int(number) for number in ran.stdout.split()[-count:]]


def _measure_layers(layers, activation, frozen):
    """In this process: bytes at the peak of a step of a deep network, over those before."""
    for examples in (8, EXAMPLES):  # the few load what every process has to load
        model = costs.network(UNITS, layers, activation)
        for number in frozen:
            model.layers[number].trainable = False
        step = costs.Step(model, keras.optimizers.Adam(1e-4), batch=examples)
        before = _forget_peak()
        step()
        peak = _memory("VmHWM") - before
        step.release()
    return peak


def _measure(way, free, words, jit, layer):
    """In this process: bytes at the peak of setting up, and of the steps, over those before."""
    for few in (100, LOADS_XLA):  # loads what every process has to load
        _release(*_steps(*_ready(way, free, _table(few, layer)), jit))
    before = _forget_peak()
    table = _table(words, layer)
    _forget_peak()
    model, optimizer = _ready(way, free, table)
    set_up = _memory("VmHWM") - before
    del table
    _forget_peak()
    _steps(model, optimizer, jit)
    steps = _memory("VmHWM") - before
    _release(model, optimizer)
    return set_up, steps


def _steps(model, optimizer, jit):
    step = _step(model, optimizer, jit)
    for _ in range(4):
        step().numpy()
    return model, optimizer


def _release(model, optimizer):
    costs.empty(model.variables + optimizer.variables)


def _table(words, layer):
    if layer == "dense":
        table = keras.layers.Dense(COLUMNS, use_bias=False)
        table.build((None, words))
    else:
        table = keras.layers.Embedding(words, COLUMNS)
        table.build(None)
    return table


def _ready(way, free, table):
    """Return the model and its optimizer; `free` % of the cells are free, or of the words the last
    ones."""
    words, optimizer = table.weights[0].shape[0], WAYS[way](keras.optimizers.Adam)(1e-3)
    is_dense = isinstance(table, keras.layers.Dense)
    inputs = keras.Input((words,)) if is_dense else keras.Input(BATCH[1:], dtype="int32")
    masks = {}
    if way == "rows split off":
        table = split_rows(table, np.arange(words) < words * (100 - free) // 100)
    elif way == "free values":
        kind = FreeDense if is_dense else FreeEmbedding
        table = kind.from_layer(table, _some_of_each_row(words, free))
    elif way != "nothing":
        masks = {"frozen": [(table.weights[0], _some_of_each_row(words, free))]}
    model = keras.Sequential([inputs, table])
    optimizer.build(model.trainable_variables, **masks)
    return model, optimizer


def _some_of_each_row(words, free):
    """Return a mask in which `free` cells of each row of a hundred are free."""
    frozen = np.ones((words, COLUMNS), bool)
    rows = np.arange(words)
    for number in range(free):
        frozen[rows, (rows * 7 + number) % COLUMNS] = False
    return frozen


def _step(model, optimizer, jit):
    if model.inputs[0].dtype == "int32":
        inputs = tf.random.stateless_uniform(BATCH, (0, 0), 0, 100, tf.int32)
    else:
        shape = EXAMPLES_OF_DENSE, model.input_shape[-1]
        inputs = tf.random.stateless_normal(shape, (0, 0))
    variables = model.trainable_variables

    def step():
        with tf.GradientTape() as tape:  # whose gradient stays a list of rows; ours are whole
            loss = tf.reduce_mean(tf.square(model(inputs) - 1))
        gradients = tape.gradient(loss, [variable.value for variable in variables])
        optimizer.apply(gradients, variables)
        return loss

    return tf.function(step, jit_compile=jit, autograph=False)


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
    _, what, size, how, *chosen = sys.argv
    if what == "layers":
        for numbers in chosen:
            frozen = [int(number) for number in numbers.split(",") if number]
            print(_measure_layers(int(size), how, frozen))
    else:
        for each in chosen:
            way, free = each.split(", ")
            print(*_measure(way, int(free), int(size), how == "1", what))
