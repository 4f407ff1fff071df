"""What several test files share."""

import contextlib
import os
import signal
import threading
import time

import pytest
from hypothesis import settings

pytest_plugins = [
    *("tests.suite", "tests.progress", "tests.memory", "tests.jupyter", "tests.kernels"),
    *("tests.node", "tests.home", "tests.fetched"),
]

# No deadline: a slow machine is no failure. Where a failure must come back, cases are not drawn.
settings.register_profile("course", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("course")


def _trainers():
    return [thread for thread in threading.enumerate() if thread.name == "freezing-trainer"]


@pytest.fixture
def trainers():
    """A function that lists the training threads that this test has left running."""
    before = set(_trainers())
    return lambda: [thread for thread in _trainers() if thread not in before]


@pytest.fixture
def interruptible():
    """An interrupt raises KeyboardInterrupt, even where a script has had it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def closed_later():
    """A function that returns what it is given, and closes it when the test is over."""
    with contextlib.ExitStack() as stack:
        yield lambda one: stack.enter_context(contextlib.closing(one))


@pytest.fixture
def playground(closed_later):
    """Playground(device="cpu", …), closed when the test is over."""
    from helpers.playground import Playground

    def make(*positional, **named):
        return closed_later(Playground(*positional, **{"device": "cpu", **named}))

    return make


@pytest.fixture(scope="session")
def until():
    """A function that waits for what is sure to come; the limit turns a hang into a failure."""

    def wait(condition, seconds=30):
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, "it never came"
            time.sleep(0.002)

    return wait
