"""What several tests of the playground share; TensorFlow is imported only where it is used."""

import contextlib
import dataclasses
import threading
import types

import numpy as np
import pytest

from tests.playground.hands import Hands


class Watch:
    """Notes which locks are taken while which others are held, and what breaks the `order`."""

    def __init__(self, order):
        self._rank = order.index
        self.taken, self.broken = set(), []  # pairs of names, the one held first; sentences
        self._here = threading.local()

    @property
    def held(self):
        """The locks that this thread holds, the first one taken first."""
        if not hasattr(self._here, "held"):
            self._here.held = []
        return self._here.held

    def note(self, lock):
        """Raise AssertionError if the order forbids this thread to take `lock` now."""
        if lock in self.held:
            return
        for other in self.held:
            self.taken.add((other.name, lock.name))
            if self._rank(other.name) >= self._rank(lock.name):
                name = threading.current_thread().name
                self.broken.append(f"{lock.name!r} was taken under {other.name!r} by {name}")
                raise AssertionError(self.broken[-1])


class WatchedLock:
    """A lock that tells a Watch before it is taken."""

    def __init__(self, lock, name, watch):
        self._lock, self.name, self._watch = lock, name, watch

    def acquire(self, blocking=True, timeout=-1):
        """Take the lock, if the order allows it."""
        self._watch.note(self)
        taken = self._lock.acquire(blocking, timeout)
        if taken:
            self._watch.held.append(self)
        return taken

    def release(self):
        """Let the lock go."""
        self._lock.release()
        self._watch.held.remove(self)

    __enter__ = acquire

    def __exit__(self, *_):
        self.release()

    def __getattr__(self, name):
        """What a threading.Condition needs beside these; it waits without holding the lock."""
        return getattr(self._lock, name)


@pytest.fixture
def watched_locks(monkeypatch):
    """Every lock made during this test is watched; one taken out of order fails it, also where the
    thread or the widget has caught the exception. Gives the Watch."""
    from helpers.playground import locks

    watch, make = Watch(locks.ORDER), locks.make
    monkeypatch.setattr(locks, "make", lambda name: WatchedLock(make(name), name, watch))
    yield watch
    assert watch.broken == []


@pytest.fixture
def lab(playground):
    """A playground over the small task, under plain Adam."""
    from tests.playground.small import small

    return playground(task=small())


@pytest.fixture
def spoilt():
    """A function that returns a task whose inputs turn into `bad` at one step."""
    from helpers.device import tf

    def spoil(task, step, bad=float("nan")):
        def batch(number):
            inputs, targets = task.batch(number)
            return tf.where(number == step, bad, inputs), targets

        return dataclasses.replace(task, batch=batch)

    return spoil


@pytest.fixture
def own_task():
    """A function that makes a task of one's own convolution network; a filter is the grid."""
    from helpers import datasets
    from helpers.device import keras
    from helpers.playground import tasks

    def make(cells=np.s_[:, :, 0, 0], loss=None, seed=0):
        layers = [
            keras.layers.Input((8, 8, 1)),
            keras.layers.Conv2D(4, 3, kernel_initializer=keras.initializers.GlorotUniform(seed)),
            keras.layers.Flatten(),
            keras.layers.Dense(10, kernel_initializer=keras.initializers.GlorotUniform(seed)),
        ]
        model = keras.Sequential(layers)
        images, labels = datasets.digits()
        loss = loss or keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        kernel = model.layers[0].kernel
        return tasks.own(model, kernel, images.reshape(-1, 8, 8, 1), labels, loss, cells)

    return make


@pytest.fixture
def stopped_clock(monkeypatch):
    """A function that stops the clock of a module, and returns what has its time, as `now`."""

    def stop(module):
        clock = types.SimpleNamespace(now=1000.0)
        monkeypatch.setattr(module, "time", types.SimpleNamespace(perf_counter=lambda: clock.now))
        return clock

    return stop


@pytest.fixture
def half():
    """A mask over the small task, every other cell frozen."""
    return np.indices((12, 12)).sum(0) % 2 == 0


@pytest.fixture
def busy():
    """A context in which a playground's thread is busy, and what it is asked for has to queue."""

    @contextlib.contextmanager
    def keep(lab):
        begun, done = threading.Event(), threading.Event()

        def wait():
            begun.set()
            done.wait()

        threading.Thread(target=lab.session.trainer.do, args=(wait,)).start()
        begun.wait()
        try:
            yield done
        finally:
            done.set()

    return keep


@pytest.fixture
def show(notebook):
    """Run the cell of a playground, and return what a person would do with it."""

    def shown(call="Playground(technique='restore')", **context):
        notebook.show(1, f"lab = {call}\nlab")
        return Hands(notebook)

    yield shown
    notebook.python("lab.close()")
