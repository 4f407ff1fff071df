"""What the exact freeze costs: its training step over the step of the plain optimizer.

A network of three square layers, batch 128. Each round runs the plain step, the same again from a
second network (its ratio shows the noise), and the freezable one, whose mask is changed between
the tables' lines without a new trace. All three are built several times, and each is the first,
second and third to be built in turn: two builds of the same step differ by some per cent for as
long as they live, and the first to be built has been seen to be quicker. Behind each median ratio
stands the range in which the true median of *these* builds lies with 95 % certainty; others may
lie outside of it.
"""

import itertools

import numpy as np
from tqdm import tqdm

from helpers.bench.cells import certain, milliseconds
from helpers.bench.options import count
from helpers.device import keras
from helpers.freezing import freezable
from helpers.optimizers import optimizer_class
from helpers.studies import costs

LAYERS = 3
FROZEN = {"none": 0, "half": 0.5}  # of every kernel
GOALS = {("half", True): "≤ 1.04", ("half", False): "≤ 1.10"}


def add_arguments(parser):
    """Say what can be asked for on the command line."""
    parser.add_argument(
        "--widths", type=count, nargs="+", default=[1024, 4096], help="of the layers"
    )
    names = ["Adam", "AdamW"]
    parser.add_argument("--optimizers", nargs="+", default=names, help="Keras classes")
    parser.add_argument("--rounds", type=count, default=60, help="at width 1024; fewer if larger")
    parser.add_argument("--builds", type=count, default=6, help="which share the rounds")


def measure(arguments):
    """Return the rows of the table: width, optimizer and compiler, each with two masks."""
    classes = map(optimizer_class, arguments.optimizers)
    cases = list(itertools.product(arguments.widths, classes, (False, True)))
    rows, builds = [], arguments.builds
    with tqdm(total=builds * len(cases), desc="freeze") as progress:
        for width, cls, jit in cases:
            total = min(arguments.rounds, max(12, arguments.rounds * 1024 // width))
            measured = []
            for number in range(builds):
                measured.append(_build(width, cls, jit, -(-total // builds), number))
                progress.update()
            rows += _rows(width, cls, jit, *zip(*measured))
    return rows


def _build(width, cls, jit, rounds, number):
    """Build the three steps, from another one on in each build; return the seconds of each round
    under each mask, and extra bytes."""
    keras.backend.clear_session()
    makers, built = (cls, cls, freezable(cls)), {}
    for turn in range(len(makers)):
        which = (number + turn) % len(makers)
        built[which] = costs.Step(costs.network(width, LAYERS), makers[which](1e-4), jit)
    steps = plain, _, masked = built[0], built[1], built[2]
    seconds = {}
    for frozen, fraction in FROZEN.items():
        masked.freeze(fraction)
        seconds[frozen] = costs.times(steps, rounds)
    extra = costs.slots(masked.optimizer) - costs.slots(plain.optimizer)
    for step in steps:
        step.release()
    return seconds, extra / plain.model.count_params()


def _rows(width, cls, jit, measured, extra):
    for frozen in FROZEN:
        seconds = np.concatenate([build[frozen] for build in measured])
        yield {
            "width": width,
            "optimizer": cls.__name__,
            "compiled": "jit" if jit else "graph",
            "frozen": frozen,
            "plain": milliseconds(seconds, 0),
            "freezable": milliseconds(seconds, 2),
            "plain / plain": certain(seconds, 1),
            "freezable / plain": certain(seconds, 2),
            "goal": GOALS.get((frozen, jit), "≤ 1.01"),
            "extra bytes a cell": f"{max(extra):.3f}",
        }
