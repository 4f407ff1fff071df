"""Which line of the user's code a warning points at."""

import inspect
import os

import keras
import tensorflow as tf


def levels_up() -> int:
    """Return the `stacklevel` that makes a warning point at the line that called Keras or this
    folder."""
    libraries = (keras.__file__, tf.__file__, __file__)
    # With the separator: freezing_run.py beside this folder is the user's own.
    ours = tuple(os.path.join(os.path.dirname(os.path.abspath(path)), "") for path in libraries)
    frame, levels = inspect.currentframe(), 0
    while frame is not None and frame.f_code.co_filename.startswith(ours):
        frame, levels = frame.f_back, levels + 1
    return levels
