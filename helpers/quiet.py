"""A start of TensorFlow without a word.

It writes a dozen lines to standard error as it starts, below Python, where no setting silences
them: so the descriptor itself is turned away.
"""

import contextlib
import os
import sys

# Later it warns, on some processors at every other step, of what no reader can do anything about,
# such as "Not handling type DT_DOUBLE". 2: errors alone.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")


@contextlib.contextmanager
def quiet():
    """Turn file descriptor 2 away while native code starts up; Python errors still raise."""
    sys.stderr.flush()
    descriptor = os.dup(2)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(descriptor, 2)
        os.close(descriptor)
