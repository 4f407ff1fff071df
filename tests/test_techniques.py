"""Recipes: what each one does to a value or a gradient, and where each one leaks."""

import numpy as np
import pytest

from helpers import techniques
from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.techniques import TECHNIQUES

DTYPES = ["bfloat16", "float16", "float32", "float64"]
FROZEN = tf.constant([[True, False, True, False]])


def row(*numbers, dtype="float32"):
    """Four numbers as one row of a grid."""
    return tf.constant([numbers], dtype)


def same_bits(one, other):
    """Whether two tensors have one dtype and agree in every bit."""
    return one.dtype == other.dtype and not changed_bits(one.numpy(), other.numpy()).any()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["gradient_times_mask", "where_gradient"])
def test_a_masked_gradient_is_zero_where_frozen_and_untouched_where_free(name, dtype):
    gradient = row(1.5, -2.5, 3.0, 0.375, dtype=dtype)
    masked = TECHNIQUES[name].gradient(gradient, FROZEN)
    assert same_bits(masked, row(0, -2.5, 0, 0.375, dtype=dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_times_mask_lets_nan_through_and_where_does_not(bad, dtype):
    gradient = row(bad, 1, bad, 2, dtype=dtype)
    times = techniques.gradient_times_mask(gradient, FROZEN)
    assert tf.math.is_nan(times).numpy().tolist() == FROZEN.numpy().tolist()
    assert same_bits(techniques.where_gradient(gradient, FROZEN), row(0, 1, 0, 2, dtype=dtype))


@pytest.mark.parametrize("name", ["gradient_times_mask", "where_gradient"])
def test_a_bad_gradient_of_a_free_cell_is_not_hidden(name):
    masked = TECHNIQUES[name].gradient(row(1, np.nan, 1, np.inf), FROZEN)
    assert np.isnan(masked[0, 1]) and np.isinf(masked[0, 3])


@pytest.mark.parametrize("dtype", DTYPES)
def test_stop_gradient_shows_the_model_the_very_same_value(dtype):
    value = row(-0.0, 1.5, np.nan, -np.inf, dtype=dtype)
    assert same_bits(techniques.stop_gradient(value, FROZEN), value)


@pytest.mark.parametrize("dtype", DTYPES)
def test_stop_gradient_lets_no_gradient_back_to_frozen_cells(dtype):
    value, factor = row(1, 2, 3, 4, dtype=dtype), row(5, 6, 7, 8, dtype=dtype)
    with tf.GradientTape() as tape:
        tape.watch(value)
        loss = tf.reduce_sum(techniques.stop_gradient(value, FROZEN) * factor)
    assert same_bits(tape.gradient(loss, value), row(0, 6, 0, 8, dtype=dtype))


def test_stop_gradient_does_not_stop_what_reads_the_raw_variable():
    value = row(1, 2, 3, 4)
    with tf.GradientTape() as tape:
        tape.watch(value)
        seen = techniques.stop_gradient(value, FROZEN)
        loss = tf.reduce_sum(seen) + tf.reduce_sum(value**2)
    assert tape.gradient(loss, value).numpy().tolist() == [[2, 5, 6, 9]]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["restore", "scatter_update", "shadow_copy"])
def test_every_bit_of_frozen_cells_is_kept_and_free_ones_are_taken(name, dtype):
    before = row(-0.0, 1, np.nan, 2, dtype=dtype)
    after = row(0.0, -0.0, 7, np.nan, dtype=dtype)
    kept = getattr(techniques, name)(before, after, FROZEN)
    assert same_bits(kept, row(-0.0, -0.0, np.nan, np.nan, dtype=dtype))


def test_a_shadow_lets_no_gradient_back_to_frozen_cells():
    value = row(1, 2, 3, 4)
    with tf.GradientTape() as tape:
        tape.watch(value)
        loss = tf.reduce_sum(techniques.shadow_copy(row(5, 6, 7, np.nan), value, FROZEN) ** 2)
    assert loss == 5**2 + 2**2 + 7**2 + 4**2
    assert tape.gradient(loss, value).numpy().tolist() == [[0, 4, 0, 8]]


@pytest.mark.parametrize("dtype", DTYPES)
def test_free_values_stand_at_their_places_and_every_other_bit_is_held(dtype):
    held, free = row(-0.0, 1, np.nan, 2, dtype=dtype), tf.constant([-0.0, 7], dtype)
    seen = techniques.free_values(held, tf.where(~FROZEN), free)
    assert same_bits(seen, row(-0.0, -0.0, np.nan, 7, dtype=dtype))


def test_only_the_free_values_get_a_gradient():
    held, free = row(1, 2, np.nan, 4), tf.constant([5.0, 6])
    with tf.GradientTape() as tape:
        tape.watch([held, free])
        seen = techniques.free_values(held, tf.where(~FROZEN), free)
        loss = tf.reduce_sum(seen * row(1, 2, 3, 4))
    assert tape.gradient(loss, free).numpy().tolist() == [2, 4]


@pytest.mark.parametrize("name", sorted(set(TECHNIQUES) - {"none", "free_values", "exact"}))
def test_with_nothing_frozen_a_recipe_changes_nothing(name):
    technique, free = TECHNIQUES[name], tf.zeros_like(FROZEN)
    one, other = row(-0.0, np.nan, 3, 4), row(5, 6, np.inf, 8)
    if two := technique.after or technique.shadow:
        assert same_bits(two(other, one, free), one)
    else:
        assert same_bits((technique.weights or technique.gradient)(other, free), other)


@pytest.mark.parametrize("name", sorted(TECHNIQUES))
def test_each_recipe_acts_at_one_place_and_has_a_name_for_the_screen(name):
    technique = TECHNIQUES[name]
    places = [technique.weights, technique.shadow, technique.gradient, technique.after]
    assert sum(map(callable, places)) == (0 if name in ("none", "free_values", "exact") else 1)
    assert technique.exact == (name == "exact")
    assert callable(technique.values) == (name == "free_values")
    assert technique.label.strip()


def test_labels_tell_the_recipes_apart():
    assert len({technique.label for technique in TECHNIQUES.values()}) == len(TECHNIQUES)


@pytest.mark.parametrize("excluded", [True, False])
def test_out_of_the_decay_a_masked_gradient_holds_from_the_first_step_on(excluded):
    """What notebook 12 says of the repair that comes to mind first."""
    table = keras.Variable(row(1, 2, 3, 4))
    before, optimizer = table.numpy(), keras.optimizers.AdamW(0.1)
    if excluded:
        optimizer.exclude_from_weight_decay(var_list=[table])
    optimizer.build([table])
    for _ in range(5):
        optimizer.apply([techniques.where_gradient(row(1, 1, 1, 1), FROZEN)], [table])
    held = ~changed_bits(before, table.numpy())
    assert (held == (FROZEN.numpy() & excluded)).all()
