"""Layers of which the free values are the variable: plain `fit`, files, export, replicas.

Each run has all that moves a frozen cell elsewhere: AdamW with decay, steps before the freeze,
clipping by a norm, and averages that overwrite the weights.
"""

import subprocess
import sys

import numpy as np
import pytest

from helpers import ROOT
from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.free_values import FreeConv2D, FreeDense, FreeEmbedding

L = keras.layers
DRAW = np.random.default_rng(0)
WORDS = DRAW.integers(0, 6, (32, 5))
PICTURES = DRAW.normal(size=(32, 5, 5, 2)).astype("float32")
TARGETS = DRAW.normal(size=(32, 4)).astype("float32")


def adamw():
    # Under MirroredStrategy Keras cannot overwrite in the middle, but after the last step.
    often = None if tf.distribute.has_strategy() else 2
    averages = dict(use_ema=True, ema_momentum=0.5, ema_overwrite_frequency=often)
    return keras.optimizers.AdamW(0.05, weight_decay=0.2, global_clipnorm=0.1, **averages)


TRAINED = {}  # weights of the plain models that have trained, by kind and options


def plain(kind, **options):
    """A plain model that has trained, its inputs, and the layer whose cells are to be frozen."""
    keras.utils.set_random_seed(0)
    if kind == "embedding":
        first, inputs = [L.Input((5,)), L.Embedding(6, 3), L.Flatten()], WORDS
    elif kind == "convolution":
        first, inputs = [L.Input((5, 5, 2)), L.Conv2D(3, 3, **options), L.Flatten()], PICTURES
    else:
        first, inputs = [L.Input((5, 5, 2)), L.Flatten(), L.Dense(3, **options)], PICTURES
    model = keras.Sequential([*first, L.Dense(4)])
    if (kind, *options) not in TRAINED:
        model.compile(adamw(), "mse")
        model.fit(inputs, TARGETS, 8, verbose=0)
        TRAINED[kind, *options] = model.get_weights()
    model.set_weights(TRAINED[kind, *options])
    return model, inputs, model.layers[1 if kind == "dense" else 0]


KINDS = {"dense": FreeDense, "convolution": FreeConv2D, "embedding": FreeEmbedding}
each_kind = pytest.mark.parametrize("kind", KINDS)


def whole(layer):
    """What a layer, plain or not, computes with."""
    weight = layer.embeddings if isinstance(layer, L.Embedding) else layer.kernel
    return weight.numpy()


def frozen_in(layer):
    """A mask for a layer: most cells frozen, in no pattern."""
    return np.random.default_rng(1).random(whole(layer).shape) < 0.8


def freed(kind, jit=False, **options):
    """The model with a layer of free values in that one's place, its inputs, and the layer."""
    model, inputs, layer = plain(kind, **options)
    made = KINDS[kind].from_layer(layer, frozen_in(layer))
    layers = [made if each is layer else each for each in model.layers]
    model = keras.Sequential([L.Input(inputs.shape[1:]), *layers])
    model.compile(adamw(), "mse", jit_compile=jit)
    return model, inputs, made


def assert_holds(model, inputs, layer):
    """In `fit` each free cell moves, and of the frozen ones not a bit; return the mask."""
    before, frozen = whole(layer), layer.frozen
    model.fit(inputs, TARGETS, 8, 2, verbose=0)
    assert (changed_bits(before, whole(layer)) == ~frozen).all()
    return frozen


@each_kind
def test_the_layer_it_is_made_from_trains_on_by_itself(kind):
    """Both begin with one copy of the values in memory; neither writes into the other's."""
    model, inputs, layer = plain(kind)
    made, before = KINDS[kind].from_layer(layer, frozen_in(layer)), whole(layer)
    model.fit(inputs, TARGETS, 8, 2, verbose=0)
    assert changed_bits(before, whole(layer)).any()
    assert not changed_bits(before, whole(made)).any()
    trained = whole(layer)
    rows = tf.IndexedSlices(tf.ones_like(made.held.value[:1]), tf.constant([0]))
    made.held.value.scatter_sub(rows)
    assert not changed_bits(trained, whole(layer)).any()


@pytest.mark.parametrize(
    "jit",
    [pytest.param(False, id="graph"), pytest.param(True, id="XLA", marks=pytest.mark.thorough)],
)
@each_kind
def test_in_plain_fit_frozen_cells_keep_every_bit_and_have_no_slots(kind, jit):
    model, inputs, layer = freed(kind, jit)
    frozen = assert_holds(model, inputs, layer)
    assert 0 < (~frozen).sum() < frozen.size / 2
    of_layer = [slot.shape for slot in model.optimizer.variables if "free" in slot.path]
    assert of_layer == [((~frozen).sum(),)] * 3  # an average, and two slots of Adam
    sizes = [v.numpy().size for v in model.optimizer.variables]
    assert sum(sizes) == 2 + 3 * sum(v.numpy().size for v in model.trainable_variables)


