"""Frozen cells on several replicas of one machine: a script that reports in lines of JSON.

  python -m helpers.studies.replicas --frozen "[[1, 0], [0, 1]]"

A process of its own, since a CPU can be split into logical devices only before TensorFlow starts.
Three stand in for three GPUs here. Each function is one experiment and returns its findings.
"""

import argparse
import functools
import json
import sys

import keras
import numpy as np
import tensorflow as tf

from helpers import bits, datasets
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
    """Return the MirroredStrategy over the first `count` logical devices, made once for each count.

    Seen with TensorFlow 2.21: the first sum of gradients in a second strategy on the same two
    devices has the number of the first one's ("Shape mismatch in the collective instance 100"), and
    the step fails unless the shapes are equal, too.
    """
    return tf.distribute.MirroredStrategy([f"CPU:{number}" for number in range(count)])


def own_numbers(shape=SHAPE):
    """Noise that differs from replica to replica."""
    context = tf.distribute.get_replica_context()
    return tf.random.stateless_normal(shape, [context.replica_id_in_sync_group, 0])


def copies(strategy, variable):
    """Return the variable's copy on each replica, as one array (replicas, rows, columns)."""
    return np.array([copy.numpy() for copy in strategy.experimental_local_results(variable.value)])


def exact_freeze(painted):
    """Freeze the painted cells for 20 steps of AdamW, then all the others in their stead.

    `painted` is bool (rows, columns). Returns two lists (phases, replicas, rows, columns) of 0 and
    1, the masks that the replicas hold (1 = frozen) and the cells that changed, and "differing":
    the number of cells in which the two kernels differ at the end.
    """
    pair = mirrored(2)
    with pair.scope():
        kernel = keras.Variable(tf.ones(painted.shape))
        adamw = freezable(keras.optimizers.AdamW)(0.01)
        adamw.build([kernel])

    @tf.function
    def step():
        adamw.apply([own_numbers(painted.shape) / 2], [kernel])

    found = {"masks": [], "changed": []}
    for frozen in (painted, ~painted):
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


# Its own tape, for gradients of several batches and replicas are added up before one step.
def accumulating(strategy, model, optimizer, batches_per_step):
    """Return `add_up(inputs, labels)` and `take_step()`, both to be called by `strategy.run`.

    `model` and `optimizer` were made in the strategy's scope. All batches are equally large, and
    shared out equally.
    """
    variables = model.trainable_variables
    with strategy.scope():
        optimizer.build(variables)
        sums = [keras.Variable(tf.zeros(v.shape), trainable=False) for v in variables]

    @tf.function
    def add_up(inputs, labels):
        with tf.GradientTape() as tape:
            logits = model(inputs, training=True)
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
            # A mean over all batches of a step and all replicas, for Keras adds gradients up.
            loss = tf.reduce_mean(losses) / batches_per_step / strategy.num_replicas_in_sync
        for total, gradient in zip(sums, tape.gradient(loss, variables)):
            total.assign_add(gradient)

    @tf.function
    def take_step():
        optimizer.apply([total.value for total in sums], variables)
        for total in sums:
            total.assign(tf.zeros(total.shape))

    return add_up, take_step


def accumulated():
    """Four batches make a step of a freezable AdamW on two replicas, six times.

    Half of the kernel is frozen after the first step. Returns the number of frozen and of free
    cells that changed since, of cells that differ between the copies, and of steps counted.
    """
    pair = mirrored(2)
    with pair.scope():
        dense = keras.layers.Dense(10)
        model = keras.Sequential([keras.Input((64,)), dense])
        adamw = freezable(keras.optimizers.AdamW)(0.01)
    add_up, take_step = accumulating(pair, model, adamw, 4)
    frozen = np.arange(640).reshape(SHAPE) % 2 == 0
    batches = tf.data.Dataset.from_tensor_slices(datasets.digits()).batch(64).take(24)
    for number, batch in enumerate(pair.experimental_distribute_dataset(batches), 1):
        pair.run(add_up, args=batch)
        if number % 4 == 0:
            pair.run(take_step)
        if number == 4:
            adamw.freeze_cells(dense.kernel, frozen)
            before = copies(pair, dense.kernel)
    return [*counts(before, copies(pair, dense.kernel), frozen), int(adamw.iterations.numpy())]


def accumulated_by_keras():
    """Do the same by `gradient_accumulation_steps`, with Keras' own AdamW; return what happened."""
    pair = mirrored(2)
    with pair.scope():
        kernel = keras.Variable(tf.ones(SHAPE))
        adamw = keras.optimizers.AdamW(0.01, gradient_accumulation_steps=4)
        adamw.build([kernel])

    @tf.function
    def step():
        adamw.apply([own_numbers()], [kernel])

    return outcome(lambda: pair.run(step))


def scatter():
    """Try `scatter_nd_update` on a mirrored variable inside of `run`; returns what happened."""
    pair = mirrored(2)
    with pair.scope():
        cells = tf.Variable(tf.zeros(SHAPE))
    return outcome(lambda: pair.run(lambda: cells.scatter_nd_update([[0, 0]], [1.0])))


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
    frozen = np.arange(640).reshape(64, 10) % 2 == 0
    adamw.freeze_cells(dense.kernel, frozen)
    before = copies(pair, dense.kernel)
    images = np.random.default_rng(0).normal(size=(128, 64)).astype("float32")
    model.fit(images, np.arange(128) % 10, batch_size=32, epochs=5, verbose=0)
    return counts(before, copies(pair, dense.kernel), frozen)


def counts(before, after, frozen):
    """Return how many frozen and free cells changed, on both replicas, and how many differ between
    them.

    `before` and `after` are copies (2, rows, columns), and `frozen` is bool (rows, columns).
    """
    changed = bits.changed_bits(before, after)
    found = changed[:, frozen].sum(), changed[:, ~frozen].sum(), bits.changed_bits(*after).sum()
    return [int(count) for count in found]


def outcome(attempt):
    """Call `attempt`, and return the name of the error that it ended with, or "no error"."""
    try:
        attempt()
    except Exception as problem:
        return type(problem).__name__
    return "no error"


OTHERS = (assign_the_mean, a_mask_each, model_fit, accumulated, accumulated_by_keras, scatter)


def main(argv):
    """Run every experiment, and print one line of JSON for each."""
    parser = argparse.ArgumentParser("python -m helpers.studies.replicas", description=__doc__)
    parser.add_argument("--frozen", default="[[1, 0], [0, 1]]", help="a mask as rows of 0 and 1")
    painted = np.array(json.loads(parser.parse_args(argv).frozen), bool)
    split_the_processor()
    report("exact_freeze", exact_freeze(painted))
    for experiment in OTHERS:
        report(experiment.__name__, experiment())
    return 0


def report(experiment, found):
    """Print what an experiment has found, as a line of JSON."""
    print(json.dumps({"experiment": experiment, "found": found}), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
