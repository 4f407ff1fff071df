"""Four steps on several replicas, with three settings to choose: which of them spoil a freeze."""

import contextlib

import ipywidgets
import numpy as np
from matplotlib.colors import ListedColormap

from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.forms import Form, dropdown
from helpers.pictures import plots

SHAPE, STEPS = (64, 10), 4
MASKS = {
    "one for all": "one mask for all",
    "sum": "the largest of the sum are free",
    "own": "the largest of its own part are free",
}
ADAMS = {"within": "made within the scope", "outside": "made outside of it"}
VARIABLES = {"none": "no aggregation, as Keras makes it", "mean": "the aggregation MEAN"}
GOALS = {  # of a run that spoils something: which settings are not the first ones
    "by the mask alone, the copies part": lambda changed: changed == ["mask"],
    "by where Adam is made alone, the copies part": lambda changed: changed == ["adam"],
    "by the aggregation alone, frozen cells change, and the copies agree": (
        lambda changed: changed == ["aggregation"]
    ),
}
COLOURS = ListedColormap(["#e8e8e8", "#b2182b", "#000000"])
NAMED = {"style": {"description_width": "8em"}, "layout": {"width": "min(30em, 95%)"}}


def take_steps(strategy, mask="one for all", adam="within", aggregation="none"):
    """Train a kernel on the replicas of a `tf.distribute` strategy, freeze by restoring after each
    of four steps, and return two arrays: what every replica holds at the end, float32 (replicas,
    64, 10), and where a cell that was frozen in all steps, on all replicas, has other bits than at
    first on any of them, bool (64, 10).

    mask         of MASKS: half of the cells are frozen; or all but the 64 whose gradient is
                 largest, chosen anew in each step, by the sum of all replicas or by each for itself
    adam         of ADAMS: where the optimizer is made
    aggregation  of VARIABLES: what the kernel does with what the replicas assign
    """
    draw = np.random.default_rng(0)
    start = draw.normal(size=SHAPE).astype("float32")
    inputs = draw.normal(size=(240, SHAPE[0])).astype("float32")
    half = np.arange(start.size).reshape(SHAPE) % 2 == 0
    with strategy.scope():
        kernel = keras.Variable(start, aggregation=aggregation)
        always = keras.Variable(np.ones(SHAPE, bool), dtype="bool", trainable=False)
    with strategy.scope() if adam == "within" else contextlib.nullcontext():
        optimizer = keras.optimizers.Adam(0.01)
        optimizer.build([kernel])

    @tf.function
    def step():
        frozen = _step_and_restore(inputs, half, kernel, optimizer, mask)
        always.assign(tf.logical_and(always, frozen))

    for _ in range(STEPS):
        strategy.run(step)
    held, frozen = _copies(strategy, kernel), _copies(strategy, always).all(axis=0)
    return held, frozen & changed_bits(np.broadcast_to(start, held.shape), held).any(axis=0)


def _step_and_restore(inputs, half, kernel, optimizer, mask):
    """Take a step on this replica's part of the inputs; return where it was frozen."""
    replica = tf.distribute.get_replica_context()
    parts = tf.reshape(inputs, (replica.num_replicas_in_sync, -1, SHAPE[0]))
    x = parts[replica.replica_id_in_sync_group]
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ kernel - x[:, : SHAPE[1]]) ** 2)
    gradient = tape.gradient(loss, kernel.value)
    of_mask = replica.all_reduce("sum", gradient) if mask == "sum" else gradient
    size = tf.abs(of_mask)
    largest = size >= tf.sort(tf.reshape(size, [-1]))[-64]
    frozen = tf.constant(half) if mask == "one for all" else ~largest
    before = tf.identity(kernel.value)
    optimizer.apply([gradient], [kernel])
    kernel.assign(tf.where(frozen, before, kernel))
    return frozen


def _copies(strategy, variable):
    local = strategy.experimental_local_results(variable.value)
    return np.array([copy.numpy() for copy in local])


def apart(held):
    """Return where a replica's cells differ from those of the first, a bool array of that shape."""
    return changed_bits(np.broadcast_to(held[:1], held.shape), held)


def _settings(mask, adam="within", aggregation="none"):
    """Return a title that says how it was trained."""
    return f"{MASKS[mask]}; Adam {ADAMS[adam]}; {VARIABLES[aggregation]}"


def draw(held, moved, title=""):
    """Return a Figure of what `take_steps` returns, a kernel on its side for each replica: a cell
    is red if it differs from that of the first, and black if it was frozen all the time and has
    changed."""
    codes = np.where(moved, 2, apart(held)).astype(float).transpose(0, 2, 1)
    gap = np.full((len(codes), 2, SHAPE[0]), np.nan)
    picture, (axes,) = plots.figure(8, 0.7 * len(codes) + 0.5)
    rows = np.concatenate([codes, gap], axis=1)  # a kernel lies on its side, a gap below it
    axes.imshow(rows.reshape(-1, SHAPE[0]), cmap=COLOURS, vmin=0, vmax=2, aspect="auto")
    names = [f"replica {number}" for number in range(len(codes))]
    axes.set_yticks(np.arange(len(codes)) * rows.shape[1] + 4.5, names)
    axes.set_xticks([])
    axes.set_title(title, fontsize=10)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return picture


class Parting(Form):
    """A form with three settings and a number of replicas, a button that takes four steps, and a
    picture of what every replica holds.

    mirrored  (number) -> a strategy with so many replicas; there have to be four devices

    `train` takes the steps by what is chosen, as the button does, and returns the cells in which
    copies differ and the frozen cells that changed, two numbers. A goal is reached where one
    setting alone was changed, and spoilt something.
    """

    def __init__(self, mirrored):
        self._mirrored = mirrored
        self.mask = dropdown("the mask", MASKS, "one for all", **NAMED)
        self.adam = dropdown("Adam is", ADAMS, "within", **NAMED)
        self.aggregation = dropdown("the kernel has", VARIABLES, "none", **NAMED)
        self.replicas = dropdown("replicas", {2: "2", 3: "3", 4: "4"}, 2, **NAMED)
        self._button = ipywidgets.Button(description="Take four steps", icon="play")
        self._button.on_click(lambda _: self.train())
        form = [self.mask, self.adam, self.aggregation, self.replicas]
        super().__init__(*form, self._button, goals=GOALS)
        self.train()

    def train(self):
        """Take four steps, and show what became of the copies."""
        settings = {"mask": self.mask, "adam": self.adam, "aggregation": self.aggregation}
        chosen = {name: setting.value for name, setting in settings.items()}
        self._held, self._moved = take_steps(self._mirrored(self.replicas.value), **chosen)
        differ, moved = int(apart(self._held).any(axis=0).sum()), int(self._moved.sum())
        if differ or moved:
            self.reach([name for name, setting in settings.items() if setting.index])
        self._show(differ, moved)
        return differ, moved

    def _show(self, differ, moved):
        text = (
            f"The copies differ in {differ} of {self._moved.size} cells, and {moved} frozen cells "
            "have changed."
        )
        title = _settings(self.mask.value, self.adam.value, self.aggregation.value)
        self.show(draw(self._held, self._moved, title), text)

    def __repr__(self):
        return "Parting(mask, adam, aggregation)"

    def still(self):
        """Return the picture of a run in which the copies part."""
        return plots.image(draw(*take_steps(self._mirrored(2), mask="own"), _settings("own")))
