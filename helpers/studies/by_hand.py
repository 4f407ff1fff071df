"""A small network that learns camera 1 and then camera 2, while cells are frozen by hand."""

import numpy as np

from helpers import networks
from helpers.device import keras
from helpers.playground import Playground, tasks
from helpers.studies import continual, trials

NAMES = "camera 1", "camera 2"
FIRST, SECOND = 100, 200  # steps on each camera
RATE = 0.01  # of Adam
UNITS = 64


class Student:
    """64 pixels, 64 units and ten outputs, without biases; the last layer stays at random numbers.

    cameras  two Tasks of `continual`, which are learnt one after the other
    room     None; or bool (64,), True for the units that camera 1 may use. Each picture then has a
             65th number, 0 for camera 1 and 1 for camera 2, and for a 0 the other units give 0
    seed     from which the network is drawn

    `model` is the network and `kernel` its variable of 64 pixels × 64 units, the only one that
    learns. `task` is for a playground: camera 1 up to step 100, camera 2 from then on.
    """

    def __init__(self, cameras, room=None, seed=0):
        self._cameras, self._told = cameras, room is not None
        self.model, self.kernel = _network(room, seed)
        self._playground = None
        tests = {name: self.examples(number, "test") for number, name in enumerate(NAMES)}
        options = dict(held_out=tests, row="pixel", column="unit")
        one, two = [
            tasks.own(self.model, self.kernel, *examples, networks.cross_entropy, **options)
            for examples in (self.examples(number, "train") for number in (0, 1))
        ]
        self.task = continual.switch(one, two, step=FIRST)

    def examples(self, number, part):
        """Return pictures and labels of a part of camera 0 or 1, as the network takes them."""
        pictures, labels = self._cameras[number].part[part]
        if self._told:
            pictures = np.hstack([pictures, np.full((len(pictures), 1), number)])
        return pictures.astype("float32"), labels

    def learn_first(self):
        """Begin anew, and learn camera 1 with nothing frozen."""
        if self._playground is None:
            adam = keras.optimizers.Adam(RATE)
            self._playground = Playground(self.task, adam, "exact", controls=[])
        self._playground.reset()
        self._playground.frozen = np.zeros(self.kernel.shape, bool)
        self._playground.train(FIRST)

    def learn_both(self, frozen):
        """Learn camera 1, freeze these cells (True = frozen), and learn camera 2; return the
        answers to camera 1 before camera 2 came, and after it."""
        self.learn_first()
        accepted = self.answers(0)
        self._playground.frozen = frozen
        self._playground.train(SECOND)
        return accepted, self.answers(0)

    def answers(self, number):
        """Return the digits, int (450,), that the test pictures of a camera are taken for."""
        pictures, _ = self.examples(number, "test")
        return self.model(pictures).numpy().argmax(axis=1)

    def right(self):
        """Return how many test pictures in 100 are read, an array with a number a camera."""
        labels = [self.examples(number, "test")[1] for number in (0, 1)]
        return np.array([networks.per_cent(self.answers(n) == labels[n]) for n in (0, 1)])

    def fisher(self, count=256):
        """Return the Fisher information of each cell for camera 1, float64 (64, 64)."""
        pictures, labels = self.examples(0, "train")
        return trials.fisher(self.model, pictures[:count], labels[:count])[0]

    def close(self):
        """Give up the playground in which it learns; the network stays as it is."""
        if self._playground is not None:
            self._playground.close()
            self._playground = None


def _network(room, seed):
    """Return the network, drawn alike whether or not there is a room, and its kernel."""
    first, last = (keras.initializers.HeNormal(seed=2 * seed + n) for n in (0, 1))
    options = dict(use_bias=False, kernel_initializer=first)
    hidden = keras.layers.Dense(UNITS, "relu", **options)
    options = dict(use_bias=False, kernel_initializer=last)
    outputs = keras.layers.Dense(10, trainable=False, **options)
    if room is None:
        shown = keras.Input((64,))
        return keras.Model(shown, outputs(hidden(shown))), hidden.kernel
    shown = keras.Input((65,))
    pixels, number = shown[:, :64], shown[:, 64:]
    # 1 for each unit that is used, and 0 for the others.
    used = keras.ops.maximum(number, np.asarray(room, "float32"))
    return keras.Model(shown, outputs(hidden(pixels) * used)), hidden.kernel
