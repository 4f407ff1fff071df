"""Frozen cells on several replicas of one machine: a script that reports in lines of JSON.

  python -m helpers.studies.replicas

A process of its own, since a CPU can be split into logical devices only before TensorFlow starts.
Three stand in for three GPUs here. Each function is one experiment and returns its findings.
"""

import functools
import json
import sys

import keras
import numpy as np
import tensorflow as tf

from helpers import bits
from helpers.freezing import freezable

SHAPE = (64, 10)


def split_the_processor(count=3):
    """Make `count` logical devices of one CPU, and hide the GPUs."""
    tf.config.set_visible_devices([], "GPU")
    cpu = tf.config.list_physical_devices("CPU")[0]
    parts = [tf.config.LogicalDeviceConfiguration() for _ in range(count)]
    tf.config.set_logical_device_configuration(cpu, parts)


@functools.cache
def mirrored(count):
    """The MirroredStrategy over the first `count` logical devices.

    One for each count: two strategies on the same devices number their sums alike, and TensorFlow
    takes a sum for one that it has met with another shape.
    """
    return tf.distribute.MirroredStrategy([f"CPU:{number}" for number in range(count)])


def own_numbers():
    """Noise (64, 10) that differs from replica to replica."""
    context = tf.distribute.get_replica_context()
    return tf.random.stateless_normal(SHAPE, [context.replica_id_in_sync_group, 0])


def copies(strategy, variable):
    """The variable's copy on each replica, as one array (replicas, 64, 10)."""
    return np.array([copy.numpy() for copy in strategy.experimental_local_results(variable.value)])


def exact_freeze():
    """Every other cell is frozen for 20 steps of AdamW, then the rest in their stead.

    Returns two lists (phases, replicas, 64, 10) of 0 and 1, the masks (1 = frozen) and the cells
    that changed, and "differing": cells in which the two kernels differ at the end.
    """
    pair = mirrored(2)
    with pair.scope():
        kernel = keras.Variable(tf.ones(SHAPE))
        adamw = freezable(keras.optimizers.AdamW)(0.01)
        adamw.build([kernel])

    @tf.function
    def step():
        adamw.apply([own_numbers() / 2], [kernel])

    half = np.arange(640).reshape(SHAPE) % 2 == 0
    found = {"masks": [], "changed": []}
    for frozen in (half, ~half):
        adamw.freeze_cells(kernel, frozen)
        before = copies(pair, kernel)
        for _ in range(20):
            pair.run(step)
        masks = pair.experimental_local_results(pair.run(lambda: adamw.frozen_cells(kernel)))
        changed = bits.changed_bits(before, copies(pair, kernel))
        found["masks"].append([mask.numpy().astype(int).tolist() for mask in masks])
        found["changed"].append(changed.astype(int).tolist())
    found["differing"] = int(bits.changed_bits(*copies(pair, kernel)).sum())
    return found


def assign_the_mean():
    """Every replica writes back what it has read, and TensorFlow takes the mean.

    Returns how many of 1,000 cells changed with one, two and three replicas.
    """
    held = np.random.default_rng(0).normal(size=1000).astype("float32")
    found = []
    for count in (1, 2, 3):
        strategy = mirrored(count)
        with strategy.scope():
            cells = tf.Variable(held, aggregation=tf.VariableAggregation.MEAN)
        strategy.run(lambda cells=cells: cells.assign(cells.read_value()))
        found.append(int(bits.changed_bits(held, cells.numpy()).sum()))
    return found


def a_mask_each():
    """Every replica restores by a mask made from its own gradient.

    Returns the cells (64, 10) in which the two copies differ afterwards, as 0 and 1.
    """
    pair = mirrored(2)
    with pair.scope():
        kernel = keras.Variable(tf.zeros(SHAPE))

    @tf.function
    def restore():
        kernel.assign(tf.where(own_numbers() > 0, 1.0, kernel))

    pair.run(restore)
    return bits.changed_bits(*copies(pair, kernel)).astype(int).tolist()


def scatter():
    """Try `scatter_nd_update` on a mirrored variable inside of `run`; returns what happened."""
    pair = mirrored(2)
    with pair.scope():
        cells = tf.Variable(tf.zeros(SHAPE))
    try:
        pair.run(lambda: cells.scatter_nd_update([[0, 0]], [1.0]))
    except Exception as problem:
        return type(problem).__name__
    return "no error"


def model_fit():
    """`model.fit` on two replicas with half of a kernel frozen.

    Returns the number of frozen and of free cells that changed, and of cells that differ.
    """
    pair = mirrored(2)
    with pair.scope():
        dense = keras.layers.Dense(10)
        model = keras.Sequential([keras.layers.Input((64,)), dense])
        adamw = freezable(keras.optimizers.AdamW)(0.01)
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(adamw, loss)
        adamw.build(model.trainable_variables)
    frozen = np.arange(640).reshape(SHAPE) % 2 == 0
    adamw.freeze_cells(dense.kernel, frozen)
    before = copies(pair, dense.kernel)
    images = np.random.default_rng(0).normal(size=(128, 64)).astype("float32")
    model.fit(images, np.arange(128) % 10, batch_size=32, epochs=5, verbose=0)
    after = copies(pair, dense.kernel)
    changed = bits.changed_bits(before, after)
    counts = changed[:, frozen].sum(), changed[:, ~frozen].sum(), bits.changed_bits(*after).sum()
    return [int(count) for count in counts]


EXPERIMENTS = (exact_freeze, assign_the_mean, a_mask_each, model_fit, scatter)


def main():
    """Run every experiment, and print one line of JSON for each."""
    split_the_processor()
    for experiment in EXPERIMENTS:
        print(json.dumps({"experiment": experiment.__name__, "found": experiment()}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
