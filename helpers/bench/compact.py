"""What the compact freeze costs and saves: its step and its memory over the plain optimizer's.

One square layer, some share of whose kernel is frozen at random. Each round runs the plain step,
the same again from a second network (its ratio shows the noise), the masking one and the compact
one. Behind each median ratio stands the range in which the true median lies with 95 % certainty.
Memory is what the optimizer keeps between two steps, places of cells and working copies included.
"""

import itertools

from tqdm import tqdm

from helpers.bench.cells import certain, milliseconds
from helpers.bench.options import count
from helpers.device import keras
from helpers.freezing import freezable
from helpers.optimizers import optimizer_class
from helpers.studies import costs

GOALS = {0.99: "≤ 0.6, memory ≤ 0.03", 0.9: "≤ 0.9, memory ≤ 0.2"}


def add_arguments(parser):
    """Say what can be asked for on the command line."""
    parser.add_argument("--widths", type=count, nargs="+", default=[4096], help="of the layer")
    parser.add_argument("--optimizer", default="Adam", help="a Keras class")
    parser.add_argument("--batch", type=count, default=32, help="rows of a batch")
    parser.add_argument("--rounds", type=count, default=40, help="for each share")
    shares = [0.5, 0.75, 0.9, 0.99]
    parser.add_argument("--frozen", type=float, nargs="+", default=shares, help="shares")


def measure(arguments):
    """Return the rows of the table: width, compiler and frozen share."""
    cases = itertools.product(arguments.widths, (False, True), arguments.frozen)
    return [_row(*case, arguments) for case in tqdm(list(cases), desc="compact")]


def _row(width, jit, share, arguments):
    keras.backend.clear_session()
    cls = optimizer_class(arguments.optimizer)
    steps = []
    for make in (cls, cls, freezable(cls), freezable(cls, compact=True)):
        frozen = share if make is not cls else 0
        network = costs.network(width, 1)
        steps.append(costs.Step(network, make(1e-4), jit, arguments.batch, frozen))
    plain = steps[0]
    seconds = costs.times(steps, arguments.rounds)
    memory = [costs.slots(step.optimizer) / costs.slots(plain.optimizer) for step in steps]
    for step in steps:
        step.release()
    return {
        "width": width,
        "compiled": "jit" if jit else "graph",
        "frozen": f"{share:.0%}",
        "plain": milliseconds(seconds, 0),
        "plain / plain": certain(seconds, 1),
        "mask / plain": certain(seconds, 2),
        "compact / plain": certain(seconds, 3),
        "goal": GOALS.get(share, "≤ mask"),
        "memory, mask": f"{memory[2]:.3f}",
        "memory, compact": f"{memory[3]:.4f}",
    }
