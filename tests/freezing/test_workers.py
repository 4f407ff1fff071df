"""Two workers under MultiWorkerMirroredStrategy, joined over loopback, each in its own process."""

import contextlib
import json
import os
import socket
import subprocess
import sys

import pytest

from helpers import ROOT

pytestmark = pytest.mark.thorough

# The workers share no memory: each has a kernel, an optimizer and a mask of its own, and draws its
# own batches. Half of the kernel is frozen, and after 30 steps the other half in its place.
WORKER = """
import hashlib, json
import numpy as np
import tensorflow as tf
strategy = tf.distribute.MultiWorkerMirroredStrategy()  # before anything else of TensorFlow
import keras
from helpers.freezing import freezable
worker = strategy.cluster_resolver.task_id
with strategy.scope():
    dense = keras.layers.Dense(10, kernel_initializer=keras.initializers.GlorotUniform(0))
    model = keras.Sequential([keras.Input((64,)), dense])
    optimizer = freezable(keras.optimizers.AdamW)(0.01)
    optimizer.build(model.trainable_variables)

def replica(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2) / strategy.num_replicas_in_sync
    variables = model.trainable_variables
    optimizer.apply(tape.gradient(loss, variables), variables)

def batches(context):
    x = np.random.default_rng(context.input_pipeline_id).normal(size=(256, 64)).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, x[:, :10])).repeat().batch(32)

batches = iter(strategy.distribute_datasets_from_function(batches))

@tf.function
def step():
    strategy.run(replica, args=next(batches))

digest = lambda array: hashlib.sha256(array.tobytes()).hexdigest()
half = np.random.default_rng(0).random((64, 10)) < 0.5
for frozen in (half, ~half):
    optimizer.freeze_cells(dense.kernel, frozen)
    before = dense.kernel.numpy()
    for _ in range(30):
        step()
    changed = before.view("uint32") != dense.kernel.numpy().view("uint32")
    print(json.dumps({
        "exact": bool((changed == ~frozen).all()),
        "mask": digest(optimizer.frozen_cells(dense.kernel).numpy()),
        "kernel": digest(dense.kernel.numpy()),
        "traces": step.experimental_get_tracing_count(),
    }))
"""


def free_addresses(count):
    """Addresses on loopback that nobody listens on; held together, so that no two are equal."""
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [f"127.0.0.1:{probe.getsockname()[1]}" for probe in probes]


def start(addresses, index):
    """Start one worker of a cluster at these addresses."""
    cluster = {"cluster": {"worker": addresses}, "task": {"type": "worker", "index": index}}
    settings = os.environ | {"TF_CONFIG": json.dumps(cluster), "CUDA_VISIBLE_DEVICES": "-1"}
    pipes = dict(stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return subprocess.Popen([sys.executable, "-c", WORKER], cwd=ROOT, env=settings, **pipes)


@pytest.fixture(scope="module")
def reports():
    """What each of two workers says after each of its halves."""
    addresses = free_addresses(2)
    with contextlib.ExitStack() as stack:
        workers = [stack.enter_context(start(addresses, index)) for index in (0, 1)]
        for worker in workers:  # without the other, one would wait for ever
            stack.callback(worker.kill)
        said = [worker.communicate(timeout=240) for worker in workers]
    for worker, (_, errors) in zip(workers, said):
        assert worker.returncode == 0, errors[-2000:]
    return [[json.loads(line) for line in out.splitlines() if line[:1] == "{"] for out, _ in said]


def test_frozen_cells_keep_their_bits_on_both_and_every_free_cell_moves(reports):
    assert [[half["exact"] for half in worker] for worker in reports] == [[True] * 2] * 2


def test_masks_and_kernels_are_equal_on_both_and_change_half_way_without_a_trace(reports):
    assert reports[0] == reports[1]
    first, second = reports[0]
    assert first["mask"] != second["mask"] and first["traces"] == second["traces"] == 1
