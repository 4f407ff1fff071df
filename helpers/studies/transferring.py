"""A reader of the digits 0 to 4 learns the digits 5 to 9 from a few pictures, parts of it frozen.

All is computed in float64, so that other machines come to the same figures.
"""

import contextlib
import functools

import numpy as np

from helpers import cases, datasets, networks
from helpers.device import keras, tf
from helpers.freezing import freezable
from helpers.studies import trials

LEARNT = 400  # steps in which it learns the old digits
COPIES = {"train": 8, "test": 4}  # of each picture, each shifted on its own
ROWS = 8_192  # has room for every task, so XLA compiles once for all


class Transfer:
    """A dense network with BatchNormalization, pretrained on the digits 0 to 4 from each seed.

    All pictures are shifted by up to a pixel. `old` and `new` map "train" and "test" to pictures,
    float64 (examples, 64), and labels, int64 from 0 to 4: the new digits count from 5. `model` has
    five layers: dense, normalisation, dense, normalisation, and the head. With jit_compile, as in
    `trials.Trial`, steps are compiled by XLA.
    """

    def __init__(self, widths=(128, 128), jit_compile=False):
        self.old, self.new = _pictures(True), _pictures(False)
        self._widths, self._jit = widths, jit_compile
        self.model = networks.dense(0, widths, 5, "float64", normalised=True)
        self._trial = functools.cache(self._made)
        self._logits = tf.function(lambda pictures: self.model(pictures, training=False))

    @functools.cache  # noqa: B019 (there is one Transfer on a page)
    def weights(self, seed):
        """Return the pretrained weights, as by `model.get_weights()`. Change a copy."""
        self.model.set_weights(self.fresh(seed))
        self.train(self.old["train"], self.model.layers, 0.003, LEARNT, seed)
        return self.model.get_weights()

    def fresh(self, seed):
        """Return weights that were never trained. Change a copy."""
        return networks.initial_weights(seed, self._widths, 5, normalised=True)

    @functools.cache  # noqa: B019 (there is one Transfer on a page)
    def settled(self, seed):
        """Return random weights whose moving averages fit the old pictures: these have run through
        the model at a rate of 0, so nothing else has moved. Change a copy."""
        self.model.set_weights(self.fresh(seed + 1000))
        self.train(self.old["train"], self.model.layers, 0.0, LEARNT, seed)
        return self.model.get_weights()

    def few(self, seed, count, old=False):
        """Return `count` pictures to train on of each new digit, or of each old one, and their
        labels; the seed decides which."""
        return datasets.few_of_each(*(self.old if old else self.new)["train"], count, seed)

    def train(self, task, layers, rate, steps, seed):
        """Take steps of a new Adam on pictures and labels, in training mode, from the weights that
        the model has. `layers` of it train, and the others are flagged `trainable = False`."""
        numbers = tuple(n for n, each in enumerate(self.model.layers) if each in layers)
        with self._others_flagged(layers):
            trial = self._trial(numbers)
            trial.restart(rate=rate)
            trial.train_on(trials.ready(*task, ROWS), steps, seed)

    def settle(self, task, layers):
        """Replace the moving averages of each normalisation among `layers` by those of a task's
        pictures, all in one batch. No other one is thawed, and no weight moves."""
        kind = keras.layers.BatchNormalization
        norms = {each: each.momentum for each in self.model.layers if isinstance(each, kind)}
        for norm in norms:
            norm.momentum = 0.0  # nothing of the old averages is kept
        with self._others_flagged(layers):
            self.model(tf.constant(task[0]), training=True)
        for norm, momentum in norms.items():
            norm.momentum = momentum

    def answers(self, pictures, head=None):
        """Return the logits (examples, 5); with another head, if its kernel and bias are given."""
        held = self.model.layers[-1].get_weights()
        self.model.layers[-1].set_weights(held if head is None else head)
        logits = self._logits(tf.constant(pictures)).numpy()
        self.model.layers[-1].set_weights(held)
        return logits

    @contextlib.contextmanager
    def _others_flagged(self, layers):
        """All layers but these have the flag `trainable = False` for a while."""
        for each in self.model.layers:
            each.trainable = each in layers
        try:
            yield
        finally:
            for each in self.model.layers:
                each.trainable = True

    def _made(self, numbers):
        layers = [self.model.layers[n] for n in numbers]
        variables = [v for layer in layers for v in layer.trainable_variables]
        adam = keras.optimizers.Adam()
        return trials.Trial(self.model, adam, variables=variables, jit_compile=self._jit)