@each_kind
def test_the_plain_layer_does_not_hold_in_the_same_run(kind):
    """So the run is one in which frozen cells could escape: their gradient is 0, and they move."""
    model, inputs, layer = plain(kind)
    before, frozen = whole(layer), frozen_in(layer)
    variable = layer.trainable_variables[0]

    class Masked(keras.Sequential):
        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                loss = self.compute_loss(x, y, self(x, training=True))
            gradients = tape.gradient(loss, self.trainable_weights)
            at = next(i for i, v in enumerate(self.trainable_weights) if v is variable)
            gradients[at] = tf.where(frozen, 0.0, tf.convert_to_tensor(gradients[at]))
            self.optimizer.apply(gradients, self.trainable_weights)
            return {"loss": loss}

    masked = Masked(model.layers)
    masked.compile(adamw(), "mse")
    masked.fit(inputs, TARGETS, 8, 2, verbose=0)
    assert changed_bits(before, whole(layer))[frozen].all()


@each_kind
def test_it_computes_what_the_plain_layer_computes_there_and_back(kind):
    model, inputs, layer = plain(kind)
    made = KINDS[kind].from_layer(layer, frozen_in(layer))
    assert not changed_bits(whole(layer), whole(made)).any()
    shown = layer.input
    first, second = (keras.Model(shown, each(shown)) for each in (layer, made))
    inputs = inputs if kind != "dense" else inputs.reshape(32, -1)
    assert (first.predict(inputs, verbose=0) == second.predict(inputs, verbose=0)).all()
    back = made.to_layer()
    assert type(back) is type(layer) and back.get_config() == layer.get_config()
    for one, other in zip(layer.get_weights(), back.get_weights(), strict=True):
        assert not changed_bits(one, other).any()


def test_what_training_has_made_is_in_the_plain_layer():
    model, inputs, layer = freed("dense")
    model.fit(inputs, TARGETS, verbose=0)
    back = layer.to_layer()
    assert not changed_bits(whole(layer), whole(back)).any()
    assert (layer.bias.numpy() == back.bias.numpy()).all()


def test_a_layer_without_a_bias_and_one_that_is_not_trainable():
    model, _, layer = plain("dense", use_bias=False)
    layer.trainable = False
    made = FreeDense.from_layer(layer, frozen_in(layer))
    assert made.trainable_variables == [] and made.to_layer().bias is None
    assert not made.to_layer().trainable


@each_kind
def test_a_new_layer_draws_its_weight_as_a_plain_one(kind):
    model, inputs, layer = plain(kind)
    config = layer.get_config()
    name = next(
        key
        for key in config
        if key.endswith("s_initializer" if kind == "embedding" else "kernel_initializer")
    )
    config[name] = {"class_name": "GlorotUniform", "config": {"seed": 3}}
    old = type(layer).from_config(config)
    new = KINDS[kind].from_config(config | {"frozen": frozen_in(layer)})
    for each in (old, new):
        each.build(layer.input.shape)
    assert not changed_bits(whole(old), whole(new)).any()


def test_it_stands_in_a_model_by_its_constructor():
    frozen = np.zeros((50, 3), bool)
    frozen[:40] = True
    layer = FreeDense(3, "relu", frozen=frozen)
    model = keras.Sequential([L.Input((5, 5, 2)), L.Flatten(), layer, L.Dense(4)])
    model.compile(adamw(), "mse")
    assert (assert_holds(model, PICTURES, layer) == frozen).all()
    assert [v.name for v in layer.trainable_variables] == ["free", "bias"]


def test_a_clone_of_a_functional_model_swaps_one_layer():
    model, inputs, layer = plain("convolution")
    swap = {id(layer): FreeConv2D.from_layer(layer, frozen_in(layer))}
    again = keras.models.clone_model(model, clone_function=lambda each: swap.get(id(each), each))
    assert (again.predict(inputs, verbose=0) == model.predict(inputs, verbose=0)).all()


# Files


