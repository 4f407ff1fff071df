"""What freezing saves: by mask nothing; by rows, columns or whole layers, time and memory.

The first lines freeze a share of one kernel, by a mask and by a layer that is split; the others
freeze the first half of a deep network, where the backward pass can stop, and as much by a mask.
The steps are measured in turn, batch 128.
"""

import numpy as np
from tqdm import tqdm

from helpers.bench.cells import milliseconds, spread
from helpers.bench.options import count
from helpers.device import keras
from helpers.freezing import freezable
from helpers.optimizers import optimizer_class
from helpers.studies import costs
from helpers.studies.split import split_columns, split_rows

RATE = 1e-4


def add_arguments(parser):
    """Say what can be asked for on the command line."""
    parser.add_argument("--side", type=count, default=4096, help="of the one kernel")
    parser.add_argument("--frozen", type=float, default=0.9, help="share of its rows")
    parser.add_argument("--layers", type=count, default=8, help="of the deep network")
    parser.add_argument("--width", type=count, default=1024, help="of its layers")
    parser.add_argument("--optimizer", default="Adam", help="a Keras class")
    parser.add_argument("--jit", action="store_true", help="let XLA compile the steps")
    parser.add_argument("--rounds", type=count, default=30, help="steps of each kind")


def measure(arguments):
    """Return the rows of the table: what is frozen, and how."""
    rows = []
    for kind in tqdm((_kernel, _deep), desc="structure"):
        rows += _table(kind(arguments), arguments)
        keras.backend.clear_session()
    return rows


def _kernel(arguments):
    """One kernel, a share of it frozen: name -> (model, fraction frozen by a mask, goal)."""
    side, share = arguments.side, arguments.frozen
    frozen = np.arange(side) < round(side * share)
    percent = f"{share:.0%} of {side}×{side}"
    return {
        f"{percent}: nothing": (costs.network(side, 1, None), 0, ""),
        f"{percent}: by mask": (costs.network(side, 1, None), share, ""),
        f"{percent}: rows split": (_split(side, split_rows, frozen), 0, "≤ 0.6, ≤ 0.15"),
        f"{percent}: columns split": (_split(side, split_columns, frozen), 0, ""),
    }


def _split(side, split, frozen):
    whole = costs.network(side, 1, None)
    return keras.Sequential([keras.layers.Input((side,)), split(whole.layers[0], frozen)])


def _deep(arguments):
    """Return a deep network, half of it frozen: the same."""
    deep = f"{arguments.layers} layers of {arguments.width}"
    whole, masked, first, last = (
        costs.network(arguments.width, arguments.layers) for _ in range(4)
    )
    half = arguments.layers // 2
    for layers in (first.layers[:half], last.layers[half:]):
        for layer in layers:
            layer.trainable = False
    return {
        f"{deep}: nothing": (whole, 0, ""),
        f"{deep}: half of the cells by mask": (masked, 0.5, ""),
        f"{deep}: the first half": (first, 0, "≤ 0.7"),
        f"{deep}: the last half": (last, 0, ""),
    }


def _table(cases, arguments):
    cls = optimizer_class(arguments.optimizer)
    steps = [
        costs.Step(model, (freezable(cls) if share else cls)(RATE), arguments.jit, frozen=share)
        for model, share, _ in cases.values()
    ]
    seconds = costs.times(steps, arguments.rounds)
    slot_bytes = [costs.slots(step.optimizer) for step in steps]
    for step in steps:
        step.release()
    return [
        {
            "frozen": name,
            "step": milliseconds(seconds, which),
            "over plain": spread(seconds, which),
            "optimizer memory over plain": f"{slot_bytes[which] / slot_bytes[0]:.3f}"
            if slot_bytes[0]
            else "–",
            "goal": goal,
        }
        for which, (name, (_, _, goal)) in enumerate(cases.items())
    ]
