"""What a leak check adds to an epoch of `model.fit`, by the time that Python spends in it.

A network of square layers trains on random data with a freezable Adam; half of the cells of every
kernel are frozen and watched. Epochs with and without the check take turns in one process. Two
figures are shown, because two epochs differ by more than a check takes: the ratio of the epochs,
with the range in which its true median lies with 95 % certainty, and the time within the check's
own calls, which wait for their count, over the epoch without it.
"""

import time

import numpy as np
from tqdm import tqdm

from helpers import masks
from helpers.bench.cells import certain, milliseconds
from helpers.bench.options import count
from helpers.device import keras
from helpers.freezing import LeakCheck, freezable
from helpers.studies import costs

HOOKS = {"epoch": ["on_epoch_begin", "on_epoch_end"]}
HOOKS["batch"] = [*HOOKS["epoch"], "on_train_batch_begin", "on_train_batch_end"]
GOALS = {"epoch": "≤ 0.02", "batch": ""}


def add_arguments(parser):
    """Say what can be asked for on the command line."""
    parser.add_argument("--widths", type=count, nargs="+", default=[256, 1024], help="of 3 layers")
    parser.add_argument("--steps", type=count, default=50, help="of an epoch, with a batch of 128")
    parser.add_argument("--rounds", type=count, default=10, help="an epoch of each kind")


def measure(arguments):
    """Return the rows of the table: for each width, a check every epoch and every batch."""
    rows = []
    for width in tqdm(arguments.widths, desc="leakcheck"):
        model = costs.network(width, 3)
        model.compile(freezable(keras.optimizers.Adam)(1e-4), "mse")
        data = np.random.default_rng(0).normal(size=(2, arguments.steps * costs.BATCH, width))
        rows += [_row(model, data.astype("float32"), every, arguments) for every in GOALS]
    return rows


def _row(model, data, every, arguments):
    kernels = [variable for variable in model.trainable_variables if len(variable.shape) > 1]
    pairs = [(kernel, masks.random(kernel.shape, 0.5, 0)) for kernel in kernels]
    model.optimizer.build(model.trainable_variables)
    for kernel, frozen in pairs:
        model.optimizer.freeze_cells(kernel, frozen)
    check = LeakCheck(pairs, every=every)
    inside = []  # seconds within the check, an entry an epoch
    measured = Timed(check, HOOKS[every])

    def epoch(*callbacks):
        model.fit(*data, costs.BATCH, verbose=0, callbacks=list(callbacks))

    def checked():
        measured.seconds = 0.0
        epoch(measured)
        inside.append(measured.seconds)

    seconds = costs.times([epoch, checked], arguments.rounds)
    share = np.median(inside[-arguments.rounds :]) / np.median(seconds[:, 0])
    return {
        "width": model.input_shape[-1],
        "cells watched": f"{sum(int(frozen.sum()) for _, frozen in pairs):,}",
        "every": every,
        "epoch": milliseconds(seconds, 0),
        "with the check / without": certain(seconds, 1),
        "within the check": f"{share:.4f}",
        "goal": GOALS[every],
    }


class Timed(keras.callbacks.Callback):
    """Hands on to a check what Keras calls, and adds up how long it takes after training began."""

    def __init__(self, check, hooks):
        super().__init__()
        self.check, self.seconds = check, 0.0
        for name in hooks:
            setattr(self, name, self._timed(getattr(check, name)))

    def set_model(self, model):
        """As in Keras."""
        self.check.set_model(model)

    def on_train_begin(self, logs=None):
        """Begin; this happens once a training, and not once an epoch."""
        self.check.on_train_begin()

    def _timed(self, hook):
        def timed(*arguments, **named):
            began = time.perf_counter()
            hook(*arguments, **named)
            self.seconds += time.perf_counter() - began

        return timed
