"""What the exact freeze costs: its training step over the step of the plain optimizer.

A network of three square layers, batch 128. Each round runs the plain step, the same again from a
second network (its ratio shows the noise), and the freezable one, whose mask is changed between
the tables' lines without a new trace.
"""

import numpy as np
from tqdm import tqdm

from helpers.bench import paired
from helpers.device import keras, tf
from helpers.freezing import freezable

LAYERS, BATCH = 3, 128
GOALS = {("half", True): "≤ 1.05", ("half", False): "≤ 1.15"}


def add_arguments(parser):
    """Say what can be asked for on the command line."""
    parser.add_argument("--widths", type=int, nargs="+", default=[1024, 4096], help="of the layers")
    names = ["Adam", "AdamW"]
    parser.add_argument("--optimizers", nargs="+", default=names, help="Keras classes")
    parser.add_argument("--rounds", type=int, default=60, help="at width 1024; fewer if larger")


def measure(arguments):
    """Return the rows of the table: width, compiler and optimizer, each with two masks."""
    rows = []
    cases = [
        (width, name, jit)
        for width in arguments.widths
        for name in arguments.optimizers
        for jit in (False, True)
    ]
    with tqdm(total=2 * len(cases), desc="freeze") as progress:
        for width, name, jit in cases:
            rounds = max(12, arguments.rounds * 1024 // width)
            rows += _case(width, getattr(keras.optimizers, name), jit, rounds, progress.update)
            keras.backend.clear_session()
    return rows


def _case(width, cls, jit, rounds, done):
    plain, again, masked = (_Training(width, made, jit) for made in (cls, cls, freezable(cls)))
    rows = []
    for frozen in ("none", "half"):
        masked.freeze(frozen == "half")
        seconds = paired.times([plain.step, again.step, masked.step], rounds)
        rows.append(
            {
                "width": width,
                "optimizer": cls.__name__,
                "compiled": "jit" if jit else "graph",
                "frozen": frozen,
                "plain": f"{np.median(seconds[:, 0]) * 1000:.1f} ms",
                "plain / plain": paired.ratio(seconds, 1),
                "freezable / plain": paired.ratio(seconds, 2),
                "goal": GOALS.get((frozen, jit), "≤ 1.01"),
                "extra bytes a cell": f"{(masked.bytes - plain.bytes) / plain.cells:.3f}",
            }
        )
        done()
    return rows


class _Training:
    """A network, its optimizer, and a compiled step on random data."""

    def __init__(self, width, optimizer_class, jit):
        layers = [keras.layers.Dense(width, "relu") for _ in range(LAYERS)]
        self.model = keras.Sequential([keras.layers.Input((width,)), *layers])
        self.optimizer = optimizer_class(1e-4)
        self.optimizer.build(self.model.trainable_variables)
        self.inputs, self.targets = tf.random.normal((2, BATCH, width))
        self._step = tf.function(self._one, jit_compile=jit, autograph=False)

    def _one(self):
        variables = self.model.trainable_variables
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.model(self.inputs) - self.targets) ** 2)
        raw = [variable.value for variable in variables]
        self.optimizer.apply(tape.gradient(loss, raw), variables)
        return loss

    def step(self):
        """Take one step, and wait until it is over."""
        return self._step().numpy()

    def freeze(self, half):
        """Freeze a random half of every kernel, or nothing."""
        random = np.random.default_rng(0)
        for layer in self.model.layers:
            frozen = random.random(layer.kernel.shape) < (0.5 if half else 0)
            self.optimizer.freeze_cells(layer.kernel, frozen)

    @property
    def cells(self):
        """How many values train."""
        return self.model.count_params()

    @property
    def bytes(self):
        """What the optimizer's variables take, in bytes."""
        return sum(variable.numpy().nbytes for variable in self.optimizer.variables)
