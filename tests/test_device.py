"""TensorFlow's start: without a word, and on the best device."""

import subprocess
import sys

import nbformat
import pytest

from helpers import device
from helpers.device import tf
from helpers.tools import notebooks

NOTED = """
import builtins
from tensorflow.python.autograph.pyct import inspect_utils
alive = {id(each) for each in [*vars(builtins).values(), *device._BUILTINS]}
assert inspect_utils._BUILTIN_FUNCTION_IDS <= alive
"""


def run(code):
    """What a fresh Python, started in the repository, says while it runs `code`."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


@pytest.mark.thorough
def test_tensorflow_starts_without_a_word():
    result = run(
        "from helpers.studies import letters\n"
        "letters.pretrained()\n"  # on some processors TensorFlow has something to say to float64
        "raise SystemExit('the last word')\n"
    )
    assert result.stdout == "" and result.stderr.strip() == "the last word"


@pytest.mark.thorough
def test_what_tensorflow_takes_for_builtins_is_kept_in_a_notebook(from_nothing):
    cells = [nbformat.v4.new_code_cell(source) for source in ("from helpers import device", NOTED)]
    notebooks.execute(nbformat.v4.new_notebook(cells=cells))


def test_the_best_device_is_the_gpu_when_tensorflow_sees_one():
    assert device.place() == ("/GPU:0" if tf.config.list_physical_devices("GPU") else "/CPU:0")


@pytest.mark.parametrize("name", ["cpu", "CPU", "/CPU:0"])
def test_the_processor_can_always_be_had(name):
    assert device.place(name) == "/CPU:0" and device.describe(device.place(name)) == "CPU"


def test_a_placed_tensor_is_where_it_was_asked_to_be():
    with tf.device(device.place("cpu")):
        assert tf.constant(1).device.endswith("CPU:0")


@pytest.mark.parametrize("name", ["gpuu", "/CPU:7", "/TPU:0", "tensor", "", "0"])
def test_an_unknown_device_hears_which_there_are(name):
    with pytest.raises(ValueError) as refused:
        device.place(name)
    said = str(refused.value)
    assert repr(name) in said and "CPU:0" in said and '"cpu"' in said


@pytest.mark.skipif(bool(device.GPUS), reason="there is a GPU")
def test_without_a_gpu_one_cannot_be_asked_for():
    with pytest.raises(ValueError, match="TensorFlow sees"):
        device.place("gpu")


@pytest.mark.skipif(not device.GPUS, reason="needs a GPU that TensorFlow sees")
def test_a_gpu_is_named_and_leaves_room_for_others():
    assert device.place("gpu") == "/GPU:0" and device.describe("/GPU:0").startswith("GPU (")
    assert all(tf.config.experimental.get_memory_growth(gpu) for gpu in device.GPUS)


@pytest.mark.skipif(not device.GPUS, reason="needs a GPU that TensorFlow sees")
def test_it_is_not_too_late_where_tensorflow_runs_already():
    result = run(
        "import tensorflow as tf\n"
        "tf.constant(0) + 0\n"
        "from helpers import device\n"
        "print(device.place())\n"
    )
    assert result.stdout.strip() == "/GPU:0", result.stderr
