"""A project of one's own that has the freeze from pip, and nothing else of the course.

`.ci/wheel` runs it outside the repository; test_alone.py does so with a copied folder, too.
"""

import warnings

import keras
import numpy as np
import tensorflow as tf
from freezing_tensors import LeakCheck, LeakWarning, freezable, frozen_rows

AdamW = keras.optimizers.AdamW
OLD_WORDS = 20
sentences = np.random.default_rng(0).integers(0, 30, (64, 4)).astype("int32")
targets = sentences.mean(axis=1, keepdims=True).astype("float32")


def network():
    """Return a model with a table of 30 words, warmed up under plain AdamW, and the table."""
    keras.utils.set_random_seed(0)
    words = keras.layers.Embedding(30, 8, name="words")
    layers = [keras.layers.Input((4,), dtype="int32"), words, keras.layers.Flatten()]
    model = keras.Sequential([*layers, keras.layers.Dense(1)])
    model.compile(AdamW(0.01, weight_decay=0.1), "mse")
    train(model)
    return model, words.embeddings


def train(model, *callbacks):
    """Train for two epochs."""
    model.fit(sentences, targets, 16, 2, shuffle=False, verbose=0, callbacks=list(callbacks))


def changed(before, after):
    """Return where a bit differs."""
    return before.view("uint32") != after.view("uint32")


def table_of(model):
    """Return the table of a model that was loaded."""
    return model.get_layer("words").embeddings


def goes_on(model, compact):
    """Compile the model with a freezable AdamW that goes on where the model's optimizer stopped."""
    old = model.optimizer
    optimizer = freezable(AdamW, compact=compact).from_config(old.get_config())
    optimizer.build(model.trainable_variables)
    optimizer.take_over(old)
    model.compile(optimizer, "mse")
    return optimizer


def holds(compact):
    """Freeze the old words' rows; train, save, load, take over, thaw: are the bits as they were?"""
    model, table = network()
    frozen, start = frozen_rows(table, slice(OLD_WORDS)), table.numpy()
    goes_on(model, compact).freeze_cells(table, frozen)
    train(model, LeakCheck([(table, frozen)], action="raise", every="batch"))
    assert (changed(start, table.numpy()) == ~frozen).all(), "frozen stay, free train"

    model.save("model.keras")
    loaded = keras.models.load_model("model.keras")
    assert (loaded.optimizer.frozen_cells(table_of(loaded)).numpy() == frozen).all(), "the mask"
    train(model)
    train(loaded)
    assert not changed(table.numpy(), table_of(loaded).numpy()).any(), "it goes on as it would have"

    optimizer = goes_on(loaded, compact=not compact)
    train(loaded)
    assert (changed(start, table_of(loaded).numpy()) == ~frozen).all(), "in another optimizer, too"
    optimizer.freeze_cells(table_of(loaded), np.zeros_like(frozen))
    train(loaded)
    assert changed(start, table_of(loaded).numpy()).all(), "a thawed row trains"


def leak_is_found():
    """Let plain AdamW train on: does the check say that it is the way in?"""
    model, table = network()
    check = LeakCheck([(table, frozen_rows(table, slice(OLD_WORDS)))])
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", LeakWarning)
        train(model, check)
    assert check.leaks[0].any() and any("AdamW" in str(each.message) for each in told)


def main():
    """Try it all, and say with which versions."""
    for compact in (False, True):
        holds(compact)
    leak_is_found()
    versions = f"Keras {keras.__version__}, TensorFlow {tf.__version__}"
    print(f"FROZEN BITS EQUAL ({versions})")


if __name__ == "__main__":
    main()
