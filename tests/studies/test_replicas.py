"""The script of replicas: what it finds on logical devices, in a process of its own."""

import json
import subprocess
import sys

import numpy as np
import pytest

from helpers import ROOT

PAINTED = [[1, 0, 0], [1, 1, 0]]


@pytest.fixture(scope="module")
def found():
    command = [sys.executable, "-m", "helpers.studies.replicas", "--frozen", json.dumps(PAINTED)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr[-1000:]
    lines = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
    return {line["experiment"]: line["found"] for line in lines}


def test_on_both_replicas_the_masks_are_equal_and_exactly_the_free_cells_move(found):
    masks, changed = (np.array(found["exact_freeze"][name]) for name in ("masks", "changed"))
    assert (masks[:, 0] == masks[:, 1]).all()
    assert masks[0, 0].tolist() == PAINTED
    assert (masks[0] != masks[1]).all()
    assert (changed == 1 - masks).all()
    assert found["exact_freeze"]["differing"] == 0


def test_the_mean_of_three_equal_numbers_is_rounded_and_of_two_is_not(found):
    one, two, three = found["assign_the_mean"]
    assert one == two == 0 and three > 50


def test_a_mask_for_each_replica_parts_the_copies(found):
    assert np.sum(found["a_mask_each"]) > 200


def test_fit_keeps_frozen_cells_and_the_copies_equal(found):
    frozen, free, differing = found["model_fit"]
    assert frozen == differing == 0 and free == 640


def test_accumulating_by_hand_is_exact_and_keras_own_way_is_not_possible_on_replicas(found):
    """If the last line fails, Keras has learnt it: tell the readers of notebook 17."""
    frozen, free, differing, steps = found["accumulated"]
    assert frozen == differing == 0 and free == 640 and steps == 6
    assert found["accumulated_by_keras"] == "RuntimeError"


def test_scattering_by_hand_is_refused(found):
    assert found["scatter"] == "NotImplementedError"


A_TABLE = """
from helpers.studies import replicas
replicas.split_the_processor()
import numpy as np
import keras
import tensorflow as tf
from helpers.freezing import freezable

pair = replicas.mirrored(2)
draw = np.random.default_rng(0)
words, labels = draw.integers(0, 7, (256, 5)), draw.integers(0, 3, 256)
frozen = np.arange(9)[:, None] * np.ones((1, 4), int) < 3
for by_hand in (True, False):
    with pair.scope():
        table = keras.layers.Embedding(9, 4)
        parts = [keras.Input((5,)), table, keras.layers.Flatten(), keras.layers.Dense(3)]
        model = keras.Sequential(parts)
        adamw = freezable(keras.optimizers.AdamW)(0.01)
        model.compile(adamw, keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    add_up, take_step = replicas.accumulating(pair, model, adamw, 4)
    before = replicas.copies(pair, table.embeddings)
    adamw.freeze_cells(table.embeddings, frozen)
    batches = tf.data.Dataset.from_tensor_slices((words, labels)).batch(32)
    if by_hand:
        for number, batch in enumerate(pair.experimental_distribute_dataset(batches), 1):
            pair.run(add_up, args=batch)
            if number % 4 == 0:
                pair.run(take_step)
    else:
        model.fit(batches, verbose=0)
    print(replicas.counts(before, replicas.copies(pair, table.embeddings), frozen))
"""


@pytest.mark.thorough
def test_a_tables_rows_stay_by_hand_and_by_fit_though_its_gradient_holds_some_rows_alone():
    ran = subprocess.run(
        [sys.executable, "-c", A_TABLE], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert ran.returncode == 0, ran.stderr[-1000:]
    assert ran.stdout.splitlines() == 2 * ["[0, 48, 0]"]
