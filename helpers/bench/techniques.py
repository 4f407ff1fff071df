"""What every technique costs: its training step over the plain one, and what it keeps in memory.

One kernel of side × side cells, half of them frozen at random, batch 128. Every technique is
compiled by itself, as it would be at home; the plain step runs twice, and shows the noise.
"""

from tqdm import tqdm

from helpers.bench.cells import milliseconds, spread
from helpers.bench.options import count
from helpers.device import keras
from helpers.studies import costs
from helpers.techniques import TECHNIQUES


def add_arguments(parser):
    """Say what can be asked for on the command line."""
    parser.add_argument(
        "--sides", type=count, nargs="+", default=[64, 512, 2048], help="of the grid"
    )
    parser.add_argument("--optimizer", default="Adam", help="a Keras class")
    parser.add_argument("--jit", action="store_true", help="let XLA compile the step")
    parser.add_argument("--rounds", type=count, default=40, help="steps of each technique")


def measure(arguments):
    """Return the rows of the table: side and technique."""
    rows = []
    for side in tqdm(arguments.sides, desc="techniques"):
        rows += _side(side, arguments)
        keras.backend.clear_session()
    return rows


def _side(side, arguments):
    names = ["none", *TECHNIQUES]
    steps = [costs.Recipe(name, side, arguments.optimizer, jit=arguments.jit) for name in names]
    seconds = costs.times(steps, arguments.rounds)
    kept = [step.kept for step in steps]
    for step in steps:
        step.release()
    return [
        {
            "side": side,
            "technique": name,
            "step": milliseconds(seconds, which),
            "over plain": spread(seconds, which),
            "extra bytes a cell": f"{kept[which] / side**2:.3f}",
        }
        for which, name in enumerate(names)
        if which
    ]
