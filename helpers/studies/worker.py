"""One worker of a cluster: trains with frozen cells under MultiWorkerMirroredStrategy, and reports.

  TF_CONFIG='{"cluster": {"worker": ["host0:2222", "host1:2222"]}, "task": {"type": "worker",
  "index": 0}}' python -m helpers.studies.worker --steps 100

The same line on every machine, each with its own index; `cluster.py` starts it twice on one. Every
worker draws its own batches of digits; the gradients are summed over all of them. Half of the
kernel is frozen at the start, and the other half in its place after half of the steps.
"""

import argparse
import hashlib
import json
import sys

from helpers import bits, datasets, masks
from helpers.device import keras, tf
from helpers.freezing import freezable
from helpers.model_trainer import ModelTrainer
from helpers.networks import cross_entropy
from helpers.optimizers import optimizer_class

BATCH = 32


def main(argv):
    """Train, and print one line of JSON when half of the steps are over and one at the end."""
    parser = argparse.ArgumentParser("python -m helpers.studies.worker", description=__doc__)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--optimizer", default="AdamW", help="a Keras class")
    arguments = parser.parse_args(argv)
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    train = _trainer(strategy, optimizer_class(arguments.optimizer))
    first = masks.random((64, 10), 0.5, 0)
    for frozen, steps in ((first, arguments.steps // 2), (~first, -(-arguments.steps // 2))):
        report = train(frozen, steps)
        worker = strategy.cluster_resolver.task_id
        print(json.dumps({"worker": worker, **report}), flush=True)
    return 0


def _trainer(strategy, cls):
    """Return train(frozen, steps), which reports; the mask changes without a new trace."""

    def loss(labels, logits):  # its gradients are added up over the replicas
        return cross_entropy(labels, logits) / strategy.num_replicas_in_sync

    with strategy.scope():
        dense = keras.layers.Dense(10, kernel_initializer=keras.initializers.GlorotUniform(0))
        model = keras.Sequential([keras.layers.Input((64,)), dense])
        optimizer = freezable(cls)(0.01)
        trainer = ModelTrainer(model, optimizer, loss)
    batches = iter(strategy.distribute_datasets_from_function(_batches))
    kernel = dense.kernel

    @tf.function
    def step():
        strategy.run(trainer.step, args=next(batches))

    def train(frozen, steps):
        optimizer.freeze_cells(kernel, frozen)
        before = kernel.numpy()
        for _ in range(steps):
            step()
        changed = bits.changed_bits(before, kernel.numpy())
        return {
            "steps": int(optimizer.iterations.numpy()),
            "frozen": int(frozen.sum()),
            "frozen changed": int(changed[frozen].sum()),
            "free changed": int(changed[~frozen].sum()),
            "mask": _digest(optimizer.frozen_cells(kernel).numpy()),
            "weights": _digest(kernel.numpy()),
            "frozen weights": _digest(kernel.numpy()[frozen]),
            "traces": step.experimental_get_tracing_count(),
        }

    return train


def _batches(context):
    """Batches of digits; each worker draws in an order of its own."""
    data = tf.data.Dataset.from_tensor_slices(datasets.digits())
    shuffled = data.shuffle(1797, seed=context.input_pipeline_id)
    return shuffled.repeat().batch(BATCH, drop_remainder=True)


def _digest(array):
    """Return a short name of an array's bytes: equal names, equal bits."""
    return hashlib.sha256(array.tobytes()).hexdigest()[:12]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
