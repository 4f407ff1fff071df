"""TensorFlow, started quietly, on the GPU when it sees one.

Import `tf` and `keras` from here first, for they start with the first operation. What has to be
set before that, such as the number of logical devices, is set by whoever imports TensorFlow within
`quiet` first.
"""

import builtins
import contextlib

from helpers import room
from helpers.quiet import quiet

room.check()

with quiet():
    import keras
    import tensorflow as tf

    GPUS = tf.config.list_physical_devices("GPU")
    # Without growth, one notebook takes the whole card and the next finds none left. Where
    # TensorFlow runs already, it is too late to ask for it.
    with contextlib.suppress(RuntimeError):
        for _gpu in GPUS:
            tf.config.experimental.set_memory_growth(_gpu, True)
    tf.constant(0) + 0  # the first operation starts the runtime, and its messages, here

# While TensorFlow is imported it notes the addresses of all builtins, and leaves whatever has one
# unconverted. In a notebook `input` is a method of that cell's run: were it not kept, another
# method could get its address, and a `while` over a tensor would stop a page now and then.
_BUILTINS = list(vars(builtins).values())

__all__ = ["GPUS", "describe", "keras", "place", "tf"]


def place(device=None):
    """Return the TensorFlow device to train on: "/GPU:0" when there is one, else "/CPU:0".

    `device` overrides: "cpu", "gpu" or a TensorFlow name such as "/GPU:1". Raises ValueError
    when a GPU is asked for and TensorFlow sees none.
    """
    if device is None:
        return "/GPU:0" if GPUS else "/CPU:0"
    name = {"cpu": "/CPU:0", "gpu": "/GPU:0"}.get(str(device).lower(), str(device))
    known = [d.name.replace("device:", "") for d in tf.config.list_logical_devices()]
    if name.replace("device:", "") not in known:
        raise ValueError(
            f"The device {device!r} arrived; TensorFlow sees {', '.join(known)}. "
            'Leave it out to take the best one, or pass "cpu".'
        )
    return name


def describe(device):
    """Say in a few words what `device`, as given by `place`, is."""
    if "GPU" in device and GPUS:
        details = tf.config.experimental.get_device_details(GPUS[int(device.rsplit(":", 1)[1])])
        return f"GPU ({details.get('device_name', 'unnamed')})"
    return "CPU"
