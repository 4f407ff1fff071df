"""A cell with a playground that is run again and again, in a real kernel: what its memory does."""

import os
import sys

import pytest
from jupyter_client.manager import run_kernel

from helpers import ROOT

RUNS, WARM, GROWTH = 50, 3, 1.1
RESIDENT = """
import pathlib, re
def resident():
    status = pathlib.Path("/proc/self/status").read_text()
    return int(re.search(r"VmRSS:\\s+(\\d+)", status)[1]) / 1024
"""
NETWORK = """
import keras
from helpers import datasets
from helpers.playground import Playground, tasks
images, labels = datasets.digits()
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
"""
OWN = """hidden = keras.layers.Dense(32, "relu")
model = keras.Sequential([keras.layers.Input((64,)), hidden, keras.layers.Dense(10)])
task = tasks.own(model, hidden.kernel, images, labels, loss)
lab = Playground(task, technique="exact")
"""
CELLS = {
    "the digits": 'lab = Playground("digits", technique="exact")\n',
    "a fresh model": OWN,
}
USE = "lab.paint(slice(0, 3), slice(0, 5))\nlab.train(20)\nlab"


@pytest.fixture
def kernel(from_nothing):
    """A function that runs code in a kernel of its own, and returns what an expression is then.

    A forked one holds less from the start, of which its growth would be a larger part."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with run_kernel(kernel_name="python3", env=environment) as client:

        def run(code, expression="0"):
            asked = {"value": expression}
            reply = client.execute_interactive(
                code, user_expressions=asked, output_hook=lambda _: None, timeout=120
            )
            content = reply["content"]
            assert content["status"] == "ok", "\n".join(content.get("traceback", []))
            return eval(content["user_expressions"]["value"]["data"]["text/plain"])

        run(RESIDENT + NETWORK)
        yield run


@pytest.mark.thorough
@pytest.mark.timeout(900)
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what a process holds")
@pytest.mark.parametrize("cell", CELLS)
def test_a_cell_that_runs_fifty_times_takes_no_more_memory(kernel, cell):
    megabytes = [kernel(CELLS[cell] + USE, "resident()") for _ in range(RUNS)]
    print(cell, [round(each) for each in megabytes])
    assert max(megabytes[WARM:]) <= GROWTH * megabytes[WARM - 1]