class SixthColumn:
    """A reader of the digits 0 to 4 whose head gets a sixth column, for the 5; its base is frozen.

    `head` is the old head, a built Dense layer of 24 × 5, with the weights of seed 0. `shown` are
    what the base makes of forty fives to train on, and their labels, all 5. `tests` maps "0 to 4"
    and "fives" to the same of test pictures, which `pictures` maps to them, float64 (examples, 64);
    they and their labels are the same under every seed.
    """

    def __init__(self):
        self._reader = Transfer(widths=(128, 24))
        self._reader.model.set_weights(self._reader.weights(0))
        self.head = self._reader.model.layers[-1]
        inputs, last = self._reader.model.inputs[0], self._reader.model.layers[-2].output
        self._base = keras.Model(inputs, last)
        old, labels = self._reader.old["test"]
        new, new_labels = self._reader.new["test"]
        fives = new[new_labels == 0]  # 0 stands for a 5
        self.pictures = {"0 to 4": old, "fives": fives}
        self._answers = {"0 to 4": labels, "fives": np.full(len(fives), 5)}
        self.shown, self.tests = self._shown(0, 0, 1), self._tests()
        self._wide = cases.widened(self.head, 1)
        six = keras.Sequential([keras.Input((24,), dtype="float64"), self._wide])
        self._trial = trials.Trial(six, freezable(keras.optimizers.Adam)(0.01))

    def grow(self, seed, freeze_old, old_pictures, steps, often=1):
        """Train the sixth column from a seed, on forty fives, and return the six scores of the test
        pictures then: "0 to 4" and "fives" → float64 (examples, 6).

        freeze_old    whether the five old columns and biases are frozen exactly, or train as well
        old_pictures  how many pictures of each old digit are shown, too
        often         how often a five is shown for each time an old picture is
        """
        self._reader.model.set_weights(self._reader.weights(seed))
        shown = self._shown(seed, old_pictures, often)
        self._trial.restart(cases.widened(self.head, 1).get_weights())
        if freeze_old:
            cases.keep_old_outputs(self._trial.optimizer, self._wide, 5)
        self._trial.train(*shown, steps, seed)
        tests = self._tests().items()
        return {part: self._trial.logits(features).numpy() for part, (features, _) in tests}

    def _shown(self, seed, old_pictures, often):
        pictures, labels = self._reader.few(seed, 40)
        shown = np.tile(pictures[labels == 0], (often, 1))  # 0 stands for a 5
        answers = np.full(len(shown), 5)
        if old_pictures:
            some_old, their_labels = self._reader.few(seed, old_pictures, old=True)
            shown = np.concatenate([shown, some_old])
            answers = np.concatenate([answers, their_labels])
        return self._base(shown).numpy(), answers

    def _tests(self):
        parts = self.pictures.items()
        return {part: (self._base(shown).numpy(), self._answers[part]) for part, shown in parts}


@functools.cache
def _pictures(old):
    """Return the old digits or the new ones; of an old one to train on there are many shifted
    copies."""
    parts = {}
    for number, (name, (pictures, labels)) in enumerate(zip(COPIES, datasets.digits_split())):
        copies = COPIES[name] if old or name == "test" else 1
        chosen = (labels < 5) == old
        pictures = np.tile(pictures[chosen], (copies, 1))
        labels = np.tile(labels[chosen], copies) - (0 if old else 5)
        parts[name] = datasets.shaken(pictures, 1_000 * (number + 1), 1).astype("float64"), labels
    return parts