LOADED = """
import sys
import keras, numpy as np
import helpers.free_values
for folder in sys.argv[1:]:
    model = keras.models.load_model(folder + "/model.keras")
    inputs, targets = np.load(folder + "/inputs.npy"), np.load(folder + "/targets.npy")
    model.fit(inputs, targets, 8, shuffle=False, verbose=0)
    np.savez(folder + "/then.npz", *(v.numpy() for v in model.variables))
"""


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Each kind that has trained, and the folder with its file, with which another process has
    gone on: {kind: ((model, inputs, layer), folder)}."""
    runs = {kind: (freed(kind), tmp_path_factory.mktemp(kind)) for kind in KINDS}
    for (model, inputs, _), folder in runs.values():
        model.fit(inputs, TARGETS, 8, verbose=0)
        model.save(folder / "model.keras")
        np.save(folder / "inputs.npy", inputs)
        np.save(folder / "targets.npy", TARGETS)
    command = [sys.executable, "-c", LOADED, *(str(folder) for _, folder in runs.values())]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return runs


@pytest.mark.thorough
@each_kind
def test_a_file_goes_on_in_a_fresh_process_bit_for_bit(kind, saved):
    (model, inputs, layer), folder = saved[kind]
    held, places = layer.held.numpy(), layer.places.numpy()
    model.fit(inputs, TARGETS, 8, shuffle=False, verbose=0)
    with np.load(folder / "then.npz") as then:
        for ours, theirs in zip(model.variables, then.values(), strict=True):
            assert ours.numpy().tobytes() == theirs.tobytes(), ours.path
    assert (layer.places.numpy() == places).all() and (layer.held.numpy() == held).all()


def test_weights_of_another_mask_bring_their_places_and_the_next_file_knows_them(tmp_path):
    one, other = (np.zeros((2, 3), bool) for _ in "ab")
    one[0], other[1] = True, True
    layers = [FreeDense(3, frozen=mask) for mask in (one, other)]
    models = [keras.Sequential([L.Input((2,)), layer]) for layer in layers]
    models[0].save_weights(tmp_path / "one.weights.h5")
    models[1].load_weights(tmp_path / "one.weights.h5")
    assert (layers[1].frozen == one).all()
    assert (FreeDense.from_config(layers[1].get_config()).frozen == one).all()


@each_kind
def test_an_exported_model_computes_the_same(kind, tmp_path):
    model, inputs, _ = freed(kind)
    model.export(tmp_path / "served", verbose=False)
    served = tf.saved_model.load(tmp_path / "served")
    inputs = inputs.astype("float32")  # as the signature of an Input asks
    wanted = model.predict(inputs, verbose=0)
    np.testing.assert_allclose(served.serve(inputs), wanted, rtol=1e-5, atol=1e-6)


# Half precision, replicas


@each_kind
def test_in_mixed_precision_it_holds(kind):
    before = keras.config.dtype_policy()
    keras.config.set_dtype_policy("mixed_float16")
    try:
        model, inputs, layer = freed(kind)
        assert layer.compute_dtype == "float16" and layer.free.dtype == "float32"
        assert_holds(model, inputs, layer)
    finally:
        keras.config.set_dtype_policy(before)


MIRRORED = """
import numpy as np
import tensorflow as tf
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
from tests import test_free_values as tests
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
late = tf.distribute.InputOptions(experimental_fetch_to_device=False)
for kind in tests.KINDS:
    with strategy.scope():
        model, inputs, layer = tests.freed(kind)
    batches = tf.data.Dataset.from_tensor_slices((inputs, tests.TARGETS)).batch(8)
    batches = strategy.experimental_distribute_dataset(batches, late)
    before, frozen = tests.whole(layer), layer.frozen
    model.fit(batches, epochs=2, verbose=0)
    changed = tests.changed_bits(before, tests.whole(layer))
    assert (changed == ~frozen).all(), kind
    for weight in (layer.free, layer.held, layer.places):
        copies = [copy.numpy() for copy in strategy.experimental_local_results(weight.value)]
        assert len(copies) == 2 and (copies[0] == copies[1]).all(), (kind, weight.path)
print("HELD", *tests.KINDS)
"""


@pytest.mark.thorough
def test_two_replicas_hold_and_agree():
    done = subprocess.run(
        [sys.executable, "-c", MIRRORED], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["HELD", *KINDS]


# What is refused


def test_a_mask_of_numbers_is_refused():
    with pytest.raises(TypeError, match="int64 arrived; a bool mask was wanted.*mask > 0.5"):
        FreeDense(3, frozen=np.zeros((2, 3), int))


def test_a_mask_that_frees_nothing_is_refused():
    with pytest.raises(ValueError, match="freezes all of its 6 cells.*layer.trainable = False"):
        FreeDense(3, frozen=np.ones((2, 3), bool))


def test_a_mask_of_another_shape_is_refused():
    layer = FreeDense(3, frozen=np.zeros((3, 2), bool), name="head")
    with pytest.raises(ValueError, match=r"\(3, 2\) arrived; the kernel of 'head'.*\(2, 3\), bool"):
        layer.build((None, 2))


def test_a_constraint_on_the_whole_is_refused():
    layer = FreeDense(3, frozen=np.zeros((2, 3), bool), kernel_constraint="max_norm")
    with pytest.raises(ValueError, match="kernel_constraint arrived.*Take it away"):
        layer.build((None, 2))


@pytest.mark.parametrize("wrong", [L.Conv2D(3, 1), L.Dense(3)], ids=["another class", "not built"])
def test_a_layer_that_it_cannot_take_over_is_refused(wrong):
    with pytest.raises(TypeError, match="arrived, built: False; a built Dense was wanted"):
        FreeDense.from_layer(wrong, np.zeros((2, 3), bool))


@pytest.mark.parametrize("ask", [lambda x: x.enable_lora(2), lambda x: x.quantize("int8")])
def test_what_takes_the_whole_kernel_is_refused(ask):
    _, _, layer = freed("dense")
    with pytest.raises(NotImplementedError, match=r"Call them on what to_layer\(\) returns"):
        ask(layer)


def test_a_regularizer_reads_the_free_values():
    layer = FreeDense(2, frozen=[[True, False], [False, True]], kernel_regularizer="l2")
    layer.build((None, 2))
    layer.free.assign([3.0, 4.0])
    layer.held.assign(np.full((2, 2), 100.0))
    assert float(layer.losses[0]) == pytest.approx(0.01 * 25)
