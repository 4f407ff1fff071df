"""What the exact freeze costs: its training step over the step of the plain optimizer.

A network of three square layers, batch 128. Each round runs the plain step, the same again from a
second network (its ratio shows the noise), and the freezable one, whose mask is changed between
the tables' lines without a new trace.
"""

from tqdm import tqdm

from helpers import costs
from helpers.bench import count
from helpers.bench.cells import milliseconds, spread
from helpers.device import keras
from helpers.freezing import freezable
from helpers.optimizers import optimizer_class

LAYERS = 3
GOALS = {("half", True): "≤ 1.05", ("half", False): "≤ 1.15"}


def add_arguments(parser):
    """Say what can be asked for on the command line."""
    parser.add_argument(
        "--widths", type=count, nargs="+", default=[1024, 4096], help="of the layers"
    )
    names = ["Adam", "AdamW"]
    parser.add_argument("--optimizers", nargs="+", default=names, help="Keras classes")
    parser.add_argument("--rounds", type=count, default=60, help="at width 1024; fewer if larger")


def measure(arguments):
    """Return the rows of the table: width, compiler and optimizer, each with two masks."""
    rows = []
    cases = [
        (width, cls, jit)
        for width in arguments.widths
        for cls in map(optimizer_class, arguments.optimizers)
        for jit in (False, True)
    ]
    with tqdm(total=2 * len(cases), desc="freeze") as progress:
        for width, cls, jit in cases:
            rounds = min(arguments.rounds, max(12, arguments.rounds * 1024 // width))
            rows += _case(width, cls, jit, rounds, progress.update)
            keras.backend.clear_session()
    return rows


def _case(width, cls, jit, rounds, done):
    steps = [
        costs.Step(costs.network(width, LAYERS), made(1e-4), jit)
        for made in (cls, cls, freezable(cls))
    ]
    plain, _, masked = steps
    extra = costs.slots(masked.optimizer) - costs.slots(plain.optimizer)
    rows = []
    for frozen, fraction in (("none", 0), ("half", 0.5)):
        masked.freeze(fraction)
        seconds = costs.times(steps, rounds)
        rows.append(
            {
                "width": width,
                "optimizer": cls.__name__,
                "compiled": "jit" if jit else "graph",
                "frozen": frozen,
                "plain": milliseconds(seconds, 0),
                "freezable": milliseconds(seconds, 2),
                "plain / plain": spread(seconds, 1),
                "freezable / plain": spread(seconds, 2),
                "goal": GOALS.get((frozen, jit), "≤ 1.01"),
                "extra bytes a cell": f"{extra / plain.model.count_params():.3f}",
            }
        )
        done()
    return rows
