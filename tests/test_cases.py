"""Each case: the usual answer fails, and ours holds, in `fit` under AdamW with decay."""

import numpy as np
import pytest

from helpers import cases
from helpers.bits import changed_bits
from helpers.device import keras, tf
from helpers.freezing import freezable

K, L = keras.optimizers, keras.layers
KINDS = pytest.mark.parametrize("compact", [False, True], ids=["mask", "compact"])
WORDS = np.random.default_rng(0).integers(0, 8, (64, 5))  # 0 is the padding


def adamw(compact=None):
    """AdamW, freezable by masks or compactly; None: that of Keras."""
    cls = K.AdamW if compact is None else freezable(K.AdamW, compact=compact)
    return cls(0.05, weight_decay=0.1)


def ready(model, optimizer, targets="mse"):
    model.compile(optimizer, targets)
    optimizer.build(model.trainable_variables)
    return model


def fit(model, inputs, targets, epochs=3):
    model.fit(inputs, targets, 16, epochs, verbose=0)


# --- a padding row ---------------------------------------------------------------------------


def reader(optimizer):
    """A model over sentences, whose Flatten reads no mask."""
    keras.utils.set_random_seed(0)
    layers = [L.Input((5,)), L.Embedding(8, 3, mask_zero=True), L.Flatten(), L.Dense(1)]
    model = keras.Sequential(layers)
    return ready(model, optimizer), model.layers[0].embeddings


@pytest.mark.filterwarnings("ignore:Layer 'flatten.*does not support masking")
def test_mask_zero_does_not_keep_the_padding_at_zero():
    model, table = reader(adamw())
    table.assign(np.where(np.arange(8)[:, None] == 0, 0, table.numpy()))
    fit(model, WORDS, WORDS.sum(1))
    assert (table.numpy()[0] != 0).all()


@pytest.mark.filterwarnings("ignore:Layer 'flatten.*does not support masking")
@KINDS
def test_a_held_padding_stays_zero_and_other_rows_train(compact):
    optimizer = adamw(compact)
    model, table = reader(optimizer)
    cases.hold_padding(optimizer, table)
    before = table.numpy()
    fit(model, WORDS, WORDS.sum(1))
    assert not before[0].any()
    assert (changed_bits(before, table.numpy()).any(axis=1) == np.arange(8).astype(bool)).all()


# --- a table that is used twice --------------------------------------------------------------


class Tied(keras.Model):
    """Predicts the next word with one table: to look words up, and to score the answers."""

    def __init__(self, stop=False):
        super().__init__()
        self.stop = stop
        self.table = L.Embedding(8, 3)
        self.table.build()

    def call(self, words):
        seen = self.table(words)
        if self.stop:  # the usual answer: old words are looked up without a gradient
            seen = tf.where(words[..., None] < 6, tf.stop_gradient(seen), seen)
        return seen @ tf.transpose(self.table.embeddings.value)


