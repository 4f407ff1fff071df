"""FreezeOut beside plain training at the same cost: what share of a test's digits is read.

FreezeOut (Brock and others 2017) trains all layers at first and freezes one after the other. The
rate of each layer sinks to 0 along a cosine; that of layer i of L is 0 once the share
t = (0.8 + 0.2 (i - 1) / (L - 1))³ of all steps is over, and is divided by t, the default of the
authors' code. Its rival takes fewer steps, with the same cosine, for as many multiplications. Each
has its own rate, chosen on a validation part by two seeds that are not tested.
"""

import itertools

import numpy as np
from tqdm import tqdm

from helpers import networks
from helpers.bench.options import count
from helpers.studies import costs, freezeout
from helpers.studies.tables import mean_and_range

RATES, TRYING = [0.005, 0.01, 0.02, 0.04], [100, 101]
STOPS = np.linspace(0.8, 1, len(freezeout.WIDTHS) + 1) ** 3


def add_arguments(parser):
    """Say what can be asked for on the command line."""
    parser.add_argument("--steps", type=count, nargs="+", default=[100, 1000])
    parser.add_argument("--seeds", type=count, default=5, help="how many are tested")


def measure(arguments):
    """Return the rows of the table: which kind, and how many steps."""
    share = cost()
    kinds = {"FreezeOut": (STOPS, 1.0), "plain, fewer steps": (np.ones(len(STOPS)), share)}
    trying = freezeout.Readers(len(kinds) * len(RATES) * len(TRYING))
    testing = freezeout.Readers(len(kinds) * arguments.seeds)
    rows = []
    for steps in tqdm(arguments.steps, desc="freezeout"):
        runs = list(itertools.product(kinds, RATES, TRYING))
        right = _read(trying, runs, kinds, steps, "validation").reshape(len(kinds), len(RATES), -1)
        best = [RATES[place] for place in right.mean(axis=2).argmax(axis=1)]
        pairs = zip(kinds, best)
        runs = [(kind, rate, seed) for kind, rate in pairs for seed in range(arguments.seeds)]
        frozen_out, fewer = _read(testing, runs, kinds, steps, "test").reshape(len(kinds), -1)
        for kind, rate, read in zip(kinds, best, (frozen_out, fewer)):
            found = {"read, %": mean_and_range(read), "beside FreezeOut": "–"}
            if read is fewer:
                found["beside FreezeOut"] = mean_and_range(fewer - frozen_out)
            taken = round(kinds[kind][1] * steps)
            rows.append(
                {"kind": kind, "steps": taken, "cost": f"{share:.2f}", "rate": rate, **found}
            )
    return rows


def cost():
    """Return the share of plain training's multiplications that FreezeOut takes, a float."""
    stages = []
    for number in range(len(STOPS)):  # what a step takes with so many layers frozen
        model = networks.dense(0, freezeout.WIDTHS)
        for layer in model.layers[:number]:
            layer.trainable = False
        stages.append(sum(costs.products(model, batch=64)))
    return float((stages * np.diff(STOPS, prepend=0)).sum() / stages[0])


def rates_of(stops, part, steps, rate):
    """Return the rate of each layer in each step, float (steps, layers): 0 once it is frozen."""
    over = np.arange(steps)[:, None] / round(part * steps)
    return rate / stops / 2 * (1 + np.cos(np.pi * np.minimum(over / stops, 1)))


def _read(readers, runs, kinds, steps, part):
    rates = [rates_of(*kinds[kind], steps, rate) for kind, rate, _ in runs]
    readers.train([seed for _, _, seed in runs], np.stack(rates))
    return readers.right(part)
