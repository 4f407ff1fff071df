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
