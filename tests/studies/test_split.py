"""Split layers give what the whole layer gives, and train what the exact freeze would train."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.device import keras, tf
from helpers.freezing import freezable
from helpers.studies.split import split_columns, split_rows

SPLITS = {"rows": (split_rows, 0), "columns": (split_columns, 1)}
MASKS = st.lists(st.booleans(), min_size=2, max_size=12).filter(lambda mask: not all(mask))
rng = np.random.default_rng(0)


def dense(rows, columns, activation="tanh", use_bias=True):
    layer = keras.layers.Dense(columns, activation, use_bias, bias_initializer="normal")
    layer.build((None, rows))
    return layer


@pytest.mark.parametrize("name", SPLITS)
@given(MASKS, st.booleans())
@settings(max_examples=25)
def test_outputs_and_the_whole_kernel_are_the_same(name, mask, use_bias):
    split, axis = SPLITS[name]
    shape = (len(mask), 5) if axis == 0 else (5, len(mask))
    layer = dense(*shape, use_bias=use_bias)
    made, inputs = split(layer, mask), rng.normal(size=(3, shape[0])).astype("float32")
    np.testing.assert_allclose(made(inputs), layer(inputs), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(made.whole(), layer.kernel.numpy())


@pytest.mark.parametrize("name", SPLITS)
@given(MASKS)
@settings(max_examples=25)
def test_the_gradient_of_the_inputs_is_the_same(name, mask):
    split, axis = SPLITS[name]
    shape = (len(mask), 5) if axis == 0 else (5, len(mask))
    layer, inputs = dense(*shape), tf.constant(rng.normal(size=(3, shape[0])).astype("float32"))
    weights, gradients = rng.normal(size=(3, shape[1])), []
    for one in (layer, split(layer, mask)):
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            loss = tf.reduce_sum(one(inputs) * weights)
        gradients.append(tape.gradient(loss, inputs))
    np.testing.assert_allclose(*gradients, rtol=1e-4, atol=1e-6)


@given(MASKS)
@settings(max_examples=25)
def test_an_embedding_gives_the_same_bits_for_every_word(mask):
    layer = keras.layers.Embedding(len(mask), 3)
    layer.build(None)
    words = np.arange(2 * len(mask)).reshape(2, -1) % len(mask)
    made = split_rows(layer, mask)
    np.testing.assert_array_equal(made(words), layer(words))
    np.testing.assert_array_equal(made.whole(), layer.embeddings.numpy())


@pytest.mark.parametrize("name", SPLITS)
def test_it_trains_as_the_exact_freeze_does_and_holds_the_rest(name):
    split, axis = SPLITS[name]
    layer, frozen = dense(6, 6), np.array([True, False, True, True, False, True])
    made, inputs = split(layer, frozen), rng.normal(size=(8, 6)).astype("float32")
    cells = np.broadcast_to(frozen[:, None] if axis == 0 else frozen, (6, 6)).copy()
    held, free = made.held.numpy(), made.free.numpy()
    for one, masked in ((layer, cells), (made, None)):
        optimizer = freezable(keras.optimizers.Adam)(0.01)
        optimizer.build(one.trainable_variables)
        if masked is not None:
            optimizer.freeze_cells(one.kernel, masked)
        for _ in range(10):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(one(inputs) ** 2)
            optimizer.apply(tape.gradient(loss, one.trainable_variables), one.trainable_variables)
    np.testing.assert_array_equal(made.held.numpy(), held)
    np.testing.assert_allclose(made.whole(), layer.kernel.numpy(), rtol=1e-4, atol=1e-6)
    assert (made.free.numpy() != free).all()


@pytest.mark.parametrize("name", SPLITS)
def test_only_the_free_part_has_gradient_and_slots(name):
    split, _ = SPLITS[name]
    made = split(dense(10, 10, use_bias=False), [True] * 9 + [False])
    optimizer = keras.optimizers.Adam()
    optimizer.build(made.trainable_variables)
    assert [v.shape for v in made.trainable_variables] == [made.free.shape]
    slots = sum(v.numpy().size for v in optimizer.variables if v.ndim)
    assert slots == 2 * 10


@pytest.mark.parametrize("name", [*SPLITS, "embedding"])
def test_it_is_saved_and_loaded_with_its_model(name, tmp_path):
    if name == "embedding":
        layer = keras.layers.Embedding(6, 6)
        layer.build(None)
        made, inputs = split_rows(layer, [True] * 4 + [False] * 2), np.arange(6)[None]
    else:
        made = SPLITS[name][0](dense(6, 6), [False] + [True] * 5)
        inputs = rng.normal(size=(2, 6)).astype("float32")
    whole = keras.Sequential([keras.layers.Input((6,), dtype=inputs.dtype), made])
    whole.save(tmp_path / "split.keras")
    loaded = keras.models.load_model(tmp_path / "split.keras")
    np.testing.assert_array_equal(loaded(inputs), whole(inputs))
    assert loaded.layers[-1].frozen.tolist() == made.frozen.tolist()


@pytest.mark.parametrize("dtype", ["float64", "mixed_float16"])
def test_values_and_outputs_keep_their_float_type(dtype):
    layer = keras.layers.Dense(4, dtype=dtype)
    layer.build((None, 6))
    table = keras.layers.Embedding(6, 4, dtype=dtype)
    table.build(None)
    frozen, inputs = [True, False] * 3, np.ones((2, 6), "float16")
    for whole, made in ((layer, split_rows(layer, frozen)), (table, split_rows(table, frozen))):
        assert made.whole().dtype == made.free.dtype == whole.variables[0].dtype
        np.testing.assert_array_equal(made.whole(), whole.variables[0].numpy())
        assert made(inputs).dtype == whole(inputs).dtype
        np.testing.assert_allclose(made(inputs), whole(inputs), rtol=1e-2, atol=1e-2)


def test_nothing_of_a_float64_table_need_be_frozen_in_a_graph():
    table = keras.layers.Embedding(6, 4, dtype="float64")
    table.build(None)
    made, words = split_rows(table, [False] * 6), np.arange(6)
    np.testing.assert_array_equal(tf.function(made)(words), table(words))


def test_a_mask_of_the_steps_goes_through_as_through_dense():
    padded = keras.Sequential(
        [keras.layers.Masking(), split_rows(dense(6, 6), [True] + [False] * 5)]
    )
    steps = np.ones((1, 3, 6), "float32")
    steps[:, 2] = 0
    assert padded(steps)._keras_mask.numpy().tolist() == [[True, True, False]]


@pytest.mark.parametrize("lost", ["kernel_regularizer", "kernel_constraint", "mask_zero"])
def test_what_a_split_layer_would_lose_is_refused(lost):
    settings = {"kernel_regularizer": "l2", "kernel_constraint": "non_neg", "mask_zero": True}
    kind = keras.layers.Embedding if lost == "mask_zero" else keras.layers.Dense
    layer = kind(*[4] * (1 + (lost == "mask_zero")), **{lost: settings[lost]})
    layer.build((None, 4))
    with pytest.raises(ValueError, match=f"{lost}, which a split layer would lose"):
        split_rows(layer, [True, False, True, False])


def test_what_cannot_be_split_is_refused_with_a_way_out():
    with pytest.raises(TypeError, match="built Dense layer was wanted"):
        split_rows(keras.layers.Dense(3), [True, False])
    with pytest.raises(TypeError, match="built Dense layer was wanted"):
        split_columns(keras.layers.Embedding(3, 3), [True, False])
    with pytest.raises(TypeError, match="built Dense layer was wanted"):
        split_rows(keras.layers.Embedding(2, 3), [True, False])
    own = type("Own", (keras.layers.Dense,), {})(3)
    own.build((None, 2))
    with pytest.raises(TypeError, match="no subclass"):
        split_rows(own, [True, False])
    with pytest.raises(ValueError, match="shape"):
        split_rows(dense(6, 6), [True, False])
    with pytest.raises(ValueError, match="trainable = False"):
        split_rows(dense(2, 2), [True, True])
    with pytest.raises(TypeError, match="bool mask was wanted"):
        split_rows(dense(2, 2), [1, 0])
