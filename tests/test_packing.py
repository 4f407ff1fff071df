"""Free values as a vector: there and back without a changed bit, and what else is handed over."""

import numpy as np
import pytest

from helpers.bits import changed_bits
from helpers.device import keras
from helpers.optimizers import CLASSES, freezable_optimizer
from helpers.packing import Packed

DRAW = np.random.default_rng(0)
ROOM = 12


def trained(optimizer, frozen=None, **options):
    """A kernel and a bias that have trained for two steps under an optimizer, and a Packed."""
    kernel = keras.Variable(np.arange(1, 13.0).reshape(3, 4), dtype="float32", name="kernel")
    variables = [keras.Variable(np.ones(12), dtype="float32", name="bias"), kernel]
    optimizer = optimizer(0.1, **options) if isinstance(optimizer, type) else optimizer
    optimizer.build(variables)
    step(optimizer, variables)
    step(optimizer, variables)
    packed = Packed(kernel, variables, optimizer, ROOM)
    if frozen is not None:
        packed.pack(frozen)
    return optimizer, variables, packed


def step(optimizer, variables):
    optimizer.apply([DRAW.normal(size=v.shape).astype("float32") for v in variables], variables)


def values(variables):
    return {v.path.split("/")[-1]: v.numpy() for v in variables}


def some(share=0.5):
    return np.random.default_rng(1).random((3, 4)) < share


def test_free_values_stand_in_front_in_the_order_of_an_array():
    frozen = some()
    _, (_, kernel), packed = trained(keras.optimizers.SGD, frozen)
    count = (~frozen).sum()
    assert (packed.free.numpy()[:count] == kernel.numpy()[~frozen]).all()
    assert not packed.free.numpy()[count:].any()


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_there_and_back_with_nothing_frozen_no_bit_has_changed(name):
    optimizer, variables, packed = trained(CLASSES[name])
    before = values(optimizer.variables + variables)
    packed.pack(np.zeros((3, 4), bool))
    packed.unpack()
    for key, value in values(optimizer.variables + variables).items():
        assert not changed_bits(before[key], value).any(), key


def test_a_slot_of_a_frozen_cell_is_empty_afterwards_and_of_a_free_one_it_is_kept():
    frozen = some()
    optimizer, variables, packed = trained(keras.optimizers.Adagrad, frozen)
    before = values(optimizer.variables)
    packed.unpack()
    after = values(optimizer.variables)
    kept = before["kernel_accumulator"] == after["kernel_accumulator"]
    assert (kept == ~frozen).all() and (
        after["kernel_accumulator"][frozen] == np.float32(0.1)
    ).all()
    assert not changed_bits(before["bias_accumulator"], after["bias_accumulator"]).any()


def test_the_average_of_a_frozen_cell_is_its_weight():
    frozen = some()
    optimizer, (_, kernel), packed = trained(keras.optimizers.SGD, frozen, use_ema=True)
    packed.unpack()
    average = values(optimizer.variables)["kernel_average"]
    assert ((average == kernel.numpy()) == frozen).all()


def test_counts_and_rates_go_along_both_ways():
    optimizer, _, packed = trained(keras.optimizers.Nadam, some())
    assert int(packed.optimizer.iterations) == 2
    product = next(v for v in optimizer.variables if v.path.startswith("variable"))
    packed.optimizer.learning_rate = 0.5
    step(packed.optimizer, packed.variables)
    before = product.numpy()
    packed.unpack()
    assert int(optimizer.iterations) == 3 and float(optimizer.learning_rate) == 0.5
    assert product.numpy() != before


@pytest.mark.parametrize("name", ["sgd", "momentum", "adam", "adamw"])
def test_steps_of_the_vector_are_steps_of_the_kernel(name):
    """With nothing frozen: the same gradient, in another shape, bit for bit."""
    twins = [trained(freezable_optimizer(name, 0.1)) for _ in "ab"]
    (_, plain, _), (_, variables, packed) = twins
    for one, other in zip(twins[0][0].variables + plain, twins[1][0].variables + variables):
        other.assign(one)
    packed.pack(np.zeros((3, 4), bool))
    for _ in range(4):
        gradients = [DRAW.normal(size=v.shape).astype("float32") for v in plain]
        twins[0][0].apply(gradients, plain)
        packed.optimizer.apply([gradients[0], gradients[1].ravel()], packed.variables)
    packed.unpack()
    for one, other in zip(plain, variables):
        assert not changed_bits(one.numpy(), other.numpy()).any()


def test_it_needs_no_optimizer_that_can_freeze():
    _, _, packed = trained(freezable_optimizer("adam", 0.1), some())
    assert type(packed.optimizer) is keras.optimizers.Adam
    assert all(v is not packed._variable for v in packed.variables)


def test_another_mask_hands_on_what_stays_free():
    first, second = np.zeros((3, 4), bool), np.zeros((3, 4), bool)
    first[0], second[1] = True, True
    optimizer, _, packed = trained(keras.optimizers.Adam, first)
    step(packed.optimizer, packed.variables)
    packed.unpack()
    whole = values(optimizer.variables)["kernel_momentum"]
    packed.pack(second)
    found = values(packed.optimizer.variables)["free_values_momentum"]
    assert (found[:8] == whole[~second]).all()
    assert not found[:4].any() and found[4:8].all()  # the first row was frozen a moment ago


def test_what_only_a_vector_has_begins_anew_with_each_mask():
    _, _, packed = trained(keras.optimizers.Muon, some())
    step(packed.optimizer, packed.variables)
    packed.pack(some(0.3))
    assert not values(packed.optimizer.variables)["free_values_velocity"].any()
    step(packed.optimizer, packed.variables)


def test_slots_are_found_by_their_names():
    optimizer, variables, packed = trained(freezable_optimizer("adam", 0.1), some())
    slots = packed.named(optimizer.slots_of(variables[1]))
    assert set(slots) == {"momentum", "velocity"}
    assert all(slot.shape == (ROOM,) for slot in slots.values())