def next_words(model, optimizer):
    ready(model, optimizer, keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    before = model.table.embeddings.numpy()
    return before, lambda: fit(model, WORDS[:, :-1], WORDS[:, 1:])


def test_stopping_the_gradient_of_the_lookup_leaves_the_other_use():
    model = Tied(stop=True)
    before, train = next_words(model, adamw())
    train()
    assert changed_bits(before, model.table.embeddings.numpy())[:6].all()


@KINDS
def test_old_rows_of_a_tied_table_are_kept(compact):
    model, optimizer = Tied(), adamw(compact)
    before, train = next_words(model, optimizer)
    cases.keep_old_rows(optimizer, model.table.embeddings, 6)
    train()
    moved = changed_bits(before, model.table.embeddings.numpy()).any(axis=1)
    assert moved.tolist() == [False] * 6 + [True] * 2


# --- a head that grows -----------------------------------------------------------------------


PICTURES = np.random.default_rng(1).normal(size=(64, 6)).astype("float32")
LABELS = np.arange(64) % 4


class MaskedGradient(K.AdamW):
    """The usual answer: the gradient of the old columns is multiplied by 0."""

    def apply(self, grads, trainable_variables=None):
        masked = [g * (np.arange(4) >= 3).astype("float32") for g in grads]
        super().apply(masked, trainable_variables)


def grown(optimizer):
    """A head of three classes, trained, and a model with a fourth one."""
    keras.utils.set_random_seed(0)
    head = L.Dense(3)
    old = ready(keras.Sequential([L.Input((6,)), head]), K.AdamW(0.05))
    fit(old, PICTURES, PICTURES[:, :3])
    wide = cases.widened(head, 1)
    model = keras.Sequential([L.Input((6,)), wide])
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    return old, ready(model, optimizer, loss), wide


def test_a_widened_head_answers_as_before():
    old, model, wide = grown(adamw(False))
    assert not changed_bits(old.layers[0].kernel.numpy(), wide.kernel.numpy()[:, :3]).any()
    np.testing.assert_allclose(old(PICTURES), model(PICTURES)[:, :3], rtol=1e-5, atol=1e-6)
    assert wide.kernel.numpy()[:, 3].any() and not wide.bias.numpy()[3]


def test_a_masked_gradient_does_not_keep_the_old_answers():
    _, model, _ = grown(MaskedGradient(0.05, weight_decay=0.1))
    before = model(PICTURES).numpy()
    fit(model, PICTURES, LABELS)
    assert changed_bits(before, model(PICTURES).numpy())[:, :3].any()


@KINDS
def test_the_old_answers_of_a_widened_head_keep_every_bit(compact):
    optimizer = adamw(compact)
    _, model, wide = grown(optimizer)
    cases.keep_old_outputs(optimizer, wide, 3)
    before = model(PICTURES).numpy()
    fit(model, PICTURES, LABELS)
    assert changed_bits(before, model(PICTURES).numpy()).any(axis=0).tolist() == [False] * 3 + [
        True
    ]


# --- biases, and some cells ------------------------------------------------------------------


def two_layers(optimizer):
    keras.utils.set_random_seed(0)
    model = keras.Sequential([L.Input((6,)), L.Dense(5, "relu"), L.Dense(1)])
    return ready(model, optimizer)


FEW = np.random.default_rng(0).random((6, 5)) < 0.2


def moved_by_fit(model):
    """Which cells of each variable moved: a dict from the variable's name and layer."""
    before = {variable.path: variable.numpy() for variable in model.weights}
    fit(model, PICTURES, PICTURES.sum(1))
    paths = {variable.path: variable.numpy() for variable in model.weights}
    moved = {path: changed_bits(before[path], now) for path, now in paths.items()}
    return {"/".join(path.split("/")[-2:]): cells for path, cells in moved.items()}


def test_low_rank_as_keras_adds_it_locks_the_kernel_as_a_whole():
    model = two_layers(adamw())
    kernel = model.layers[0].kernel
    model.layers[0].enable_lora(2)
    ready(model, adamw())
    assert not any(variable is kernel for variable in model.trainable_variables)


@KINDS
@pytest.mark.parametrize("low_rank", [False, True], ids=["biases", "low rank"])
def test_what_is_named_trains_alone(compact, low_rank):
    model = two_layers(adamw())
    first, last = model.layers
    kernel = cases.with_low_rank(first, 2) if low_rank else first.kernel
    free = {kernel.path: FEW, last.bias.path: True}
    factors = [v for v in first.trainable_variables if v.name.startswith("lora")]
    free |= {factor.path: True for factor in factors}
    optimizer = adamw(compact)
    ready(model, optimizer)
    cases.train_only(optimizer, model.trainable_variables, free)
    moved = moved_by_fit(model)
    assert (moved.pop(f"{first.name}/kernel") == FEW).all()
    assert moved.pop(f"{last.name}/bias").all()
    assert not moved.pop(f"{last.name}/kernel").any() and not moved.pop(f"{first.name}/bias").any()
    assert len(moved) == 2 * low_rank and all(cells.any() for cells in moved.values())


# --- filters with BatchNormalization behind them ---------------------------------------------


IMAGES = np.random.default_rng(2).normal(1, 2, size=(64, 6, 6, 1)).astype("float32")


def convolutional(optimizer, norm):
    keras.utils.set_random_seed(0)
    layers = [L.Conv2D(4, 3), norm, L.GlobalAveragePooling2D(), L.Dense(1)]
    model = ready(keras.Sequential([L.Input((6, 6, 1)), *layers]), optimizer)
    channels = keras.Sequential([model.layers[0], model.layers[1]])
    return model, lambda: channels(IMAGES).numpy()


def changed_channels(model, channels):
    before = channels()
    fit(model, IMAGES, IMAGES.mean((1, 2, 3)))
    return changed_bits(before, channels()).any(axis=(0, 1, 2)).tolist()


def test_frozen_filters_alone_do_not_keep_their_channels():
    optimizer = adamw(False)
    model, channels = convolutional(optimizer, L.BatchNormalization())
    for variable in model.layers[0].trainable_variables:
        cases.freeze_also(optimizer, variable, np.s_[..., [0, 2]])
    assert changed_channels(model, channels) == [True] * 4


@KINDS
@pytest.mark.parametrize(
    "jit",
    [pytest.param(False, id="graph"), pytest.param(True, id="jit", marks=pytest.mark.thorough)],
)
def test_kept_filters_keep_their_channels_to_the_bit(compact, jit):
    optimizer = adamw(compact)
    model, channels = convolutional(optimizer, cases.HoldingBatchNormalization())
    model.jit_compile = jit
    fit(model, IMAGES, IMAGES.mean((1, 2, 3)), epochs=0)
    cases.keep_filters(optimizer, *model.layers[:2], [0, 2])
    assert changed_channels(model, channels) == [False, True, False, True]


def test_while_nothing_is_held_the_layer_is_that_of_keras():
    ours, theirs = cases.HoldingBatchNormalization(), L.BatchNormalization()
    for _ in range(3):
        np.testing.assert_array_equal(ours(IMAGES, training=True), theirs(IMAGES, training=True))
    np.testing.assert_array_equal(ours(IMAGES), theirs(IMAGES))


def test_a_held_channel_comes_back_from_a_file(tmp_path):
    model, _ = convolutional(adamw(False), cases.HoldingBatchNormalization())
    cases.keep_filters(model.optimizer, *model.layers[:2], [1])
    model.save(tmp_path / "model.keras")
    known = {"HoldingBatchNormalization": cases.HoldingBatchNormalization}
    loaded = keras.models.load_model(tmp_path / "model.keras", known)
    assert loaded.layers[1].held.numpy().tolist() == [False, True, False, False]


# --- a pruned network ------------------------------------------------------------------------


def trained(optimizer):
    model = two_layers(optimizer)
    fit(model, PICTURES, PICTURES.sum(1))
    return model, model.layers[0].kernel


def test_weights_that_are_set_to_zero_come_back():
    model, kernel = trained(adamw())
    kernel.assign(np.where(np.abs(kernel.numpy()) < 0.3, 0, kernel.numpy()))
    pruned = kernel.numpy() == 0
    fit(model, PICTURES, PICTURES.sum(1))
    assert pruned.sum() > 3 and kernel.numpy()[pruned].all()


@KINDS
def test_a_pruned_kernel_stays_pruned(compact):
    optimizer = adamw(compact)
    model, kernel = two_layers(optimizer), None
    kernel = model.layers[0].kernel
    optimizer.freeze_cells(kernel, np.zeros(kernel.shape, bool))
    fit(model, PICTURES, PICTURES.sum(1))
    smallest = np.sort(np.abs(kernel.numpy()), axis=None)[:15]
    cases.prune(optimizer, kernel, 0.5)
    pruned = kernel.numpy() == 0
    assert pruned.sum() == 15 and (np.abs(kernel.numpy())[~pruned] >= smallest[-1]).all()
    fit(model, PICTURES, PICTURES.sum(1))
    assert ((kernel.numpy() == 0) == pruned).all()


def test_of_equal_weights_those_that_come_first_are_pruned():
    optimizer, kernel = freezable(K.SGD)(), keras.Variable(np.ones((2, 4), "float32"))
    optimizer.build([kernel])
    cases.prune(optimizer, kernel, 0.5)
    assert kernel.numpy().tolist() == [[0] * 4, [1] * 4]


def test_a_pruned_weight_that_is_thawed_without_reset_is_carried_away():
    """By 0.11 and more in fifty steps without a gradient, in which a reset one stays 0."""
    left = {}
    for on_thaw in ("keep", "reset"):
        optimizer, kernel = freezable(K.Adam)(0.01), keras.Variable(np.ones(2, "float32"))
        optimizer.build([kernel])
        for _ in range(50):
            optimizer.apply([tf.ones(2)], [kernel])
        cases.prune(optimizer, kernel, 1.0)
        optimizer.freeze_cells(kernel, np.zeros(2, bool), on_thaw=on_thaw)
        for _ in range(50):
            optimizer.apply([tf.zeros(2)], [kernel])
        left[on_thaw] = kernel.numpy()[0]
    assert left["keep"] < -0.05 and left["reset"] == 0
