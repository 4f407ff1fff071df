"""What the compact freeze costs and saves: its step and its memory over the plain optimizer's.

One square layer, some share of whose kernel is frozen at random. Each round runs the plain step,
the same again from a second network (its ratio shows the noise), the masking one and the compact
one; the masks are changed between the lines. Behind each median ratio stands the range in which the
true median lies with 95 % certainty. Memory is what the optimizer keeps between two steps, places
of cells and working copies included.
"""

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
    rows, lines = [], 2 * len(arguments.widths) * len(arguments.frozen)
    with tqdm(total=lines, desc="compact") as progress:
        for width in arguments.widths:
            for jit in (False, True):
                steps = _steps(width, jit, arguments)
                for share in arguments.frozen:
                    rows.append(_row(steps, width, jit, share, arguments.rounds))
                    progress.update()
                for step in steps:
                    step.release()
    return rows


def _steps(width, jit, arguments):
    """The plain step twice, the masking one and the compact one."""
    keras.backend.clear_session()
    cls = optimizer_class(arguments.optimizer)
    makers = cls, cls, freezable(cls), freezable(cls, compact=True)
    options = dict(jit=jit, batch=arguments.batch)
    return [costs.Step(costs.network(width, 1), make(1e-4), **options) for make in makers]


def _row(steps, width, jit, share, rounds):
    plain, _, masked, picked = steps
    masked.freeze(share)
    picked.freeze(share)
    seconds = costs.times(steps, rounds)
    memory = [costs.slots(step.optimizer) / costs.slots(plain.optimizer) for step in steps]
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
