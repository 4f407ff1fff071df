"""Two replicas under MirroredStrategy, in processes of their own."""

import subprocess
import sys

import pytest

from helpers import ROOT

MIRRORED = """
import numpy as np
import tensorflow as tf
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
import keras
from helpers.freezing import freezable
from tests.freezing.networks import INPUTS, TARGETS, network, odd_rows
from tests.freezing.test_compact_fit import network as unconstrained
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
K = keras.optimizers
# Batches that are fetched to a device ahead of time crash TensorFlow 2.21 in one fit of a thousand,
# when their iterator is given up (a segmentation fault; nothing of the freeze takes part in it).
late = tf.distribute.InputOptions(experimental_fetch_to_device=False)
batches = tf.data.Dataset.from_tensor_slices((INPUTS, TARGETS)).batch(8)
batches = strategy.experimental_distribute_dataset(batches, late)
for make in (
    lambda: freezable(K.SGD)(0.01, momentum=0.9),
    lambda: freezable(K.AdamW)(0.01, global_clipnorm=1.0),
    lambda: freezable(K.Adam)(0.01, use_ema=True, ema_momentum=0.5),
    lambda: freezable(K.Lamb)(0.01),
    lambda: freezable(K.LossScaleOptimizer)(K.Adam(0.01), initial_scale=8.0),
):
    with strategy.scope():
        optimizer = make()
        model, kernel = network(optimizer)
    model.fit(batches, verbose=0)
    frozen = odd_rows(kernel)
    for wanted in (frozen, ~frozen):
        optimizer.freeze_cells(kernel, wanted)
        local = strategy.experimental_local_results
        copies = lambda: [np.array(copy) for copy in local(kernel.value)]
        masks = local(optimizer.registry.cells[0].mask)
        assert len(masks) == 2 and all((mask.numpy() == wanted).all() for mask in masks)
        before = copies()
        model.fit(batches, epochs=2, verbose=0)
        for old, new in zip(before, copies(), strict=True):
            assert ((old != new) == ~wanted).all(), type(optimizer)
    print("EXACT", type(optimizer).__name__)

for options in ({}, {"global_clipnorm": 1.0}, {"use_ema": True, "ema_momentum": 0.5}):
    with strategy.scope():
        optimizer = freezable(K.AdamW, compact=True)(0.01, **options)
        model, kernel = unconstrained(optimizer)
    for wanted in (frozen, ~frozen):
        optimizer.freeze_cells(kernel, wanted)
        before = copies()
        model.fit(batches, epochs=2, verbose=0)
        for old, new in zip(before, copies(), strict=True):
            assert ((old != new) == ~wanted).all(), options
        assert (copies()[0] == copies()[1]).all()
    print("EXACT", type(optimizer).__name__)
"""


@pytest.mark.thorough
def test_two_replicas():
    command = [sys.executable, "-c", MIRRORED]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert ran.stdout.count("EXACT") == 8, ran.stdout


A_TABLE = """
import numpy as np
import tensorflow as tf
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
import keras
from helpers.freezing import freezable
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
draw = np.random.default_rng(0)
words, labels = draw.integers(0, 7, (256, 5)), draw.integers(0, 3, 256)
frozen = np.arange(9)[:, None] * np.ones((1, 4), int) < 3
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
with strategy.scope():
    table = keras.layers.Embedding(9, 4)
    parts = [keras.Input((5,)), table, keras.layers.Flatten(), keras.layers.Dense(3)]
    model = keras.Sequential(parts)
    adamw = freezable(keras.optimizers.AdamW)(0.01)
    model.compile(adamw, loss)
    adamw.build(model.trainable_variables)
    sums = [keras.Variable(tf.zeros(v.shape), trainable=False) for v in model.trainable_variables]

@tf.function
def add_up(words, labels):
    with tf.GradientTape() as tape:
        mean = loss(labels, model(words)) / 8  # four batches, two replicas
    for total, gradient in zip(sums, tape.gradient(mean, model.trainable_variables)):
        total.assign_add(gradient)

@tf.function
def take_step():
    adamw.apply([total.value for total in sums], model.trainable_variables)
    for total in sums:
        total.assign(tf.zeros(total.shape))

batches = tf.data.Dataset.from_tensor_slices((words, labels)).batch(32)
late = tf.distribute.InputOptions(experimental_fetch_to_device=False)  # as above
batches = strategy.experimental_distribute_dataset(batches, late)
copies = lambda: np.array([
    copy.numpy() for copy in strategy.experimental_local_results(table.embeddings.value)
])
adamw.freeze_cells(table.embeddings, frozen)
for by_hand in (True, False):
    before = copies()
    if by_hand:
        for number, batch in enumerate(batches, 1):
            strategy.run(add_up, args=batch)
            if number % 4 == 0:
                strategy.run(take_step)
    else:
        model.fit(batches, verbose=0)
    assert ((before != copies()) == ~frozen).all() and (copies()[0] == copies()[1]).all()
    print("EXACT")
"""


@pytest.mark.thorough
def test_a_tables_rows_stay_by_hand_and_by_fit_though_its_gradient_holds_some_rows_alone():
    command = [sys.executable, "-c", A_TABLE]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert ran.stdout.count("EXACT") == 2, ran.stdout
